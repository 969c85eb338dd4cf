import { type FormEvent, useState } from "react";
import { ApiError, type Role, useServer } from "@/shared/api";
import { useInvitations, useInvite, useWithdrawInvitation } from "@/shared/api/people";
import type { InvitationAnswer } from "@/shared/api/schema";
import { Time } from "@/shared/format";
import {
  Button,
  describeError,
  Dialog,
  ErrorState,
  Field,
  Notice,
  Select,
  SkeletonLines,
  StateChip,
  toast,
  toastError,
} from "@/shared/ui";
import { Card } from "@/shared/ui/Page";
import { OnceSecretDialog } from "./OnceSecret";
import { ROLES } from "./words";

/** Invites somebody; the link is shown once. */
export function InviteButton() {
  const [isOpen, open] = useState(false);
  return (
    <>
      <Button look="primary" icon="plus" onPress={() => open(true)}>
        Invite
      </Button>
      {isOpen && <InviteDialog onClose={() => open(false)} />}
    </>
  );
}

function InviteDialog({ onClose }: { onClose: () => void }) {
  const server = useServer();
  const invite = useInvite();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const fields = invite.error instanceof ApiError ? invite.error.fields : {};
  function submit(event: FormEvent) {
    event.preventDefault();
    invite.mutate({ email: email.trim(), role });
  }
  if (invite.data)
    return (
      <OnceSecretDialog
        title={`Send this link to ${email.trim()}`}
        label="Invitation link"
        secret={location.origin + invite.data.path}
        help="It is shown only now. It works once, for seven days."
        onClose={onClose}
      />
    );
  return (
    <Dialog isOpen onClose={onClose} title="Invite somebody">
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        {server.data && !server.data.accounts && (
          <Notice tone="caution">
            This server signs people in with the link that it prints. Set{" "}
            <code className="font-mono">WHENCE_ACCOUNTS=true</code> so that others can sign in.
          </Notice>
        )}
        {invite.error && !fields["email"] && (
          <Notice tone="negative">{describeError(invite.error).detail}</Notice>
        )}
        <Field
          label="E-mail"
          type="email"
          autoFocus
          value={email}
          onChange={setEmail}
          error={fields["email"]}
        />
        <Select
          label="Role"
          options={ROLES.map(({ value, label, about }) => ({ value, label: `${label}: ${about}` }))}
          value={role}
          onChange={(value) => setRole(value as Role)}
        />
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={invite.isPending}>
            Make the link
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function stateOf(each: InvitationAnswer): "open" | "accepted" | "withdrawn" | "expired" {
  if (each.acceptedAt) return "accepted";
  if (each.withdrawnAt) return "withdrawn";
  return new Date(each.expiresAt) > new Date() ? "open" : "expired";
}

/** Invitations that wait, and what became of the others. */
export function Invitations() {
  const invitations = useInvitations();
  const withdraw = useWithdrawInvitation();
  const [showsAll, showAll] = useState(false);
  const all = invitations.data ?? [];
  const open = all.filter((each) => stateOf(each) === "open");
  const shown = showsAll ? all : open;
  return (
    <Card
      title="Invitations"
      actions={
        all.length > open.length && (
          <Button look="quiet" onPress={() => showAll(!showsAll)}>
            {showsAll ? "Only open ones" : `Show all ${all.length}`}
          </Button>
        )
      }
    >
      {invitations.error && !invitations.data ? (
        <ErrorState error={invitations.error} retry={() => void invitations.refetch()} />
      ) : !invitations.data ? (
        <SkeletonLines lines={2} />
      ) : shown.length === 0 ? (
        <p className="text-muted">Nobody is invited at the moment.</p>
      ) : (
        <ul className="-my-2 divide-y divide-line">
          {shown.map((each) => {
            const state = stateOf(each);
            return (
              <li
                key={each.id}
                aria-label={each.email}
                className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2"
              >
                <span className="min-w-0 grow basis-56">
                  <span className="block truncate">{each.email}</span>
                  <span className="block text-table text-muted">
                    as {each.role} ·{" "}
                    {state === "open" ? (
                      <>
                        ends <Time at={each.expiresAt} />
                      </>
                    ) : (
                      <>
                        invited <Time at={each.createdAt} />
                      </>
                    )}
                  </span>
                </span>
                {state === "open" ? (
                  <Button
                    onPress={() =>
                      withdraw.mutate(each.id, {
                        onSuccess: () => toast("Invitation withdrawn; its link no longer works"),
                        onError: toastError,
                      })
                    }
                  >
                    Withdraw
                  </Button>
                ) : (
                  <StateChip tone={state === "accepted" ? "positive" : "excluded"}>
                    {state}
                  </StateChip>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
