import type { OutcomeShown } from "@/shared/api";
import { locale } from "@/shared/format";

type Calendar = NonNullable<OutcomeShown["calendar"]>;
type Spans = Calendar["rows"][number]["spans"];

export type StripState = Spans[number]["state"] | "off" | "outside";
export interface CalendarDay {
  /** The day, as `2026-03-02`. */
  on: string;
  state: StripState;
}

const DAY_MS = 86_400_000;
const WEEK = 7;
const at = (on: string) => Date.parse(`${on}T00:00:00Z`);
const named = (time: number) => new Date(time).toISOString().slice(0, 10);
/** Monday is 0. */
const weekdayOf = (time: number) => (new Date(time).getUTCDay() + 6) % WEEK;

/** Whole weeks from Monday to Sunday, each day with what it is under a law. */
export function weeksOf(calendar: Calendar, spans: Spans): CalendarDay[][] {
  const first = at(calendar.first);
  const last = at(calendar.last);
  const weeks: CalendarDay[][] = [];
  for (let monday = first - weekdayOf(first) * DAY_MS; monday <= last; monday += WEEK * DAY_MS)
    weeks.push(
      Array.from({ length: WEEK }, (_, weekday) => {
        const on = named(monday + weekday * DAY_MS);
        return { on, state: stateOf(calendar, spans, on, weekday) };
      }),
    );
  return weeks;
}

function stateOf(calendar: Calendar, spans: Spans, on: string, weekday: number): StripState {
  if (on < calendar.first || on > calendar.last) return "outside";
  if (!calendar.weekdays.includes(weekday) || calendar.daysOff.includes(on)) return "off";
  return spans.find((span) => span.first <= on && on <= span.last)?.state ?? "outside";
}

/** Above the first week, and above each week in which a month begins, the month's name. */
export function monthNames(weeks: CalendarDay[][]): string[] {
  const name = new Intl.DateTimeFormat(locale(), { month: "short", timeZone: "UTC" });
  let shown = "";
  return weeks.map((week, index) => {
    const on = index === 0 ? week.find((day) => day.state !== "outside") : week.at(-1);
    const month = on?.on.slice(0, WEEK) ?? "";
    if (month === shown) return "";
    shown = month;
    return name.format(at(on!.on));
  });
}
