import { expect, test } from "vitest";
import type { RunStep } from "@/shared/events/run";
import { isCut, place, rowsOf, stretchesOf } from "./timeline";

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
