import { day as dayInWords } from "@/shared/format";
import { MarkButton } from "@/shared/ui";
import { type DayOfSpending, roundTop } from "./spending";

/** One bar a day; its twin is the table below it. */
export function DayChart({
  title,
  days,
  value,
  show,
}: {
  title: string;
  days: readonly DayOfSpending[];
  value: (day: DayOfSpending) => number;
  show: (value: number) => string;
}) {
  const top = roundTop(Math.max(...days.map(value)));
  return (
    <figure aria-label={title}>
      <figcaption className="mb-2 text-table text-muted">{title}</figcaption>
      <div className="grid grid-cols-[minmax(0,1fr)_3.75rem] gap-x-2">
        <div className="relative flex h-32 items-end gap-px border-b border-line-strong sm:gap-0.5">
          {[0, 0.5].map((share) => (
            <span
              key={share}
              aria-hidden="true"
              className="pointer-events-none absolute inset-x-0 border-t border-line"
              style={{ top: `${share * 100}%` }}
            />
          ))}
          {days.map((each) => {
            const share = value(each) / top;
            return (
              <span key={each.day} className="relative flex h-full min-w-0 grow items-end">
                {share > 0 && (
                  <span className="block w-full" style={{ height: `max(2px, ${share * 100}%)` }}>
                    <MarkButton
                      label={`${dayInWords(each.day)}: ${show(value(each))}`}
                      className="h-full w-full rounded-t-[2px] bg-accent data-hovered:bg-accent-strong"
                    />
                  </span>
                )}
              </span>
            );
          })}
        </div>
        <div
          aria-hidden="true"
          className="figures flex h-32 flex-col justify-between text-small text-muted"
        >
          <span className="-mt-2">{show(top)}</span>
          <span>{show(top / 2)}</span>
          <span className="-mb-2">{show(0)}</span>
        </div>
        <div aria-hidden="true" className="figures mt-1 flex justify-between text-small text-muted">
          <span>{dayInWords(days[0]?.day ?? "")}</span>
          <span>{dayInWords(days.at(-1)?.day ?? "")}</span>
        </div>
      </div>
    </figure>
  );
}
