import { inWords, number } from "@/shared/format";

/** The type of a run in words; nothing where its flow has only one. */
export const runTypeOf = (type: string): string => (type === "default" ? "" : inWords(type));

const SMALLEST = 0.0001;

/** What a run has cost in dollars, with as many digits as say something. */
export function costOf(run: { spent: { calls: number; usd: number }; unpriced: boolean }): string {
  if (!run.spent.calls) return "–";
  if (run.unpriced) return run.spent.usd ? `> ${dollars(run.spent.usd)}` : "unknown";
  return dollars(run.spent.usd);
}

export function dollars(usd: number): string {
  if (usd === 0) return number(0, 2);
  if (usd < SMALLEST) return `< ${number(SMALLEST, 4)}`;
  return number(usd, usd < 0.1 ? 4 : 2);
}
