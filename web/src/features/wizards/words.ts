import type { RuleRow, StepPayload, SummaryLine } from "@/shared/api";
import { day } from "@/shared/format";
import type { Tone } from "@/shared/ui";

/** `Step 3 of about 12`. */
export function progressInWords({ progress }: StepPayload): string {
  const about = progress.mayChange ? "about " : "";
  return progress.of ? `Step ${progress.step} of ${about}${progress.of}` : "";
}

/** An answer as people read it: days in the reader's own form, the first letter large. */
export function inPlainWords({ value, shown }: SummaryLine): string {
  if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value)) return day(value);
  return shown.charAt(0).toUpperCase() + shown.slice(1);
}

export const RESULTS: Record<RuleRow["result"], { words: string; tone: Tone }> = {
  met: { words: "Met", tone: "positive" },
  not_met: { words: "Not met", tone: "negative" },
  unknown: { words: "Not known", tone: "caution" },
};

/** Rules by the law that they belong to, in the order in which they come. */
export function byLaw(rows: readonly RuleRow[]): [string, RuleRow[]][] {
  const laws = new Map<string, RuleRow[]>();
  for (const row of rows) laws.set(row.law, [...(laws.get(row.law) ?? []), row]);
  return [...laws];
}
