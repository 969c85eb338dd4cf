import { expect, test } from "vitest";
import type { Schedule } from "@/shared/api/schedules";
import { newRhythm, rhythmOf, timingOf } from "./rhythm";

const ZONE = "Europe/Berlin";
const schedule = (timing: { cron?: string; everySeconds?: number }) =>
  ({
    cron: timing.cron ?? null,
    everySeconds: timing.everySeconds ?? null,
    timeZone: timing.cron ? ZONE : "UTC",
  }) as Schedule;

test.each([
  "30 6 * * *",
  "0 22 * * mon-fri",
  "5 7 * * sun",
  "0 0 15 * *",
  "*/10 8-18 * * 1,3",
  "0 6 1 1 *",
])("the times %s are the same after they were opened for editing", (cron) => {
  expect(timingOf(rhythmOf(schedule({ cron }), "UTC"))).toEqual({ cron, timeZone: ZONE });
});

test.each([60, 5_400, 21_600, 86_400, 1_209_600])(
  "an interval of %i seconds is the same after it was opened for editing",
  (everySeconds) => {
    expect(timingOf(rhythmOf(schedule({ everySeconds }), ZONE))).toEqual({ everySeconds });
  },
);

test("what is not filled in yet has no times", () => {
  const rhythm = newRhythm(ZONE);
  expect(timingOf({ ...rhythm, time: "" })).toBeUndefined();
  expect(timingOf({ ...rhythm, name: "interval", amount: "1.5" })).toBeUndefined();
  expect(timingOf({ ...rhythm, name: "cron", cron: " " })).toBeUndefined();
});
