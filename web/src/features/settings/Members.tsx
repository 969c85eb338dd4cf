import { useState } from "react";
import { type Role, useMe } from "@/shared/api";
import { useChangeRole, useMembers, useRemoveMember } from "@/shared/api/people";
import type { MemberAnswer } from "@/shared/api/schema";
import { Time } from "@/shared/format";
import {
  Button,
  Dialog,
  ErrorState,
  Select,
  SkeletonLines,
  StateChip,
  Thumbnail,
  toast,
  toastError,
} from "@/shared/ui";
import { Card } from "@/shared/ui/Page";
import { ROLE_OPTIONS } from "./words";

/** Everybody in the organization, with their role. */
export function Members() {
  const members = useMembers();
  const [leaving, setLeaving] = useState<MemberAnswer>();
  const owners = members.data?.filter((each) => each.role === "owner") ?? [];
  return (
    <Card title={members.data ? `People (${members.data.length})` : "People"}>
      {members.error && !members.data ? (
        <ErrorState error={members.error} retry={() => void members.refetch()} />
      ) : !members.data ? (
        <SkeletonLines lines={4} />
      ) : (
        <ul className="-my-3 divide-y divide-line">
          {members.data.map((member) => (
            <Row
              key={member.userId}
              member={member}
              isLastOwner={owners.length === 1 && member.role === "owner"}
              onRemove={() => setLeaving(member)}
            />
          ))}
        </ul>
      )}
      {leaving && <Removal member={leaving} onClose={() => setLeaving(undefined)} />}
    </Card>
  );
}

function Row({
  member,
  isLastOwner,
  onRemove,
}: {
  member: MemberAnswer;
  isLastOwner: boolean;
  onRemove: () => void;
}) {
  const me = useMe().data;
  const change = useChangeRole();
  const isMe = member.userId === me?.userId;
  const name = member.name || member.email;
  function become(role: Role) {
    if (role === member.role) return;
    change.mutate(
      { id: member.userId, role },
      { onSuccess: () => toast(`${name} is now ${role}`), onError: toastError },
    );
  }
  return (
    <li
      aria-label={name}
      className="grid grid-cols-[32px_minmax(0,1fr)] items-center gap-x-3 gap-y-2 py-3 sm:grid-cols-[32px_minmax(0,1fr)_max-content]"
    >
      <Thumbnail title={name} />
      <span className="min-w-0">
        <span className="flex items-center gap-2">
          <bdi className="truncate font-medium">{name}</bdi>
          {isMe && <StateChip tone="accent">You</StateChip>}
        </span>
        <span className="block truncate text-table text-muted">
          {member.email} · last seen <Time at={member.lastSeenAt} />
        </span>
      </span>
      <span className="flex items-center gap-2 max-sm:col-start-2">
        <span className="w-28">
          <Select
            isCompact
            label={`Role of ${name}`}
            options={ROLE_OPTIONS}
            value={member.role}
            onChange={(role) => become(role as Role)}
            isDisabled={isLastOwner || change.isPending}
          />
        </span>
        <Button look="danger" className="w-22" isDisabled={isLastOwner} onPress={onRemove}>
          {isMe ? "Leave" : "Remove"}
        </Button>
      </span>
      {isLastOwner && (
        <span className="col-start-2 -mt-1 text-small text-muted sm:col-end-4">
          The last owner stays: make somebody else an owner first.
        </span>
      )}
    </li>
  );
}

function Removal({ member, onClose }: { member: MemberAnswer; onClose: () => void }) {
  const me = useMe().data;
  const remove = useRemoveMember();
  const isMe = member.userId === me?.userId;
  const name = member.name || member.email;
  function confirm() {
    remove.mutate(member.userId, {
      onSuccess: () => {
        if (isMe) location.assign("/sign-in");
        else toast(`${name} was removed`);
        onClose();
      },
      onError: (error) => {
        toastError(error);
        onClose();
      },
    });
  }
  return (
    <Dialog isOpen onClose={onClose} title={isMe ? `Leave ${me.organization}?` : `Remove ${name}?`}>
      <p>
        {isMe ? "Your" : "Their"} sessions and API tokens here end at once, and{" "}
        {isMe ? "your" : "their"} conversations are deleted. What {isMe ? "you" : "they"} changed
        stays, with {isMe ? "your" : "their"} name in the audit log.
      </p>
      <div className="mt-4 flex justify-end gap-2">
        <Button onPress={onClose}>Cancel</Button>
        <Button look="danger" isPending={remove.isPending} onPress={confirm}>
          {isMe ? "Leave the organization" : "Remove from the organization"}
        </Button>
      </div>
    </Dialog>
  );
}
