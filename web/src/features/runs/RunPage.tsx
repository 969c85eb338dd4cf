import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { memo, useMemo } from "react";
import { useKind, useMayWrite } from "@/shared/api";
import { useJobAct } from "@/shared/api/research";
import { type LogOf, type RunDetail, useFreshRun, useRunDetail } from "@/shared/api/runs";
import { type Connection, useRun } from "@/shared/events/useRun";
import { inWords } from "@/shared/format";
import { NodeTitlesProvider, useNodeTitlesOf } from "@/shared/runs/nodeTitles";
import { QuestionForm } from "@/shared/runs/QuestionForm";
import { RunStateChip } from "@/shared/runs/RunState";
import { ConnectionNote, WorkActions, WorkPage, WorkState } from "@/shared/runs/WorkPage";
import type { RunState } from "@/shared/events/run";
import { buttonLook, Notice, Tabs, toastError } from "@/shared/ui";
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
  return (
    <WorkPage query={useRunDetail(id)}>
      {(run, followAnew) => <Live run={run} onResumed={followAnew} />}
    </WorkPage>
  );
}

function Live({ run, onResumed }: { run: RunDetail; onResumed: () => void }) {
  const live = useRun(run.id);
  useFreshRun(run.id, "runs", live.lastSeq);
  const parts = useMemo(() => <Parts run={run} />, [run]);
  const titleOf = useNodeTitlesOf(run.kind, run.type);
  const status = live.lastSeq ? live.status : (run.status as RunState["status"]);
  return (
    <LiveRunProvider value={live}>
      <>
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
          <NodeTitlesProvider value={titleOf}>{parts}</NodeTitlesProvider>
        </div>
      </>
    </LiveRunProvider>
  );
}

/** A call that the end of a process cut off has no line, and counts with all it could have cost. */
const noCalls = ({ spent }: RunDetail) =>
  spent.calls > 0
    ? "None came to an end. What was cut off counts above with the most that it could have cost."
    : "None: everything was done by rules.";

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
            <ModelCalls log={log} empty={noCalls(run)} />
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
            <ConnectionNote connection={connection} status={status} />
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
  return (
    <>
      {mayWrite && (
        <WorkActions
          status={status}
          isAsking={Boolean(live.question)}
          pending={act.isPending ? (act.variables.act as "resume" | "cancel") : undefined}
          onAct={(name) =>
            act.mutate(
              { act: name },
              { onError: toastError, onSuccess: name === "resume" ? onResumed : undefined },
            )
          }
        />
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
  const notice = live.lastSeq ? live.notice : run.notice;
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
  if (status === "error" || status === "paused" || status === "pending")
    return (
      <WorkState
        status={status}
        error={live.error ?? run.error}
        notice={notice}
        resumeAt={live.resumeAt}
        whenResumed={
          run.resumable
            ? "Resume it to go on after its last finished node."
            : "Resumed, it begins anew: its progress is not kept."
        }
      />
    );
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
