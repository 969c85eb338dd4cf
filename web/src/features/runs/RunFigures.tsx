import { memo, type ReactNode } from "react";
import type { RunDetail } from "@/shared/api/runs";
import { hasEnded, type RunStatus } from "@/shared/events/run";
import { duration, fullTime, number, Time } from "@/shared/format";
import { ProgressBar, useNow } from "@/shared/runs/RunState";
import { costOf } from "./cells";

/** The run in figures: when, how long, how far, at what cost. */
export const RunFigures = memo(function RunFigures({
  run,
  status,
  progress,
}: {
  run: RunDetail;
  status: RunStatus;
  progress: number | null;
}) {
  const isOver = hasEnded(status);
  const now = useNow(status === "running");
  const end = isOver && run.completedAt ? Date.parse(run.completedAt) : now;
  const took = run.startedAt ? Math.max(0, end - Date.parse(run.startedAt)) : null;
  const { calls, tokens, seconds } = run.spent;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-ui border border-line bg-line sm:grid-cols-3 lg:grid-cols-6">
      <Figure name="Started">
        {run.startedAt ? <Time at={run.startedAt} /> : "not yet"}
        <Below>{run.requestedByName ? `by ${run.requestedByName}` : ""}</Below>
      </Figure>
      <Figure name={isOver ? "Took" : "For"}>
        {took === null ? (
          "–"
        ) : (
          <span title={run.completedAt ? fullTime(run.completedAt) : undefined}>
            {duration(took)}
          </span>
        )}
        <Below>{seconds > 0 ? `${duration(seconds * 1000)} of work` : ""}</Below>
      </Figure>
      <Figure name="Steps">
        {number(run.stepCount)}
        <Below>
          {!isOver && progress !== null ? (
            <span className="flex items-center gap-2">
              <ProgressBar percent={progress} label="Progress" />
              {progress} %
            </span>
          ) : run.attempt > 1 ? (
            `${run.attempt} attempts`
          ) : (
            "one attempt"
          )}
        </Below>
      </Figure>
      <Figure name="Model calls">
        {calls ? number(calls) : "none"}
        <Below>{tokens ? `${number(tokens)} tokens` : ""}</Below>
      </Figure>
      <Figure name="Cost">
        {calls && !run.unpriced ? `$${costOf(run)}` : costOf(run)}
        <Below>{run.unpriced ? "price not known" : ""}</Below>
      </Figure>
      <Figure name="Version">
        {run.flowVersion}
        <Below>{run.lane === "shadow" ? "shadow" : ""}</Below>
      </Figure>
    </dl>
  );
});

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="bg-raised px-4 py-3">
      <dt className="text-small text-muted">{name}</dt>
      <dd className="figures font-medium">{children}</dd>
    </div>
  );
}

const Below = ({ children }: { children: ReactNode }) => (
  <span className="block min-h-4 truncate text-small font-normal text-muted">{children}</span>
);
