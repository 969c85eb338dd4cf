import type { RunStep } from "@/shared/events/run";

/** One turn of a node on the clock; `end` is null while it goes on. */
export interface Turn {
  step: RunStep;
  start: number;
  end: number | null;
}

/** Turns that have ended never change: a step is looked at once, however often rows are made. */
const ended = new WeakMap<RunStep, Turn>();

/** A node, or one branch of it, with all its turns. */
export interface Row {
  key: string;
  node: string;
  branch: string | null;
  turns: Turn[];
}

/** A stretch of the clock as it is drawn: `share` of the width; idle ones are cut short. */
export interface Stretch {
  start: number;
  end: number;
  isIdle: boolean;
  from: number;
  share: number;
}

/** No waiting takes more of the width than this, so that the work stays readable. */
const LONGEST_IDLE = 0.12;
/** Waiting that is shorter than this part of the whole is drawn as it is. */
const SHORT_IDLE = 0.12;
const SHORTEST_MS = 1;

/** The nodes in the order of their first turn. */
export function rowsOf(
  steps: readonly RunStep[],
  began: ReadonlyMap<number, string>,
  now: number,
): Row[] {
  const rows = new Map<string, Row>();
  for (const step of steps) {
    const turn = ended.get(step) ?? turnOf(step, began, now);
    const key = `${step.node}/${step.branch ?? ""}`;
    const row = rows.get(key) ?? { key, node: step.node, branch: step.branch, turns: [] };
    row.turns.push(turn);
    rows.set(key, row);
  }
  return [...rows.values()];
}

function turnOf(step: RunStep, began: ReadonlyMap<number, string>, now: number): Turn {
  const at = step.startedAt ?? began.get(step.step);
  const start = at ? Date.parse(at) : now;
  const turn = { step, start, end: step.durationMs === null ? null : start + step.durationMs };
  if (turn.end !== null) ended.set(step, turn);
  return turn;
}

/** The clock of a run from its first step to its end, with its waits cut short. */
export function stretchesOf(rows: readonly Row[], until: number): Stretch[] {
  const turns = rows.flatMap((row) => row.turns).sort((a, b) => a.start - b.start);
  const busy: { start: number; end: number }[] = [];
  for (const turn of turns) {
    const end = Math.max(turn.end ?? until, turn.start + SHORTEST_MS);
    const last = busy.at(-1);
    if (last && turn.start <= last.end) last.end = Math.max(last.end, end);
    else busy.push({ start: turn.start, end });
  }
  const worked = busy.reduce((sum, { start, end }) => sum + end - start, 0);
  const stretches: Omit<Stretch, "from" | "share">[] = [];
  for (const each of busy) {
    const before = stretches.at(-1);
    if (before) stretches.push({ start: before.end, end: each.start, isIdle: true });
    stretches.push({ ...each, isIdle: false });
  }
  const idle = LONGEST_IDLE * worked;
  const lengthOf = ({ start, end, isIdle }: { start: number; end: number; isIdle: boolean }) =>
    isIdle && end - start > SHORT_IDLE * worked ? idle : end - start;
  const whole = stretches.reduce((sum, each) => sum + lengthOf(each), 0) || 1;
  let from = 0;
  return stretches.map((each) => {
    const share = lengthOf(each) / whole;
    const placed = { ...each, from, share };
    from += share;
    return placed;
  });
}

/** Whether a stretch is drawn shorter than it was. */
export const isCut = (stretch: Stretch, stretches: readonly Stretch[]): boolean => {
  if (!stretch.isIdle) return false;
  const busy = stretches.find((each) => !each.isIdle);
  if (!busy) return false;
  const scale = busy.share / (busy.end - busy.start);
  return stretch.share < 0.9 * scale * (stretch.end - stretch.start);
};

/** Where a moment stands, as a part of the width. */
export function place(stretches: readonly Stretch[], at: number): number {
  const stretch = stretches.findLast((each) => each.start <= at) ?? stretches[0];
  if (!stretch) return 0;
  const length = stretch.end - stretch.start;
  const part = length > 0 ? Math.min(1, Math.max(0, (at - stretch.start) / length)) : 0;
  return stretch.from + part * stretch.share;
}

/** A mark of the ruler: where it stands as a part of the width, and the time since the start. */
export interface Tick {
  at: number;
  label: string;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((each) => each * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((each) => each * MINUTE),
  ...[1, 2, 4, 8, 24].map((each) => each * HOUR),
];
const MOST_STEPS = 6;
/** Labels that are closer than this part of the width would touch. */
const CLOSEST = 0.09;

/** Round times along the clock; none where it is cut, since a mark there would mislead. */
export function ticksOf(stretches: readonly Stretch[]): Tick[] {
  const origin = stretches[0]?.start;
  if (origin === undefined) return [];
  const drawn = stretches.filter((each) => !isCut(each, stretches));
  const length = drawn.reduce((sum, { start, end }) => sum + end - start, 0);
  const step = STEPS.find((each) => length / each <= MOST_STEPS) ?? STEPS.at(-1)!;
  const ticks: Tick[] = [];
  for (const { start, end } of drawn)
    for (let time = Math.ceil((start - origin) / step) * step; origin + time <= end; time += step) {
      const at = place(stretches, origin + time);
      if (at - (ticks.at(-1)?.at ?? -1) < CLOSEST || ticks.length > 4 * MOST_STEPS) continue;
      ticks.push({ at, label: elapsed(time, step) });
    }
  return ticks;
}

/** `0`, `150 ms`, `2 s`, `1:30 min`, `2:05 h`: as exact as the steps between marks. */
function elapsed(time: number, step: number): string {
  if (time === 0) return "0";
  if (time < SECOND) return `${time} ms`;
  if (time < MINUTE) return `${time / SECOND} s`;
  const pairs = (value: number) => String(Math.floor(value)).padStart(2, "0");
  if (time < HOUR)
    return step < MINUTE
      ? `${Math.floor(time / MINUTE)}:${pairs((time % MINUTE) / SECOND)} min`
      : `${time / MINUTE} min`;
  const seconds = step < MINUTE ? `:${pairs((time % MINUTE) / SECOND)}` : "";
  return `${Math.floor(time / HOUR)}:${pairs((time % HOUR) / MINUTE)}${seconds} h`;
}

/** Shorter overlaps are the rounding of clocks. */
const OVERLAP_MS = 2;
const OVERLAP_SHARE = 0.1;

/** The rows that ran at once: for each row the number of its group; rows follow their group. */
export function groupsOf(rows: readonly Row[], now: number): number[] {
  const groups: number[] = [];
  let members: Row[] = [];
  for (const row of rows) {
    const isBeside = members.some((other) => overlap(row, other, now));
    groups.push(isBeside ? groups.at(-1)! : (groups.at(-1) ?? -1) + 1);
    members = isBeside ? [...members, row] : [row];
  }
  return groups;
}

const overlap = (one: Row, other: Row, now: number): boolean =>
  one.turns.some((a) =>
    other.turns.some((b) => {
      const both = Math.min(a.end ?? now, b.end ?? now) - Math.max(a.start, b.start);
      const shorter = Math.min((a.end ?? now) - a.start, (b.end ?? now) - b.start);
      return both > Math.max(OVERLAP_MS, OVERLAP_SHARE * shorter);
    }),
  );
