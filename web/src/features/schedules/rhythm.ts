import type { Schedule, ScheduleTiming } from "@/shared/api/schedules";

/** When a schedule runs, as people choose it; `cron` for whatever the others cannot say. */
export type RhythmName = "daily" | "weekdays" | "weekly" | "monthly" | "interval" | "cron";

export interface Rhythm {
  name: RhythmName;
  /** `06:00`, for all but intervals and cron. */
  time: string;
  weekday: string;
  day: string;
  amount: string;
  unit: "minutes" | "hours" | "days";
  cron: string;
  timeZone: string;
}

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const SECONDS = { minutes: 60, hours: 3_600, days: 86_400 } as const;

export const newRhythm = (timeZone: string): Rhythm => ({
  name: "daily",
  time: "06:00",
  weekday: "mon",
  day: "1",
  amount: "6",
  unit: "hours",
  cron: "0 6 * * *",
  timeZone,
});

/** The times as the server takes them; undefined while something is missing. */
export function timingOf(rhythm: Rhythm): ScheduleTiming | undefined {
  const { name, timeZone } = rhythm;
  if (name === "cron")
    return rhythm.cron.trim() ? { cron: rhythm.cron.trim(), timeZone } : undefined;
  if (name === "interval") {
    const amount = Number(rhythm.amount);
    const isWhole = Number.isInteger(amount) && amount > 0;
    return isWhole ? { everySeconds: amount * SECONDS[rhythm.unit] } : undefined;
  }
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(rhythm.time) ?? [];
  if (hour === undefined || minute === undefined) return undefined;
  const at = `${Number(minute)} ${Number(hour)}`;
  switch (name) {
    case "daily":
      return { cron: `${at} * * *`, timeZone };
    case "weekdays":
      return { cron: `${at} * * mon-fri`, timeZone };
    case "weekly":
      return { cron: `${at} * * ${rhythm.weekday}`, timeZone };
    case "monthly":
      return { cron: `${at} ${rhythm.day} * *`, timeZone };
  }
}

/** The choice that says the same as a schedule's times. */
export function rhythmOf(schedule: Schedule, zone: string): Rhythm {
  const rhythm = newRhythm(schedule.cron === null ? zone : schedule.timeZone);
  const { cron, everySeconds } = schedule;
  if (everySeconds !== null) {
    const unit = (["days", "hours", "minutes"] as const).find(
      (each) => everySeconds % SECONDS[each] === 0,
    );
    if (unit)
      return { ...rhythm, name: "interval", unit, amount: String(everySeconds / SECONDS[unit]) };
    return { ...rhythm, name: "interval", unit: "minutes", amount: String(everySeconds / 60) };
  }
  const plain = { ...rhythm, name: "cron" as const, cron: cron ?? "" };
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = (cron ?? "").split(/\s+/);
  if (!/^\d{1,2}$/.test(minute) || !/^\d{1,2}$/.test(hour) || month !== "*") return plain;
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (day === "*" && weekday === "*") return { ...plain, name: "daily", time };
  if (day === "*" && /^(mon-fri|1-5)$/i.test(weekday)) return { ...plain, name: "weekdays", time };
  if (day === "*" && (WEEKDAYS as readonly string[]).includes(weekday.toLowerCase()))
    return { ...plain, name: "weekly", time, weekday: weekday.toLowerCase() };
  if (/^\d{1,2}$/.test(day) && weekday === "*") return { ...plain, name: "monthly", time, day };
  return plain;
}
