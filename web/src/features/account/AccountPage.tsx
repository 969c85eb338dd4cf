import { type FormEvent, useState } from "react";
import {
  ApiError,
  useChangePassword,
  useEndSession,
  useMe,
  useServer,
  useSessions,
  useSignOutEverywhere,
} from "@/shared/api";
import { browserInWords, Time } from "@/shared/format";
import {
  Button,
  describeError,
  ErrorState,
  Field,
  Notice,
  SkeletonLines,
  StateChip,
  toast,
  toastError,
} from "@/shared/ui";
import { Card, PageHeader } from "@/shared/ui/Page";

/** The signed-in person: their password, and where they are signed in. */
export function AccountPage() {
  const me = useMe().data;
  const server = useServer();
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      <PageHeader
        title="Your account"
        about={me && `${me.name} · ${me.email} · ${me.role} of ${me.organization}`}
      />
      <Sessions />
      {server.data?.accounts && me && <PasswordForm email={me.email} />}
    </div>
  );
}

function Sessions() {
  const me = useMe().data;
  const sessions = useSessions();
  const end = useEndSession();
  const everywhere = useSignOutEverywhere();
  const mine = sessions.data?.filter((session) => session.userId === me?.userId);
  return (
    <Card
      title="Where you are signed in"
      actions={
        <Button
          look="quiet"
          isPending={everywhere.isPending}
          onPress={() => everywhere.mutate(undefined, { onError: toastError })}
        >
          Sign out everywhere
        </Button>
      }
    >
      {sessions.error ? (
        <ErrorState error={sessions.error} retry={() => void sessions.refetch()} />
      ) : !mine ? (
        <SkeletonLines />
      ) : (
        <ul className="-my-2 divide-y divide-line">
          {mine.map((session) => (
            <li key={session.id} className="flex flex-wrap items-center justify-between gap-2 py-2">
              <span className="min-w-0 basis-64 grow">
                <span className="block truncate">{browserInWords(session.label)}</span>
                <span className="text-table text-muted">
                  Last used <Time at={session.lastUsedAt} />
                </span>
              </span>
              {session.isCurrent ? (
                <StateChip tone="positive">This browser</StateChip>
              ) : (
                <Button onPress={() => end.mutate(session.id, { onError: toastError })}>
                  Sign it out
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function PasswordForm({ email }: { email: string }) {
  const server = useServer();
  const change = useChangePassword();
  const [old, setOld] = useState("");
  const [next, setNext] = useState("");
  function submit(event: FormEvent) {
    event.preventDefault();
    change.mutate(
      { old, new: next },
      {
        onSuccess: () => {
          setOld("");
          setNext("");
          toast("Password changed; your other sessions ended");
        },
      },
    );
  }
  const fields = change.error instanceof ApiError ? change.error.fields : {};
  return (
    <Card title="Change your password">
      <form onSubmit={submit} className="flex max-w-sm flex-col gap-4">
        {change.error && <Notice tone="negative">{describeError(change.error).detail}</Notice>}
        <input hidden autoComplete="username" value={email} readOnly />
        <Field
          label="Present password"
          type="password"
          autoComplete="current-password"
          value={old}
          onChange={setOld}
          error={fields["old"]}
        />
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          help={`At least ${server.data?.minPasswordLength ?? 10} characters.`}
          value={next}
          onChange={setNext}
          error={fields["new"]}
        />
        <Button type="submit" look="primary" className="self-start" isPending={change.isPending}>
          Change it
        </Button>
      </form>
    </Card>
  );
}
