import { type LogOf, type LoggedEvent, useEventLog } from "@/shared/api/runs";
import { inWords, locale, number } from "@/shared/format";
import { Button } from "@/shared/ui";
import { useNodeTitle } from "./nodeTitles";
import { Paged } from "./Paged";

/** What happened, newest first; what came since is shown once it is asked for. */
export function EventLog({ log, lastSeq }: { log: LogOf; lastSeq?: number }) {
  const events = useEventLog(log);
  const titleOf = useNodeTitle();
  const newest = events.data?.pages[0]?.items[0]?.seq ?? 0;
  const arrived = lastSeq === undefined ? 0 : lastSeq - newest;
  return (
    <>
      {arrived > 0 && events.data && (
        <Button
          look="quiet"
          icon="up"
          className="mb-1 text-accent"
          isPending={events.isRefetching}
          onPress={() => void events.refetch()}
        >
          {number(arrived)} new
        </Button>
      )}
      <Paged
        list={events}
        empty="No events are kept; they are removed some time after a run’s end."
      >
        {(event: LoggedEvent) => (
          <li key={event.seq} className="flex gap-3 px-3 py-1.5 text-table">
            <time dateTime={event.at} className="figures w-24 shrink-0 text-muted">
              {clockTime(event.at)}
            </time>
            <span className="min-w-0 wrap-anywhere">{sentence(event, titleOf)}</span>
          </li>
        )}
      </Paged>
    </>
  );
}

const clockTime = (at: string): string =>
  new Intl.DateTimeFormat(locale(), {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 1,
  }).format(new Date(at));

/** An event in words. */
function sentence({ type, payload }: LoggedEvent, titleOf: (node: string) => string): string {
  const text = (name: string) => {
    const value = payload[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  const node = titleOf(text("node")) + (text("branch") && ` · ${text("branch")}`);
  const error = payload["error"];
  switch (type) {
    case "job_queued":
      return `Queued, priority ${text("priority")}`;
    case "job_started":
      return payload["resumed"]
        ? `A worker goes on with it (attempt ${text("attempt")})`
        : "A worker starts it";
    case "node_started":
      return `${node} starts`;
    case "progress":
      return `${node}: ${text("message")}`;
    case "job_progress":
      return [
        payload["total"] === null ? `${text("done")} done` : `${text("done")} of ${text("total")}`,
        text("message"),
      ]
        .filter(Boolean)
        .join(" · ");
    case "node_complete":
      return `${node}: ${text("status")}${typeof error === "string" ? `. ${error}` : ""}`;
    case "job_paused":
    case "job_notice":
      return text("notice");
    case "job_complete": {
      const why = (error as { message?: string } | null)?.message;
      return `Ended: ${text("status")}${why ? `. ${why}` : ""}`;
    }
    default:
      return inWords(type);
  }
}
