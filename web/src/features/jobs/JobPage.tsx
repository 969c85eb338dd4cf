import { getRouteApi } from "@tanstack/react-router";
import { useMayWrite } from "@/shared/api";
import {
  type BackgroundJob,
  useBackgroundJob,
  useBackgroundJobAct,
  useJobTitle,
  useJobTypes,
} from "@/shared/api/jobs";
import { useFreshRun } from "@/shared/api/runs";
import { hasEnded, type RunState, type RunStatus } from "@/shared/events/run";
import { useRun } from "@/shared/events/useRun";
import { duration, number, Time } from "@/shared/format";
import { EventLog } from "@/shared/runs/EventLog";
import { Figure, Figures } from "@/shared/runs/Figures";
import { ProgressBar, RunStateChip, useNow } from "@/shared/runs/RunState";
import { ConnectionNote, WorkActions, WorkPage, WorkState } from "@/shared/runs/WorkPage";
import { Pairs } from "@/shared/schema/Value";
import type { Schema } from "@/shared/schema/schema";
import { toastError } from "@/shared/ui";
import { Card, PageHeader } from "@/shared/ui/Page";

const route = getRouteApi("/shell/jobs/$job");

/** One background job: how far it is, what came of it, and what happened. */
export function JobPage() {
  const { job: id } = route.useParams();
  return (
    <WorkPage query={useBackgroundJob(id)}>
      {(job, followAnew) => <Live job={job} onResumed={followAnew} />}
    </WorkPage>
  );
}

function Live({ job, onResumed }: { job: BackgroundJob; onResumed: () => void }) {
  const live = useRun(job.id, { of: "jobs" });
  useFreshRun(job.id, "jobs", live.lastSeq);
  const title = useJobTitle()(job.type);
  const type = useJobTypes().data?.find((each) => each.type === job.type);
  const act = useBackgroundJobAct(job.id);
  const mayWrite = useMayWrite();
  const status = live.lastSeq ? live.status : (job.status as RunStatus);
  const hasPayload = Object.values(job.payload).some((value) => value !== null && value !== "");
  return (
    <>
      <PageHeader
        title={title}
        about={
          <span className="flex flex-wrap items-center gap-2">
            <RunStateChip status={status} />
            <code className="font-mono text-table">{job.type}</code>
            <ConnectionNote connection={live.connection} status={status} />
          </span>
        }
        actions={
          mayWrite && (
            <WorkActions
              status={status}
              pending={act.isPending ? act.variables : undefined}
              onAct={(name) =>
                act.mutate(name, {
                  onError: toastError,
                  onSuccess: name === "resume" ? onResumed : undefined,
                })
              }
            />
          )
        }
      />
      <div className="flex flex-col gap-5">
        <WorkState
          status={status}
          error={live.error ?? job.error}
          notice={live.notice ?? job.notice}
          resumeAt={live.resumeAt}
          whenResumed="Resumed, it goes on from what it has saved."
        />
        <JobFigures job={job} live={live} status={status} />
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
    </>
  );
}

function JobFigures(props: { job: BackgroundJob; live: RunState; status: RunStatus }) {
  const { job, live, status } = props;
  const isOver = hasEnded(status);
  const now = useNow(status === "running");
  const end = isOver && job.completedAt ? Date.parse(job.completedAt) : now;
  const { done, total } = live.counter ?? job.progress;
  const percent = total ? Math.round((100 * done) / total) : null;
  const message = status === "running" ? (live.notice ?? job.progress.message) : null;
  return (
    <Figures>
      <Figure name="Queued" below={`by ${job.requestedByName ?? "somebody who has left"}`}>
        <Time at={job.createdAt} />
      </Figure>
      <Figure name={isOver ? "Took" : "For"}>
        {job.startedAt ? duration(Math.max(0, end - Date.parse(job.startedAt))) : "–"}
      </Figure>
      {(percent !== null || done > 0) && (
        <Figure
          name="Progress"
          below={
            message ??
            (percent !== null && percent < 100 && (
              <span className="flex items-center gap-2">
                <ProgressBar percent={percent} label="Progress" />
                {percent} %
              </span>
            ))
          }
        >
          {number(done)} {total === null ? "done" : `of ${number(total)}`}
        </Figure>
      )}
      <Figure name="Attempts">{number(job.attempt)}</Figure>
    </Figures>
  );
}
