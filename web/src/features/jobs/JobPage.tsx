import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useMayWrite } from "@/shared/api";
import {
  type BackgroundJob,
  useBackgroundJob,
  useBackgroundJobAct,
  useJobTitle,
  useJobTypes,
} from "@/shared/api/jobs";
import { useFreshRun } from "@/shared/api/runs";
import { hasEnded, type RunState } from "@/shared/events/run";
import { useRun } from "@/shared/events/useRun";
import { duration, fullTime, number, relativeTime, Time } from "@/shared/format";
import { EventLog } from "@/shared/runs/EventLog";
import { ProgressBar, RunStateChip, useNow } from "@/shared/runs/RunState";
import { Pairs } from "@/shared/schema/Value";
import type { Schema } from "@/shared/schema/schema";
import { Button, ErrorState, Notice, Skeleton, SkeletonLines, toastError } from "@/shared/ui";
import { Card, PageHeader } from "@/shared/ui/Page";

const route = getRouteApi("/shell/jobs/$job");

/** One background job: how far it is, what came of it, and what happened. */
export function JobPage() {
  const { job: id } = route.useParams();
  const job = useBackgroundJob(id);
  const [resumed, followAnew] = useState(0);
  if (job.error && !job.data)
    return <ErrorState error={job.error} retry={() => void job.refetch()} />;
  if (!job.data)
    return (
      <>
        <Skeleton className="mb-6 h-7 w-64" />
        <SkeletonLines lines={8} />
      </>
    );
  return (
    <Live
      // A job that ended and was resumed is followed anew.
      key={`${id}/${resumed}`}
      job={job.data}
      onResumed={() => followAnew((count) => count + 1)}
    />
  );
}

function Live({ job, onResumed }: { job: BackgroundJob; onResumed: () => void }) {
  const live = useRun(job.id, { of: "jobs" });
  useFreshRun(job.id, "jobs", live.lastSeq);
  const title = useJobTitle()(job.type);
  const type = useJobTypes().data?.find((each) => each.type === job.type);
  const act = useBackgroundJobAct(job.id);
  const mayWrite = useMayWrite();
  const status = live.lastSeq ? live.status : (job.status as RunState["status"]);
  const isOver = hasEnded(status);
  const hasPayload = Object.values(job.payload).some((value) => value !== null && value !== "");
  return (
    <div className="max-w-[960px]">
      <PageHeader
        title={title}
        about={
          <span className="flex flex-wrap items-center gap-2">
            <RunStateChip status={status} />
            <code className="font-mono text-table">{job.type}</code>
            {!isOver && live.connection === "lost" && (
              <span className="text-caution">Connection lost, reconnecting…</span>
            )}
          </span>
        }
        actions={
          mayWrite && (
            <>
              {(status === "paused" || status === "error") && (
                <Button
                  icon="refresh"
                  look={status === "error" ? "primary" : "plain"}
                  isPending={act.isPending && act.variables === "resume"}
                  onPress={() =>
                    act.mutate("resume", { onError: toastError, onSuccess: onResumed })
                  }
                >
                  {status === "error" ? "Resume" : "Resume now"}
                </Button>
              )}
              {!isOver && (
                <Button
                  look="danger"
                  icon="stop"
                  isPending={act.isPending && act.variables === "cancel"}
                  onPress={() => act.mutate("cancel", { onError: toastError })}
                >
                  Cancel
                </Button>
              )}
            </>
          )
        }
      />
      <div className="flex flex-col gap-5">
        <State job={job} live={live} status={status} />
        <Progress job={job} live={live} status={status} />
        {job.result && (
          <Card title="Outcome">
            <Pairs value={job.result} root={{}} />
          </Card>
        )}
        {hasPayload && (
          <Card title="Started with">
            <Pairs
              value={job.payload}
              schema={type?.payload as Schema | undefined}
              root={(type?.payload as Schema | undefined) ?? {}}
            />
          </Card>
        )}
        <section>
          <h2 className="mb-2 font-semibold">Events</h2>
          <EventLog log={{ of: "jobs", id: job.id }} lastSeq={live.lastSeq} />
        </section>
      </div>
    </div>
  );
}

interface StateProps {
  job: BackgroundJob;
  live: RunState;
  status: RunState["status"];
}

/** Why it waits or failed, what happens next and when. */
function State({ job, live, status }: StateProps) {
  const error = live.error ?? job.error;
  if (status === "error" && error)
    return (
      <Notice tone="negative">
        <p className="font-medium wrap-anywhere">{error.message}</p>
        <p className="text-text">
          Nothing more happens by itself. Resumed, it goes on from what it has saved.
        </p>
      </Notice>
    );
  if (status === "paused")
    return (
      <Notice tone="caution">
        <p className="wrap-anywhere">{live.notice ?? job.notice ?? "It is paused."}</p>
        {error && <p className="text-table wrap-anywhere">{error.message}</p>}
        {live.resumeAt && (
          <p className="text-text">
            It goes on by itself{" "}
            <time dateTime={live.resumeAt}>
              {relativeTime(live.resumeAt)} ({fullTime(live.resumeAt)})
            </time>
            .
          </p>
        )}
      </Notice>
    );
  if (status === "pending")
    return <Notice>It waits for a worker, and starts as soon as one is free.</Notice>;
  return null;
}

function Progress({ job, live, status }: StateProps) {
  const isOver = hasEnded(status);
  const now = useNow(status === "running");
  const end = isOver && job.completedAt ? Date.parse(job.completedAt) : now;
  const { done, total } = live.counter ?? job.progress;
  const percent = total ? Math.round((100 * done) / total) : null;
  const message = status === "running" ? (live.notice ?? job.progress.message) : null;
  return (
    <div className="rounded-ui border border-line bg-raised p-4">
      {(percent !== null || done > 0) && (
        <div className="mb-4">
          <p className="figures mb-1.5 flex justify-between gap-4">
            <span>
              {number(done)} {total === null ? "done" : `of ${number(total)}`}
              {message && <span className="text-muted"> · {message}</span>}
            </span>
            {percent !== null && <span className="text-muted">{percent} %</span>}
          </p>
          {percent !== null && <ProgressBar percent={percent} label="Progress" />}
        </div>
      )}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
        <Fact name="Queued">
          <Time at={job.createdAt} />
        </Fact>
        <Fact name="By">{job.requestedByName ?? "Somebody who has left"}</Fact>
        <Fact name={isOver ? "Took" : "For"}>
          {job.startedAt ? duration(Math.max(0, end - Date.parse(job.startedAt))) : "–"}
        </Fact>
        <Fact name="Attempts">{number(job.attempt)}</Fact>
      </dl>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-small text-muted">{name}</dt>
      <dd className="figures font-medium">{children}</dd>
    </div>
  );
}
