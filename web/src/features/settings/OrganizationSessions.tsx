import { useEndSession, useSessions } from "@/shared/api";
import { useMembers } from "@/shared/api/people";
import { browserInWords, Time } from "@/shared/format";
import { Button, ErrorState, SkeletonLines, StateChip, toast, toastError } from "@/shared/ui";
import { Card } from "@/shared/ui/Page";

/** Where the organization's people are signed in. */
export function OrganizationSessions() {
  const sessions = useSessions();
  const members = useMembers().data;
  const end = useEndSession();
  const nameOf = (userId: string) => {
    const member = members?.find((each) => each.userId === userId);
    return member ? member.name || member.email : "Somebody";
  };
  return (
    <Card title="Signed-in browsers">
      {sessions.error && !sessions.data ? (
        <ErrorState error={sessions.error} retry={() => void sessions.refetch()} />
      ) : !sessions.data ? (
        <SkeletonLines lines={3} />
      ) : (
        <ul className="-my-2 divide-y divide-line">
          {sessions.data.map((session) => (
            <li
              key={session.id}
              aria-label={`Session of ${nameOf(session.userId)}`}
              className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2"
            >
              <span className="min-w-0 grow basis-56">
                <span className="block truncate">
                  <bdi>{nameOf(session.userId)}</bdi>
                </span>
                <span className="block truncate text-table text-muted">
                  {browserInWords(session.label)} · last used <Time at={session.lastUsedAt} />
                </span>
              </span>
              {session.isCurrent ? (
                <StateChip tone="positive">This browser</StateChip>
              ) : (
                <Button
                  onPress={() =>
                    end.mutate(session.id, {
                      onSuccess: () => toast(`${nameOf(session.userId)} was signed out there`),
                      onError: toastError,
                    })
                  }
                >
                  Sign out
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
