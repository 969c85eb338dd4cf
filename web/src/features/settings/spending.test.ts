import { expect, test } from "vitest";
import type { Spending } from "@/shared/api/schema";
import { daysOf, roundTop, sumsBy } from "./spending";

const line = (day: string, model: string, usd: number) => ({
  day,
  model,
  usedFor: "chat",
  calls: 1,
  tokensIn: 10,
  tokensOut: 5,
  usd,
  unpriced: 0,
  failed: 0,
});
const SPENDING: Spending = {
  firstDay: "2026-02-27",
  lastDay: "2026-03-02",
  keptDays: 90,
  models: [line("2026-02-28", "a", 1), line("2026-03-02", "b", 2), line("2026-03-02", "a", 0.5)],
  sources: [{ day: "2026-03-01", source: "eBay", requests: 7, failures: 1 }],
  limits: [],
};

test("days without spending are there, over the end of a month", () => {
  expect(daysOf(SPENDING).map((each) => [each.day, each.usd, each.requests])).toEqual([
    ["2026-02-27", 0, 0],
    ["2026-02-28", 1, 0],
    ["2026-03-01", 0, 7],
    ["2026-03-02", 2.5, 0],
  ]);
});

test("sums are the largest first", () => {
  const sums = sumsBy(SPENDING.models, (each) => each.model);
  expect(sums.map((each) => [each.name, each.usd, each.tokens])).toEqual([
    ["b", 2, 15],
    ["a", 1.5, 30],
  ]);
});

test("the top of an axis is round and never too low", () => {
  expect([0, 3, 5, 57, 2.6].map(roundTop)).toEqual([1, 3, 5, 60, 3]);
  expect(roundTop(0.013)).toBeCloseTo(0.015);
});
