import { memo, useState } from "react";
import type { LoggedEvent } from "@/shared/api/runs";
import type { RunStep } from "@/shared/events/run";
import { duration, number } from "@/shared/format";
import { useNodeTitle } from "@/shared/runs/nodeTitles";
import { NODE_STATES } from "@/shared/runs/words";
import { Button, classes, Icon } from "@/shared/ui";
import { GRID, Ruler } from "./Ruler";
import { groupsOf, place, type Row, rowsOf, type Stretch, stretchesOf } from "./timeline";

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
  const titleOf = useNodeTitle();
  const [isWhole, showWhole] = useState(false);
  const rows = rowsOf(steps, began, now);
  // The clock moves with its version, each second; what happens in between changes rows only.
  const [clock, setClock] = useState<Clock>(() => ({ version, stretches: stretchesOf(rows, now) }));
  if (clock.version !== version || (clock.stretches.length === 0 && rows.length > 0))
    setClock({ version, stretches: stretchesOf(rows, now) });
  const { stretches } = clock;
  const groups = groupsOf(rows, now);
  const shown = isWhole ? rows : rows.slice(0, MOST_ROWS);
  return (
    <div className="relative sm:pt-7">
      <Ruler stretches={stretches} pauses={pauses} />
      <ol aria-label="Timeline" className="relative flex flex-col">
        {shown.map((row, index) => (
          <Line
            key={row.key}
            beside={
              (groups[index] === groups[index - 1] ? 1 : 0) +
              (groups[index] === groups[index + 1] ? 2 : 0)
            }
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
              <span className="truncate">{titleOf(node)}</span>
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
    beside,
    stretches,
    now,
    isSelected,
    onSelect,
  }: {
    row: Row;
    /** Whether it ran at the same time as the row above (1), the one below (2), or both (3). */
    beside: number;
    stretches: readonly Stretch[];
    now: number;
    isSelected: boolean;
    onSelect: (row: { node: string; branch: string | null }) => void;
  }) {
    const titleOf = useNodeTitle();
    const last = row.turns.at(-1)!.step;
    const { icon, look, word } = NODE_STATES[last.status];
    const worked = row.turns.reduce((sum, { start, end }) => sum + (end ?? now) - start, 0);
    return (
      <li className="relative">
        {beside > 0 && (
          <span
            aria-hidden="true"
            className={classes(
              "absolute -left-1 w-1.5 border-l border-line-strong",
              beside & 1 ? "top-0" : "top-4 rounded-tl-ui border-t",
              beside & 2 ? "bottom-0" : "bottom-4 rounded-bl-ui border-b",
            )}
          />
        )}
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
                {titleOf(row.node)}
                {row.branch && <span className="text-muted"> · {row.branch}</span>}
                <span className="sr-only">
                  {" "}
                  ({word}){beside & 1 ? ", at the same time as the one above" : ""}
                </span>
              </span>
              {row.turns.length > 1 && (
                <span className="block text-small text-muted">{row.turns.length} turns</span>
              )}
            </span>
          </span>
          <span
            aria-hidden="true"
            className="relative block h-4 rounded-[3px] max-sm:order-3 max-sm:bg-sunken max-sm:col-span-2 max-sm:mt-0.5"
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
    before.beside === after.beside &&
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
