import { expect, test } from "vitest";
import type { Message } from "@/shared/events/chatEvents";
import { entriesOf } from "./branches";

const message = (id: string, role: string, supersededBy: string | null = null) =>
  ({ id, role, supersededBy }) as Message;

test("an edited message folds its old branch, also one that was edited twice", () => {
  const entries = entriesOf([
    message("1", "user"),
    message("2", "assistant"),
    message("3", "user", "5"),
    message("4", "assistant", "5"),
    message("5", "user", "7"),
    message("6", "assistant", "7"),
    message("7", "user"),
    message("8", "assistant"),
  ]);
  const shown = entries.map((each) =>
    "branch" in each ? each.branch.map((one) => one.id).join("") : each.id,
  );
  expect(shown).toEqual(["1", "2", "34", "56", "7", "8"]);
});
