import { expect, test } from "vitest";
import type { StepPayload } from "@/shared/api";
import { blocksOf } from "./outcome";

const outcome = (why: string, values: Record<string, unknown>) =>
  ({ step: { title: "Eligible", why }, values }) as unknown as StepPayload;

test("an outcome's values are sorted by their shapes, and no sentence comes twice", () => {
  const blocks = blocksOf(
    outcome(
      "The law gives twelve weeks of leave.\nNotice is due by April 18, 2026 (29 CFR 825.302)\nAsk a lawyer.",
      {
        headline: "Eligible",
        weeks: 12,
        nothing: null,
        laws: [
          { wording: "The law gives twelve weeks of leave.", section: "s. 1", url: "javascript:x" },
        ],
        dates: [
          { text: "When the employer is told.", on: null },
          { text: "The leave begins on this day.", on: "2026-05-18" },
          { text: "Notice is due by April 18, 2026", on: "2026-04-17", later: "2026-04-18" },
        ],
        notChecked: ["Collective agreements"],
        letters: [{ title: "Notice", text: "Dear Ana,\nyou are eligible." }],
      },
    ),
  );
  expect(blocks.lead).toEqual(["Ask a lawyer."]);
  expect(blocks.figures).toEqual([{ label: "Weeks", value: "12" }]);
  expect(blocks.dates.map((date) => date.on)).toEqual(["2026-04-18", "2026-05-18", null]);
  expect(blocks.lists).toEqual([{ heading: "Not checked", items: ["Collective agreements"] }]);
  expect(blocks.drafts.map((draft) => draft.title)).toEqual(["Notice"]);
  expect(blocks.statements[0]!.items[0]).toMatchObject({ section: "s. 1", url: undefined });
});
