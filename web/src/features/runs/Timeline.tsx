import { memo, useState } from "react";
import type { LoggedEvent } from "@/shared/api/runs";
import type { RunStep } from "@/shared/events/run";
import { duration, inWords, number } from "@/shared/format";
import { NODE_STATES } from "@/shared/runs/words";
import { Button, classes, Icon } from "@/shared/ui";
import { isCut, place, type Row, rowsOf, type Stretch, stretchesOf } from "./timeline";

/** Rows that are drawn before one asks for the rest. */
const MOST_ROWS = 60;

/** What ran when: a row a node, its turns as bars on one clock, so that parallel ones line up. */
export function Timeline({
  steps,
  began,
  waiting,
  pauses,
  now,
  version,
  selected,
  onSelect,
}: {
  steps: readonly RunStep[];
  /** When steps began that have not ended. */
  began: ReadonlyMap<number, string>;
  /** Nodes that may still come. */
  waiting: readonly string[];
  pauses: readonly LoggedEvent[];
  /** The time until which an open step is drawn. */
  now: number;
  /** The clock is drawn anew when this changes. */
  version: number;
  selected: string | undefined;
  onSelect: (row: { node: string; branch: string | null }) => void;
}) {
  const [isWhole, showWhole] = useState(false);
  const rows = rowsOf(steps, began, now);
  // The clock moves with its version, each second; what happens in between changes rows only.
  const [clock, setClock] = useState<Clock>(() => ({ version, stretches: stretchesOf(rows, now) }));
  if (clock.version !== version || (clock.stretches.length === 0 && rows.length > 0))
    setClock({ version, stretches: stretchesOf(rows, now) });
  const { stretches } = clock;
  const shown = isWhole ? rows : rows.slice(0, MOST_ROWS);
  return (
    <div className="relative">
      <Waits stretches={stretches} pauses={pauses} />
      <ol aria-label="Timeline" className="relative flex flex-col">
        {shown.map((row) => (
          <Line
            key={row.key}
            row={row}
            stretches={stretches}
            now={now}
            isSelected={selected === row.key}
            onSelect={onSelect}
          />
        ))}
        {waiting.map((node) => (
          <li key={`next/${node}`} className={classes(GRID, "min-h-9 px-2 text-muted")}>
            <span className="flex items-center gap-2.5">
              <span className="flex size-4 items-center justify-center">
                <span className="size-1.5 rounded-full border border-line-strong" />
              </span>
              <span className="truncate">{inWords(node)}</span>
              <span className="sr-only">(to come)</span>
            </span>
          </li>
        ))}
      </ol>
      {rows.length > shown.length && (
        <Button look="quiet" className="mt-2" onPress={() => showWhole(true)}>
          Show all {number(rows.length)}
        </Button>
      )}
    </div>
  );
}

interface Clock {
  version: number;
  stretches: readonly Stretch[];
}

const GRID =
  "grid items-center gap-x-4 grid-cols-[minmax(9rem,15rem)_1fr_4.5rem] max-sm:grid-cols-[1fr_4.5rem]";
const BARS: Record<RunStep["status"], string> = {
  running: "bg-accent",
  success: "bg-positive/70",
  error: "bg-negative",
  paused: "bg-caution",
  interrupted: "bg-excluded",
  skipped: "bg-line-strong",
};

const Line = memo(
  function Line({
    row,
    stretches,
    now,
    isSelected,
    onSelect,
  }: {
    row: Row;
    stretches: readonly Stretch[];
    now: number;
    isSelected: boolean;
    onSelect: (row: { node: string; branch: string | null }) => void;
  }) {
    const last = row.turns.at(-1)!.step;
    const { icon, look, word } = NODE_STATES[last.status];
    const worked = row.turns.reduce((sum, { start, end }) => sum + (end ?? now) - start, 0);
    return (
      <li>
        <button
          type="button"
          aria-pressed={isSelected}
          onClick={() => onSelect(row)}
          className={classes(
            GRID,
            "min-h-9 w-full rounded-ui px-2 py-1 text-left touch-44 hover:bg-hover",
            isSelected && "bg-accent-soft",
          )}
        >
          <span className="flex min-w-0 items-center gap-2.5">
            <Icon name={icon} className={look} />
            <span className="min-w-0">
              <span className="block truncate">
                {inWords(row.node)}
                {row.branch && <span className="text-muted"> · {row.branch}</span>}
                <span className="sr-only"> ({word})</span>
              </span>
              {row.turns.length > 1 && (
                <span className="block text-small text-muted">{row.turns.length} turns</span>
              )}
            </span>
          </span>
          <span
            aria-hidden="true"
            className="relative block h-4 rounded-[3px] bg-sunken max-sm:order-3 max-sm:col-span-2 max-sm:mt-0.5"
          >
            {row.turns.map(({ step, start, end }) => {
              const left = place(stretches, start);
              const width = place(stretches, end ?? now) - left;
              return (
                <span
                  key={step.step}
                  className={classes(
                    "absolute inset-y-0.5 min-w-1 rounded-[3px]",
                    BARS[step.status],
                    step.status === "running" && "animate-skeleton",
                  )}
                  style={{ left: `${100 * left}%`, width: `${100 * width}%` }}
                />
              );
            })}
          </span>
          <span className="figures text-right text-table text-muted">{duration(worked)}</span>
          {(last.error || (last.status === "running" && last.message)) && (
            <span
              className={classes(
                "order-4 col-span-full pl-6.5 text-table wrap-anywhere",
                last.error && last.status === "error" ? "text-negative" : "text-muted",
              )}
            >
              {last.error ?? last.message}
            </span>
          )}
        </button>
      </li>
    );
  },
  (before, after) =>
    before.isSelected === after.isSelected &&
    // A finished row changes only where the clock does.
    (before.stretches === after.stretches ||
      (before.stretches.length === after.stretches.length &&
        before.stretches.every((each, index) => sameStretch(each, after.stretches[index]!)))) &&
    before.row.turns.length === after.row.turns.length &&
    before.row.turns.every((turn, index) => {
      const other = after.row.turns[index]!;
      return turn.step === other.step && (turn.end !== null || before.now === after.now);
    }),
);

const sameStretch = (a: Stretch, b: Stretch): boolean =>
  a.from === b.from && a.share === b.share && a.start === b.start && a.end === b.end;

/** Where nothing ran: behind the bars, with how long it took where it is drawn shorter. */
function Waits({
  stretches,
  pauses,
}: {
  stretches: readonly Stretch[];
  pauses: readonly LoggedEvent[];
}) {
  const waits = stretches.filter((stretch) => isCut(stretch, stretches));
  if (!waits.length) return null;
  const isPause = (wait: Stretch) =>
    pauses.some(({ at }) => Date.parse(at) >= wait.start - 1_000 && Date.parse(at) <= wait.end);
  return (
    <div aria-hidden="true" className={classes(GRID, "h-6 px-2 max-sm:hidden")}>
      <span />
      <span className="relative block h-full">
        {waits.map((wait) => (
          <span
            key={wait.start}
            className="absolute top-0 flex flex-col items-center text-small whitespace-nowrap text-muted"
            style={{ left: `${100 * (wait.from + wait.share / 2)}%`, translate: "-50% 0" }}
          >
            {isPause(wait) ? "paused" : "waited"} {duration(wait.end - wait.start)}
          </span>
        ))}
      </span>
    </div>
  );
}
