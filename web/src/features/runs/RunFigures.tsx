import { memo } from "react";
import type { RunDetail } from "@/shared/api/runs";
import { hasEnded, type RunStatus } from "@/shared/events/run";
import { duration, fullTime, number, Time } from "@/shared/format";
import { Figure, Figures } from "@/shared/runs/Figures";
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
  const steps =
    !isOver && progress !== null ? (
      <span className="flex items-center gap-2">
        <ProgressBar percent={progress} label="Progress" />
        {progress} %
      </span>
    ) : run.attempt > 1 ? (
      `${run.attempt} attempts`
    ) : (
      "one attempt"
    );
  return (
    <Figures>
      <Figure name="Started" below={run.requestedByName && `by ${run.requestedByName}`}>
        {run.startedAt ? <Time at={run.startedAt} /> : "not yet"}
      </Figure>
      <Figure
        name={isOver ? "Took" : "For"}
        below={seconds > 0 && `${duration(seconds * 1000)} of work`}
      >
        {took === null ? (
          "–"
        ) : (
          <span title={run.completedAt ? fullTime(run.completedAt) : undefined}>
            {duration(took)}
          </span>
        )}
      </Figure>
      <Figure name="Steps" below={steps}>
        {number(run.stepCount)}
      </Figure>
      <Figure name="Model calls" below={tokens > 0 && `${number(tokens)} tokens`}>
        {calls ? number(calls) : "none"}
      </Figure>
      <Figure name="Cost" below={run.unpriced && "price not known"}>
        {calls && !run.unpriced ? `$${costOf(run)}` : costOf(run)}
      </Figure>
      <Figure name="Version" below={run.lane === "shadow" && "shadow"}>
        {run.flowVersion}
      </Figure>
    </Figures>
  );
});
