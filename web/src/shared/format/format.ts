import { locale } from "./preferences";

/** Making a formatter takes longer than drawing a row, so each is made once. */
const made = new Map<string, unknown>();
function formatter<T, O>(Of: new (locale: string, options: O) => T, options: O): T {
  const name = `${locale()} ${Of.name} ${JSON.stringify(options)}`;
  let one = made.get(name) as T | undefined;
  if (!one) made.set(name, (one = new Of(locale(), options)));
  return one;
}

/** Seconds by which a server's clock may be ahead of the browser's. */
const CLOCK_SKEW = 5;
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** `3 hours ago`, `in 2 days`; within a minute `just now`, or `in less than a minute`.

    Short, `3 hr. ago`: for tables. */
export function relativeTime(
  at: string | Date,
  now = new Date(),
  style: "long" | "short" = "long",
): string {
  const seconds = (new Date(at).getTime() - now.getTime()) / 1000;
  for (const [unit, size] of UNITS)
    if (Math.abs(seconds) >= size)
      return formatter(Intl.RelativeTimeFormat, { numeric: "auto", style }).format(
        Math.round(seconds / size),
        unit,
      );
  return seconds > CLOCK_SKEW ? "in less than a minute" : "just now";
}

/** The full date and time, for hovering. */
export function fullTime(at: string | Date): string {
  return formatter(Intl.DateTimeFormat, { dateStyle: "full", timeStyle: "medium" }).format(
    new Date(at),
  );
}

/** `23 Nov 2026, 16:12`: where two times of one day are told apart. */
export function dayAndTime(at: string | Date): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(at),
  );
}

/** `16:12`, or `4:12 PM`. */
export function timeOfDay(at: string | Date): string {
  return formatter(Intl.DateTimeFormat, { timeStyle: "short" }).format(new Date(at));
}

/** A calendar day; `2026-11-23` is the same day in every time zone. */
export function day(at: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(at);
  return formatter(Intl.DateTimeFormat, {
    dateStyle: "medium",
    timeZone: isDay ? "UTC" : undefined,
  }).format(new Date(at));
}

export function number(value: number, digits?: number): string {
  return formatter(Intl.NumberFormat, {
    maximumFractionDigits: digits ?? 2,
    minimumFractionDigits: digits,
  }).format(value);
}

/** Money with its currency; without one, a plain figure. */
export function money(value: number, currency?: string | null): string {
  if (!currency || !/^[A-Za-z]{3}$/.test(currency)) return number(value, 2);
  return formatter(Intl.NumberFormat, {
    style: "currency",
    currency: currency.toUpperCase(),
  }).format(value);
}

/** `38 ms`, `0.4 s`, `12 s`, `3 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 95) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${number(seconds, 1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return `${minutes} min ${Math.round(seconds % 60)} s`;
}
