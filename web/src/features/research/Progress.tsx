import { type Kind, useMayWrite } from "@/shared/api";
import { useJobAct } from "@/shared/api/research";
import { hasEnded, type RunStep } from "@/shared/events/run";
import { useRun } from "@/shared/events/useRun";
import { duration } from "@/shared/format";
import { nodeTitle } from "@/shared/runs/nodeTitles";
import { QuestionForm } from "@/shared/runs/QuestionForm";
import { WorkState } from "@/shared/runs/WorkPage";
import { NODE_STATES } from "@/shared/runs/words";
import { Button, classes, Icon, Notice, toastError } from "@/shared/ui";
import { Card } from "@/shared/ui/Page";

interface Props {
  kind: Kind;
  id: string;
  jobId: string;
  /** Its kind of research. */
  flow: string;
  /** One line and what it found, where a dossier is shown below; its steps on demand. */
  isCompact?: boolean;
  onEnd: () => void;
}

/** A run as it goes: per node, with what it needs from a person. */
export function Progress({ kind, id, jobId, flow, isCompact, onEnd }: Props) {
  const run = useRun(jobId, { onEnd });
  const act = useJobAct(kind.kind, id, jobId);
  const mayWrite = useMayWrite();
  const isOver = hasEnded(run.status);
  const latest = new Map(run.steps.map((step) => [`${step.node}/${step.branch ?? ""}`, step]));
  const known = new Set(run.steps.map((step) => step.node));
  const nodes = kind.flows.find((each) => each.id === flow)?.nodes ?? [];
  const waiting = isOver ? [] : nodes.filter(({ name }) => !known.has(name));

  const steps = (
    <ol className="flex flex-col">
      {[...latest.values()].map((step) => (
        <Step
          key={`${step.node}/${step.branch ?? ""}`}
          step={step}
          title={nodeTitle(kind, flow, step.node)}
        />
      ))}
      {waiting.map((node) => (
        <li key={node.name} className="flex min-h-7 items-center gap-2.5 text-muted">
          <span className="flex size-4 items-center justify-center">
            <span className="size-1.5 rounded-full border border-line-strong" />
          </span>
          {node.title}
        </li>
      ))}
    </ol>
  );
  const messages = [...latest.values()].flatMap((step) => step.message ?? []);

  return (
    <Card
      className="max-w-[820px]"
      title={
        <span className="flex flex-wrap items-center gap-x-2">
          <span role="status">{WORDS[run.status]}</span>
          {run.progress !== null && !isOver && (
            <span className="figures font-normal text-muted">{run.progress} %</span>
          )}
          {run.connection === "lost" && !isOver && (
            <span className="font-normal text-caution">reconnecting…</span>
          )}
        </span>
      }
      actions={
        mayWrite && (
          <span className="flex gap-2">
            {(run.status === "paused" || run.status === "error") && !run.question && (
              <Button
                icon="refresh"
                onPress={() => act.mutate({ act: "resume" }, { onError: toastError })}
              >
                Resume now
              </Button>
            )}
            {!isOver && (
              <Button
                look="danger"
                icon="stop"
                isPending={act.isPending && act.variables.act === "cancel"}
                onPress={() => act.mutate({ act: "cancel" }, { onError: toastError })}
              >
                Cancel
              </Button>
            )}
          </span>
        )
      }
    >
      <div className="flex flex-col gap-3">
        {run.status === "cancelled" && (
          <Notice>It was cancelled and concludes nothing. Start it again when you need it.</Notice>
        )}
        {run.status === "running" && run.notice && <Notice>{run.notice}</Notice>}
        {!run.question && (
          <WorkState
            status={run.status}
            error={run.error}
            notice={run.notice}
            resumeAt={run.resumeAt}
            whenResumed="What was found is kept: resume it to go on from its last finished step."
          />
        )}
        {run.question && !mayWrite && (
          <Notice tone="caution">
            It waits for an answer from somebody who may write: {run.question.text}
          </Notice>
        )}
        {run.question && mayWrite && (
          <QuestionForm
            key={run.question.key}
            question={run.question}
            isPending={act.isPending}
            onAnswer={(answer) =>
              act.mutate({ act: "answer", key: run.question!.key, answer }, { onError: toastError })
            }
            onSkip={() => act.mutate({ act: "resume" }, { onError: toastError })}
          />
        )}
        {isCompact ? (
          <>
            {messages.length > 0 && <p className="text-muted">{messages.join(" · ")}</p>}
            <details>
              <summary className="cursor-default text-table text-accent">Steps</summary>
              <div className="mt-2">{steps}</div>
            </details>
          </>
        ) : (
          steps
        )}
      </div>
    </Card>
  );
}

const WORDS = {
  pending: "Waiting for a worker",
  running: "Researching",
  paused: "Paused",
  success: "Done",
  error: "The research failed",
  cancelled: "Cancelled",
} as const;

function Step({ step, title }: { step: RunStep; title: string }) {
  const { icon, look, word } = NODE_STATES[step.status];
  return (
    <li className="flex min-h-7 items-start gap-2.5 py-1">
      <Icon name={icon} className={classes("mt-0.5", look)} />
      <span className="min-w-0 grow">
        {title}
        {step.branch && <span className="text-muted"> · {step.branch}</span>}
        <span className="sr-only"> ({word})</span>
        {step.message && <span className="block text-table text-muted">{step.message}</span>}
        {step.error && (
          <span
            className={classes(
              "block text-table",
              step.status === "paused" ? "text-muted" : "text-negative",
            )}
          >
            {step.error}
          </span>
        )}
      </span>
      {step.durationMs !== null && (
        <span className="figures text-table whitespace-nowrap text-muted">
          {duration(step.durationMs)}
        </span>
      )}
    </li>
  );
}
