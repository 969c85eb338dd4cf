import type { CSSProperties } from "react";
import type { OutcomeShown } from "@/shared/api";
import { day as dayInWords } from "@/shared/format";
import { classes } from "@/shared/ui";
import { type CalendarDay, monthNames, type StripState, weeksOf } from "./calendar";

type Calendar = NonNullable<OutcomeShown["calendar"]>;

const LOOKS: Record<StripState, string> = {
  covered: "h-4 bg-accent",
  not_covered: "h-4 border border-line-strong bg-raised",
  unknown: "h-4 border border-dashed border-caution bg-caution-soft",
  off: "h-1 bg-line",
  outside: "h-1",
};
const WORDS: Record<Exclude<StripState, "outside">, string> = {
  covered: "Covered",
  not_covered: "Not covered",
  unknown: "Not known yet",
  off: "No workday",
};
/** Room for the strip in a column of reading width, in pixels. */
const ROOM = 560;

/** Days week by week, a line a law: as a strip to look at, and as a table to read. */
export function CalendarStrip({ calendar }: { calendar: Calendar }) {
  const rows = calendar.rows.map((row) => ({ ...row, weeks: weeksOf(calendar, row.spans) }));
  const first = rows[0]?.weeks ?? [];
  const width = Math.min(14, Math.max(4, Math.floor(ROOM / (first.length * 8))));
  const used = new Set(rows.flatMap((row) => row.weeks.flat().map((day) => day.state)));
  return (
    <div>
      <div
        tabIndex={0}
        role="img"
        aria-label={calendar.rows.map((row) => `${row.title}: ${row.text}`).join(" ")}
        className="overflow-x-auto pb-1"
        style={{ "--day": `${width}px` } as CSSProperties}
      >
        <div className="flex w-max flex-col gap-1.5 [print-color-adjust:exact]">
          <div className="flex">
            <span className="w-24 shrink-0" />
            {monthNames(first).map((name, week) => (
              <span
                key={week}
                className="mr-(--day) w-[calc(7*var(--day))] overflow-visible text-small whitespace-nowrap text-muted"
              >
                {name}
              </span>
            ))}
          </div>
          {rows.map((row) => (
            <div key={row.title} className="flex items-center">
              <span className="sticky left-0 w-24 shrink-0 bg-surface pr-2 text-table font-medium">
                {row.title}
              </span>
              {row.weeks.map((week, index) => (
                <Week key={index} week={week} />
              ))}
            </div>
          ))}
        </div>
      </div>
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-small text-muted">
        {(Object.keys(WORDS) as (keyof typeof WORDS)[])
          .filter((state) => used.has(state))
          .map((state) => (
            <li key={state} className="flex items-center gap-1.5">
              <span className={classes("w-3 rounded-[2px]", LOOKS[state])} />
              {WORDS[state]}
            </li>
          ))}
      </ul>
      <details className="mt-2 text-table print:hidden">
        <summary className="min-h-8 w-fit cursor-pointer text-muted hover:text-text">
          The same as a table
        </summary>
        <Table calendar={calendar} />
      </details>
    </div>
  );
}

function Week({ week }: { week: CalendarDay[] }) {
  return (
    <span className="mr-(--day) flex items-center">
      {week.map(({ on, state }) => (
        <span
          key={on}
          title={state === "outside" ? undefined : `${dayInWords(on)}: ${WORDS[state]}`}
          className="w-(--day) px-px"
        >
          <span className={classes("block rounded-[2px]", LOOKS[state])} />
        </span>
      ))}
    </span>
  );
}

function Table({ calendar }: { calendar: Calendar }) {
  const cell = "border-b border-line py-1.5 pr-4 text-left align-top";
  return (
    <table className="figures mt-1 w-full">
      <thead>
        <tr className="text-muted">
          <th className={classes(cell, "font-medium")}>Law</th>
          <th className={classes(cell, "font-medium")}>From</th>
          <th className={classes(cell, "font-medium")}>To</th>
          <th className={classes(cell, "font-medium")}>What it is</th>
        </tr>
      </thead>
      <tbody>
        {calendar.rows.flatMap((row) =>
          row.spans.map((span) => (
            <tr key={`${row.title}:${span.first}`}>
              <td className={cell}>{row.title}</td>
              <td className={cell}>{dayInWords(span.first)}</td>
              <td className={cell}>{dayInWords(span.last)}</td>
              <td className={cell}>{WORDS[span.state]}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}
