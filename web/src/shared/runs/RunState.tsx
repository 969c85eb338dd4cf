import { useEffect, useState } from "react";
import type { RunStatus } from "@/shared/events/run";
import { StateChip } from "@/shared/ui";
import { RUN_STATES } from "./words";

/** The state of a run or a job; lights up for a moment when it changes. */
export function RunStateChip({ status, note }: { status: RunStatus; note?: string }) {
  const { word, tone } = RUN_STATES[status];
  return (
    <span className="inline-flex max-w-full rounded-full">
      <StateChip tone={status === "success" && note ? "caution" : tone}>
        {word}
        {note && ` · ${note}`}
      </StateChip>
    </span>
  );
}

const SECOND = 1_000;

/** The time now, each second while something goes on; so that a duration grows. */
export function useNow(isOn: boolean): number {
  const [now, tick] = useState(() => Date.now());
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => tick(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, [isOn]);
  return now;
}

/** A thin bar of how far something is. */
export function ProgressBar({ percent, label }: { percent: number; label: string }) {
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="block h-1.5 w-full overflow-hidden rounded-full bg-hover"
    >
      <span
        className="block h-full rounded-full bg-accent transition-[width] duration-300 motion-reduce:transition-none"
        style={{ width: `${Math.min(100, Math.max(0, percent))}%` }}
      />
    </span>
  );
}
