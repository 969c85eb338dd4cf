import { type ReactNode, useState } from "react";
import { hasEnded, type RunStatus } from "@/shared/events/run";
import type { Connection } from "@/shared/events/useRun";
import { fullTime, relativeTime } from "@/shared/format";
import { Button, ErrorState, Notice, Skeleton, SkeletonLines } from "@/shared/ui";

/** The page of one run or job: what it shows, or why not yet. */
export function WorkPage<T extends { id: string }>({
  query,
  children,
}: {
  query: { data: T | undefined; error: unknown; refetch: () => unknown };
  children: (work: T, followAnew: () => void) => ReactNode;
}) {
  const [resumed, count] = useState(0);
  if (query.error && !query.data)
    return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  if (!query.data)
    return (
      <>
        <Skeleton className="mb-6 h-7 w-64" />
        <SkeletonLines lines={10} />
      </>
    );
  return (
    // What ended and was resumed is followed anew.
    <div key={`${query.data.id}/${resumed}`} className="max-w-[1200px]">
      {children(query.data, () => count((before) => before + 1))}
    </div>
  );
}

/** Says that the page does not follow its work at the moment. */
export function ConnectionNote(props: { connection: Connection; status: RunStatus }) {
  const { connection, status } = props;
  if (hasEnded(status) || connection === "live" || connection === "ended") return null;
  return (
    <span className="text-caution">
      {connection === "lost" ? "Connection lost, reconnecting…" : "Connecting…"}
    </span>
  );
}

type Act = "resume" | "cancel";

/** Resumes or cancels it, as its state allows. */
export function WorkActions({
  status,
  isAsking = false,
  pending,
  onAct,
}: {
  status: RunStatus;
  /** Whether it cannot go on without an answer. */
  isAsking?: boolean;
  pending: Act | undefined;
  onAct: (act: Act) => void;
}) {
  return (
    <>
      {(status === "paused" || status === "error") && !isAsking && (
        <Button
          icon="refresh"
          look={status === "error" ? "primary" : "plain"}
          isPending={pending === "resume"}
          onPress={() => onAct("resume")}
        >
          {status === "error" ? "Resume" : "Resume now"}
        </Button>
      )}
      {!hasEnded(status) && (
        <Button
          look="danger"
          icon="stop"
          isPending={pending === "cancel"}
          onPress={() => onAct("cancel")}
        >
          Cancel
        </Button>
      )}
    </>
  );
}

const withStop = (words: string): string => (/[.!?…]$/.test(words) ? words : `${words}.`);

/** Why it waits or failed, what happens next and when. */
export function WorkState({
  status,
  error,
  notice,
  resumeAt,
  whenResumed,
}: {
  status: RunStatus;
  error: { message: string } | null;
  notice: string | null;
  resumeAt: string | null;
  /** What resuming does after it failed. */
  whenResumed: string;
}) {
  if (status === "error" && error)
    return (
      <Notice tone="negative">
        <p className="font-medium wrap-anywhere">{error.message}</p>
        <p className="text-text">Nothing more happens by itself. {whenResumed}</p>
      </Notice>
    );
  if (status === "paused")
    return (
      <Notice tone="caution">
        <p className="wrap-anywhere">{withStop(notice ?? "It is paused")}</p>
        {error && <p className="wrap-anywhere">{withStop(error.message)}</p>}
        {resumeAt && (
          <p className="text-text">
            {new Date(resumeAt) > new Date() ? (
              <>
                It goes on{" "}
                <time dateTime={resumeAt}>
                  {relativeTime(resumeAt)} ({fullTime(resumeAt)})
                </time>
                .
              </>
            ) : (
              "It goes on as soon as a worker is free."
            )}
          </p>
        )}
      </Notice>
    );
  if (status === "pending")
    return <Notice>It waits for a worker, and starts as soon as one is free.</Notice>;
  return null;
}
