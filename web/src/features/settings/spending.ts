import type { Spending } from "@/shared/api/schema";

export interface Sum {
  name: string;
  usd: number;
  tokens: number;
  calls: number;
  /** Uses without a known price, so that the money is too low. */
  unpriced: number;
  failed: number;
}

export interface DayOfSpending {
  day: string;
  usd: number;
  tokens: number;
  calls: number;
  requests: number;
}

type Line = Spending["models"][number];

/** Sums by model or by purpose, the largest first. */
export function sumsBy(lines: readonly Line[], name: (line: Line) => string): Sum[] {
  const sums = new Map<string, Sum>();
  for (const line of lines) {
    const key = name(line);
    const sum = sums.get(key) ?? { name: key, usd: 0, tokens: 0, calls: 0, unpriced: 0, failed: 0 };
    sum.usd += line.usd;
    sum.tokens += line.tokensIn + line.tokensOut;
    sum.calls += line.calls;
    sum.unpriced += line.unpriced;
    sum.failed += line.failed;
    sums.set(key, sum);
  }
  return [...sums.values()].sort((a, b) => b.usd - a.usd || b.tokens - a.tokens);
}

/** Every day from the first to the last, also those without any spending. */
export function daysOf(spending: Spending): DayOfSpending[] {
  const days = new Map<string, DayOfSpending>();
  for (const at = new Date(spending.firstDay); ; at.setUTCDate(at.getUTCDate() + 1)) {
    const day = at.toISOString().slice(0, 10);
    if (day > spending.lastDay) break;
    days.set(day, { day, usd: 0, tokens: 0, calls: 0, requests: 0 });
  }
  for (const line of spending.models) {
    const day = days.get(line.day);
    if (!day) continue;
    day.usd += line.usd;
    day.tokens += line.tokensIn + line.tokensOut;
    day.calls += line.calls;
  }
  for (const line of spending.sources) {
    const day = days.get(line.day);
    if (day) day.requests += line.requests;
  }
  return [...days.values()];
}

const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** A round figure not below `value`, for the top of an axis. */
export function roundTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return (STEPS.find((each) => each * power >= value) ?? 10) * power;
}
