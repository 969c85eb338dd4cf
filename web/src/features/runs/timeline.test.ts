import { expect, test } from "vitest";
import type { RunStep } from "@/shared/events/run";
import { groupsOf, isCut, place, rowsOf, stretchesOf, ticksOf } from "./timeline";

const T = Date.parse("2026-11-23T10:00:00Z");
const step = (
  number: number,
  node: string,
  start: number,
  durationMs: number | null,
  more: Partial<RunStep> = {},
): RunStep => ({
  step: number,
  node,
  branch: null,
  status: durationMs === null ? "running" : "success",
  attempt: 1,
  startedAt: new Date(T + start).toISOString(),
  durationMs,
  error: null,
  message: null,
  ...more,
});
const clock = (steps: RunStep[], until = T + 10_000) => {
  const rows = rowsOf(steps, new Map(), until);
  return { rows, stretches: stretchesOf(rows, until) };
};

test("turns of one node share a row, branches have rows of their own", () => {
  const { rows } = clock([
    step(1, "gather", 0, 100),
    step(2, "read", 100, 100, { branch: "a" }),
    step(3, "read", 100, 100, { branch: "b" }),
    step(4, "gather", 300, 100, { attempt: 2 }),
  ]);
  expect(rows.map(({ key, turns }) => [key, turns.length])).toEqual([
    ["gather/", 2],
    ["read/a", 1],
    ["read/b", 1],
  ]);
});

test("nodes that ran at once stand beside one another on the clock", () => {
  const { rows, stretches } = clock([
    step(1, "one", 0, 1_000),
    step(2, "two", 500, 500),
    step(3, "three", 1_000, 1_000),
  ]);
  expect(stretches).toHaveLength(1);
  const [one, two, three] = rows.map(({ turns }) => place(stretches, turns[0]!.start));
  expect([one, two, three]).toEqual([0, 0.25, 0.5]);
});

test("a pause of an hour leaves room for the work around it, and is known as cut", () => {
  const { stretches } = clock([step(1, "one", 0, 1_000), step(2, "two", 3_600_000, 1_000)]);
  expect(stretches.map(({ isIdle }) => isIdle)).toEqual([false, true, false]);
  expect(stretches[1]!.share).toBeLessThan(0.15);
  expect(stretches.map((each) => isCut(each, stretches))).toEqual([false, true, false]);
  expect(stretches.reduce((sum, each) => sum + each.share, 0)).toBeCloseTo(1);
});

test("a step that goes on grows until now", () => {
  const { rows, stretches } = clock([step(1, "one", 0, 5_000), step(2, "two", 5_000, null)]);
  expect(rows[1]!.turns[0]!.end).toBeNull();
  expect(place(stretches, T + 5_000)).toBeCloseTo(0.5);
});

test("without steps there is no clock, and nothing breaks", () => {
  expect(clock([]).stretches).toEqual([]);
  expect(place([], T)).toBe(0);
});

test("the ruler counts in round steps from the start", () => {
  const { stretches } = clock([step(1, "one", 0, 250), step(2, "two", 250, 50)]);
  expect(ticksOf(stretches).map(({ label }) => label)).toEqual([
    "0",
    "50 ms",
    "100 ms",
    "150 ms",
    "200 ms",
    "250 ms",
    "300 ms",
  ]);
  expect(ticksOf(stretches)[3]!.at).toBeCloseTo(0.5);
  expect(ticksOf([])).toEqual([]);
});

test("the ruler has no mark where a pause is cut, and tells the whole time after it", () => {
  const { stretches } = clock([step(1, "one", 0, 10_000), step(2, "two", 3_600_000, 10_000)]);
  const [, cut] = stretches;
  const ticks = ticksOf(stretches);
  expect(ticks.map(({ label }) => label)).toEqual([
    "0",
    "5 s",
    "10 s",
    "1:00:00 h",
    "1:00:05 h",
    "1:00:10 h",
  ]);
  expect(ticks.filter(({ at }) => at > cut!.from && at < cut!.from + cut!.share)).toEqual([]);
});

test("rows that ran at once are one group, and the rounding of clocks makes none", () => {
  const { rows } = clock([
    step(1, "split", 0, 100),
    step(2, "read", 99, 400, { branch: "a" }),
    step(3, "read", 110, 300, { branch: "b" }),
    step(4, "read", 450, null, { branch: "c" }),
    step(5, "conclude", 10_000, 50),
  ]);
  expect(groupsOf(rows, T + 10_000)).toEqual([0, 1, 1, 1, 2]);
});
