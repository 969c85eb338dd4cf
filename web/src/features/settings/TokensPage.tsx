import { useState } from "react";
import { useIsOwner, useMayWrite, useMe } from "@/shared/api";
import type { TokenAnswer } from "@/shared/api/schema";
import { useRevokeToken, useTokens } from "@/shared/api/tokens";
import { Time } from "@/shared/format";
import {
  Button,
  Dialog,
  EmptyState,
  ErrorState,
  SkeletonLines,
  StateChip,
  toast,
  toastError,
} from "@/shared/ui";
import { Card, PageHeader } from "@/shared/ui/Page";
import { NewTokenButton } from "./NewToken";
import { SCOPES } from "./words";

const isLive = (token: TokenAnswer) =>
  !token.revokedAt && (!token.expiresAt || new Date(token.expiresAt) > new Date());

/** The tokens with which programs act for people. */
export function TokensPage() {
  const tokens = useTokens();
  const mayWrite = useMayWrite();
  const isOwner = useIsOwner();
  const [showsAll, showAll] = useState(false);
  const [chosen, choose] = useState<TokenAnswer>();
  const all = tokens.data ?? [];
  const live = all.filter(isLive);
  const shown = showsAll ? all : live;
  return (
    <>
      <PageHeader
        title="API tokens"
        about="A program with a token acts for the person who made it, never beyond that person's role."
        actions={mayWrite && <NewTokenButton />}
      />
      <Card
        title={isOwner ? "Of everybody here" : "Yours"}
        actions={
          all.length > live.length && (
            <Button look="quiet" onPress={() => showAll(!showsAll)}>
              {showsAll ? "Only valid ones" : `Show all ${all.length}`}
            </Button>
          )
        }
      >
        {tokens.error && !tokens.data ? (
          <ErrorState error={tokens.error} retry={() => void tokens.refetch()} />
        ) : !tokens.data ? (
          <SkeletonLines lines={4} />
        ) : shown.length === 0 ? (
          <EmptyState icon="settings" title="No token is valid">
            A token lets a script read records, import files or start research over the API.
          </EmptyState>
        ) : (
          <ul className="-my-2 divide-y divide-line">
            {shown.map((token) => (
              <Row key={token.id} token={token} onRevoke={() => choose(token)} />
            ))}
          </ul>
        )}
      </Card>
      {chosen && <Revocation token={chosen} onClose={() => choose(undefined)} />}
    </>
  );
}

function Row({ token, onRevoke }: { token: TokenAnswer; onRevoke: () => void }) {
  const me = useMe().data;
  const mayWrite = useMayWrite();
  const isMine = token.userId === me?.userId;
  return (
    <li
      aria-label={token.name}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3"
    >
      <span className="min-w-0 grow basis-72">
        <span className="flex items-center gap-2">
          <bdi className="truncate font-medium">{token.name}</bdi>
          <code className="shrink-0 font-mono text-small text-muted">{token.prefix}…</code>
        </span>
        <span className="block text-table text-muted wrap-anywhere">
          {SCOPES.filter(({ value }) => token.scopes.includes(value))
            .map(({ value }) => value)
            .join(", ")}{" "}
          · {isMine ? "yours" : token.ownerName || token.ownerEmail} · last used{" "}
          <Time at={token.lastUsedAt} /> ·{" "}
          {token.expiresAt ? (
            <>
              {isLive(token) ? "expires" : "ended"} <Time at={token.expiresAt} />
            </>
          ) : (
            "no expiry"
          )}
        </span>
      </span>
      {isLive(token) ? (
        mayWrite && (
          <Button look="danger" onPress={onRevoke}>
            Revoke
          </Button>
        )
      ) : (
        <StateChip tone="excluded">{token.revokedAt ? "Revoked" : "Expired"}</StateChip>
      )}
    </li>
  );
}

function Revocation({ token, onClose }: { token: TokenAnswer; onClose: () => void }) {
  const revoke = useRevokeToken();
  return (
    <Dialog isOpen onClose={onClose} title={`Revoke ${token.name}?`}>
      <p>Programs that use it are refused at once, and so are tokens that it made.</p>
      <div className="mt-4 flex justify-end gap-2">
        <Button onPress={onClose}>Cancel</Button>
        <Button
          look="danger"
          isPending={revoke.isPending}
          onPress={() =>
            revoke.mutate(token.id, {
              onSuccess: () => toast(`${token.name} is revoked`),
              onError: toastError,
              onSettled: onClose,
            })
          }
        >
          Revoke the token
        </Button>
      </div>
    </Dialog>
  );
}
