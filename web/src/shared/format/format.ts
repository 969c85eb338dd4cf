import { locale } from "./preferences";

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** `3 hours ago`, `in 2 days`; within a minute `just now`. */
export function relativeTime(at: string | Date, now = new Date()): string {
  const seconds = (new Date(at).getTime() - now.getTime()) / 1000;
  for (const [unit, size] of UNITS)
    if (Math.abs(seconds) >= size)
      return new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(
        Math.round(seconds / size),
        unit,
      );
  return "just now";
}

/** The full date and time, for hovering. */
export function fullTime(at: string | Date): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "full", timeStyle: "medium" }).format(
    new Date(at),
  );
}

/** A calendar day; `2026-11-23` is the same day in every time zone. */
export function day(at: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(at);
  return new Intl.DateTimeFormat(locale(), {
    dateStyle: "medium",
    timeZone: isDay ? "UTC" : undefined,
  }).format(new Date(at));
}

export function number(value: number, digits?: number): string {
  return new Intl.NumberFormat(locale(), {
    maximumFractionDigits: digits ?? 2,
    minimumFractionDigits: digits,
  }).format(value);
}

/** Money with its currency; without one, a plain figure. */
export function money(value: number, currency?: string | null): string {
  if (!currency || !/^[A-Za-z]{3}$/.test(currency)) return number(value, 2);
  return new Intl.NumberFormat(locale(), {
    style: "currency",
    currency: currency.toUpperCase(),
  }).format(value);
}

/** `0.4 s`, `12 s`, `3 min 5 s`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${number(seconds, 1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return `${minutes} min ${Math.round(seconds % 60)} s`;
}
