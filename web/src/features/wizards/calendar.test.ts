import { expect, test } from "vitest";
import { monthNames, weeksOf } from "./calendar";

const calendar = {
  first: "2026-03-25",
  last: "2026-04-08",
  weekdays: [0, 1, 2, 3, 4],
  daysOff: ["2026-03-31"],
  rows: [],
  marks: [],
};

test("days are drawn in whole weeks, and only workdays count", () => {
  const weeks = weeksOf(calendar, [
    { first: "2026-03-25", last: "2026-04-03", state: "covered" },
    { first: "2026-04-04", last: "2026-04-08", state: "not_covered" },
  ]);
  expect(weeks.map((week) => week[0]!.on)).toEqual(["2026-03-23", "2026-03-30", "2026-04-06"]);
  expect(weeks.map((week) => week.map((day) => day.state[0]).join(""))).toEqual([
    "oocccoo",
    "cocccoo",
    "nnnoooo",
  ]);
  expect(weeks[1]![1]!.state).toBe("off");
  expect(monthNames(weeks)).toEqual(["Mar", "Apr", ""]);
});
