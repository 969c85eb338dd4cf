import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { memo, useMemo, useState } from "react";
import { useKind, useMayWrite } from "@/shared/api";
import { useJobAct } from "@/shared/api/research";
import { type LogOf, type RunDetail, useFreshRun, useRunDetail } from "@/shared/api/runs";
import { hasEnded } from "@/shared/events/run";
import { type Connection, useRun } from "@/shared/events/useRun";
import { fullTime, inWords, relativeTime } from "@/shared/format";
import { QuestionForm } from "@/shared/runs/QuestionForm";
import { RunStateChip } from "@/shared/runs/RunState";
import type { RunState } from "@/shared/events/run";
import {
  Button,
  buttonLook,
  ErrorState,
  Notice,
  Skeleton,
  SkeletonLines,
  Tabs,
  toastError,
} from "@/shared/ui";
import { PageHeader } from "@/shared/ui/Page";
import { runTypeOf } from "./cells";
import { LiveRunProvider, useLiveRun } from "./live";
import { Comparison } from "./Comparison";
import { ModelCalls, ToolCalls } from "./Calls";
import { EventLog } from "@/shared/runs/EventLog";
import { Part } from "./NodeSheet";
import { RunEvidence } from "./RunEvidence";
import { RunFigures } from "./RunFigures";
import { RunTimeline } from "./RunTimeline";

const route = getRouteApi("/shell/runs/$run");

/** One run: what it did, when, with which calls and at what cost. */
export function RunPage() {
  const { run: id } = route.useParams();
  const run = useRunDetail(id);
  const [resumed, followAnew] = useState(0);
  if (run.error && !run.data)
    return <ErrorState error={run.error} retry={() => void run.refetch()} />;
  if (!run.data)
    return (
      <>
        <Skeleton className="mb-6 h-7 w-64" />
        <SkeletonLines lines={10} />
      </>
    );
  return (
    <Live
      // A run that ended and was resumed is followed anew.
      key={`${id}/${resumed}`}
      run={run.data}
      onResumed={() => followAnew((count) => count + 1)}
    />
  );
}

function Live({ run, onResumed }: { run: RunDetail; onResumed: () => void }) {
  const live = useRun(run.id);
  useFreshRun(run.id, "runs", live.lastSeq);
  const parts = useMemo(() => <Parts run={run} />, [run]);
  const status = live.lastSeq ? live.status : (run.status as RunState["status"]);
  return (
    <LiveRunProvider value={live}>
      <div className="max-w-[1200px]">
        <Head
          run={run}
          live={live}
          status={status}
          connection={live.connection}
          onResumed={onResumed}
        />
        <div className="flex flex-col gap-5">
          <State run={run} live={live} status={status} onResumed={onResumed} />
          <RunFigures run={run} status={status} progress={live.progress ?? run.progress} />
          {parts}
        </div>
      </div>
    </LiveRunProvider>
  );
}

/** The parts of the page; what changes with each event reads it by itself. */
function Parts({ run }: { run: RunDetail }) {
  const { tab } = route.useSearch();
  const navigate = useNavigate();
  const log = { of: "runs" as const, id: run.id };
  const tabs = [
    { id: "timeline", title: "Timeline", content: <RunTimeline run={run} /> },
    { id: "evidence", title: "Evidence", content: <RunEvidence run={run} /> },
    {
      id: "calls",
      title: "Calls",
      content: (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Part title="Model calls">
            <ModelCalls log={log} empty="None: everything was done by rules." />
          </Part>
          <Part title="Tool calls">
            <ToolCalls log={log} empty="None." />
          </Part>
        </div>
      ),
    },
    { id: "log", title: "Log", content: <LiveLog log={log} /> },
    ...(run.canCompare
      ? [{ id: "comparison", title: "Comparison", content: <Comparison run={run} /> }]
      : []),
  ];
  return (
    <Tabs
      label="Parts of the run"
      tabs={tabs}
      selected={tabs.some((each) => each.id === tab) ? tab! : "timeline"}
      onSelect={(next) =>
        void navigate({
          to: ".",
          replace: true,
          search: (old: object) => ({ ...old, tab: next === "timeline" ? undefined : next }),
        })
      }
    />
  );
}

function LiveLog({ log }: { log: LogOf }) {
  return <EventLog log={log} lastSeq={useLiveRun().lastSeq} />;
}

/** The title with the state and the actions; drawn anew where one of them changes. */
const Head = memo(
  function Head({
    run,
    live,
    status,
    connection,
    onResumed,
  }: StateProps & { connection: Connection }) {
    return (
      <PageHeader
        title={run.title ?? `${inWords(run.kind)} ${run.subjectId.slice(0, 8)}`}
        about={
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <RunStateChip status={status} note={run.result?.["partial"] ? "partly" : undefined} />
            <span>
              {inWords(run.type)} of {inWords(run.kind).toLowerCase()}
              {runTypeOf(run.runType) && ` · ${runTypeOf(run.runType)}`}
              {run.lane === "shadow" && " · in the shadow, only for comparison"}
            </span>
            <ConnectionNote connection={connection} isOver={hasEnded(status)} />
          </span>
        }
        actions={<Actions run={run} live={live} status={status} onResumed={onResumed} />}
      />
    );
  },
  (before, after) =>
    before.run === after.run &&
    before.status === after.status &&
    before.connection === after.connection &&
    before.live.question === after.live.question,
);

function ConnectionNote(props: { connection: Connection; isOver: boolean }) {
  if (props.isOver || props.connection === "live" || props.connection === "ended") return null;
  return (
    <span className="text-caution">
      {props.connection === "lost" ? "Connection lost, reconnecting…" : "Connecting…"}
    </span>
  );
}

interface StateProps {
  run: RunDetail;
  live: RunState;
  status: RunState["status"];
  onResumed: () => void;
}

function Actions({ run, live, status, onResumed }: StateProps) {
  const act = useJobAct(run.kind, run.subjectId, run.id);
  const about = useKind(run.kind);
  const mayWrite = useMayWrite() && about !== undefined;
  const isAsking = live.question?.required ?? false;
  return (
    <>
      {mayWrite && (status === "paused" || status === "error") && !isAsking && (
        <Button
          icon="refresh"
          look={status === "error" ? "primary" : "plain"}
          isPending={act.isPending && act.variables.act === "resume"}
          onPress={() =>
            act.mutate({ act: "resume" }, { onError: toastError, onSuccess: onResumed })
          }
        >
          {status === "error" ? "Resume" : "Resume now"}
        </Button>
      )}
      {mayWrite && !hasEnded(status) && (
        <Button
          look="danger"
          icon="stop"
          isPending={act.isPending && act.variables.act === "cancel"}
          onPress={() => act.mutate({ act: "cancel" }, { onError: toastError })}
        >
          Cancel
        </Button>
      )}
      {about && (
        <Link
          to="/records/$kind/$id"
          params={{ kind: run.kind, id: run.subjectId }}
          search={{ tab: "research" }}
          className={buttonLook()}
        >
          Open the {about.kind.title.toLowerCase()}
        </Link>
      )}
    </>
  );
}

/** What a reader has to know now: why it waits or failed, what happens next and when. */
function State({ run, live, status, onResumed }: StateProps) {
  const act = useJobAct(run.kind, run.subjectId, run.id);
  const mayWrite = useMayWrite();
  const error = live.error ?? run.error;
  const notice = live.lastSeq ? live.notice : run.notice;
  if (status === "error" && error)
    return (
      <Notice tone="negative">
        <p className="font-medium wrap-anywhere">{error.message}</p>
        <p className="text-text">
          {run.resumable
            ? "Nothing more happens by itself. Resume it to go on after its last finished node."
            : "Nothing more happens by itself. Resumed, it begins anew: its progress is not kept."}
        </p>
      </Notice>
    );
  if (status === "paused" && live.question)
    return mayWrite ? (
      <QuestionForm
        key={live.question.key}
        question={live.question}
        isPending={act.isPending}
        onAnswer={(answer) =>
          act.mutate({ act: "answer", key: live.question!.key, answer }, { onError: toastError })
        }
        onSkip={() => act.mutate({ act: "resume" }, { onError: toastError, onSuccess: onResumed })}
      />
    ) : (
      <Notice tone="caution">
        It waits for an answer to “{live.question.text}” from somebody who may change records.
      </Notice>
    );
  if (status === "paused")
    return (
      <Notice tone="caution">
        <p className="wrap-anywhere">{notice ?? "It is paused."}</p>
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
  if (run.fallback)
    return (
      <Notice tone="caution">
        Version {run.fallback.candidate} failed, and version {run.fallback.primary} took over:{" "}
        {run.fallback.reason}
      </Notice>
    );
  if (notice) return <Notice>{notice}</Notice>;
  return null;
}
