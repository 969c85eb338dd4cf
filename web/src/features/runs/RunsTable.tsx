import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { ListedRun } from "@/shared/api/runs";
import { hasEnded } from "@/shared/events/run";
import { duration, fullTime, inWords, number, relativeTime, Time } from "@/shared/format";
import { ProgressBar, RunStateChip, useNow } from "@/shared/runs/RunState";
import { CELL, costOf, HEAD, runTypeOf } from "./cells";

/** Runs as a table; on narrow screens, what matters of each in two lines. */
export function RunsTable({ runs }: { runs: readonly ListedRun[] }) {
  const now = useNow(runs.some((run) => run.status === "running"));
  return (
    <div className="overflow-x-auto rounded-ui border border-line bg-raised">
      <table className="w-full border-collapse text-table">
        <thead className="bg-sunken text-left text-muted">
          <tr className="h-9 border-b border-line">
            <th className={HEAD}>Record</th>
            <th className={HEAD}>State</th>
            <th className={`${HEAD} max-md:hidden`}>Started</th>
            <th className={`${HEAD} max-lg:hidden`}>By</th>
            <th className={`${HEAD} text-right max-sm:hidden`}>Took</th>
            <th className={`${HEAD} text-right max-lg:hidden`}>Model calls</th>
            <th className={`${HEAD} text-right max-sm:hidden`}>Cost, $</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <Row key={run.id} run={run} now={run.status === "running" ? now : 0} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Row = memo(function Row({ run, now }: { run: ListedRun; now: number }) {
  const isOver = hasEnded(run.status);
  return (
    <tr className="h-[52px] border-b border-line last:border-0 hover:bg-hover">
      <td className={`${CELL} max-w-0 min-w-40`}>
        <Link
          to="/runs/$run"
          params={{ run: run.id }}
          className="block truncate font-medium hover:underline"
        >
          {run.title ?? `${inWords(run.kind)} ${run.subjectId.slice(0, 8)}`}
        </Link>
        <span className="block truncate text-small text-muted">
          {inWords(run.kind)} · {inWords(run.flow)}
          {runTypeOf(run.runType) && ` · ${runTypeOf(run.runType)}`}
          {run.lane === "shadow" && " · shadow"}
          <span className="md:hidden"> · {relativeTime(run.createdAt)}</span>
        </span>
      </td>
      <td className={`${CELL} w-52`}>
        <span className="flex flex-col items-start gap-1">
          <RunStateChip
            key={run.status}
            status={run.status}
            note={run.partial ? "partly" : run.asks ? "asks" : undefined}
          />
          {!isOver && run.status === "running" && (
            <span className="flex w-40 items-center gap-2 text-small text-muted">
              {run.progress !== null ? (
                <>
                  <ProgressBar percent={run.progress} label="Progress" />
                  <span className="figures">{run.progress} %</span>
                </>
              ) : (
                <span className="truncate">{run.currentNode ? inWords(run.currentNode) : ""}</span>
              )}
            </span>
          )}
          {run.status === "paused" && run.resumeAt && (
            <span className="text-small text-muted" title={fullTime(run.resumeAt)}>
              goes on {relativeTime(run.resumeAt)}
            </span>
          )}
          {run.status === "error" && run.error && (
            <span className="max-w-48 truncate text-small text-muted" title={run.error.message}>
              {run.error.message}
            </span>
          )}
        </span>
      </td>
      <td className={`${CELL} w-32 text-muted max-md:hidden`}>
        <Time at={run.createdAt} />
      </td>
      <td className={`${CELL} w-36 max-w-36 truncate text-muted max-lg:hidden`}>
        {run.requestedByName ?? "Somebody who has left"}
      </td>
      <td className={`${CELL} figures w-24 text-right max-sm:hidden`}>{tookOf(run, now)}</td>
      <td className={`${CELL} figures w-28 text-right max-lg:hidden`}>
        {run.spent.calls ? number(run.spent.calls) : <span className="text-muted">–</span>}
      </td>
      <td className={`${CELL} figures w-24 text-right max-sm:hidden`}>{costOf(run)}</td>
    </tr>
  );
});

function tookOf(run: ListedRun, now: number): string {
  if (!run.startedAt) return "–";
  const end = run.completedAt ? Date.parse(run.completedAt) : now || Date.now();
  return duration(Math.max(0, end - Date.parse(run.startedAt)));
}
