import { duration } from "@/shared/format";
import type { LoggedEvent } from "@/shared/api/runs";
import { classes } from "@/shared/ui";
import { isCut, type Stretch, ticksOf } from "./timeline";

/** The columns of a timeline: names, the clock, durations. */
export const GRID =
  "grid items-center gap-x-4 grid-cols-[minmax(9rem,15rem)_1fr_4.5rem] max-sm:grid-cols-[1fr_4.5rem]";

/** The clock above the bars: round times with lines down through the rows, and what was cut. */
export function Ruler({
  stretches,
  pauses,
}: {
  stretches: readonly Stretch[];
  pauses: readonly LoggedEvent[];
}) {
  const waits = stretches.filter((stretch) => isCut(stretch, stretches));
  const isPause = (wait: Stretch) =>
    pauses.some(({ at }) => Date.parse(at) >= wait.start - 1_000 && Date.parse(at) <= wait.end);
  return (
    <div
      aria-hidden="true"
      className={classes(GRID, "pointer-events-none absolute inset-0 px-2 max-sm:hidden")}
    >
      <span />
      <span className="relative block h-full text-small whitespace-nowrap text-muted">
        {ticksOf(stretches).map(({ at, label }) => (
          <span
            key={label}
            className="absolute inset-y-0 border-l border-line"
            style={{ left: `${100 * at}%` }}
          >
            <span
              className={classes(
                "figures absolute top-0 h-6",
                at < 0.02 ? "left-0" : at > 0.97 ? "right-0" : "-translate-x-1/2",
              )}
            >
              <span className="bg-surface px-1">{label}</span>
            </span>
          </span>
        ))}
        {waits.map((wait) => (
          <span
            key={wait.start}
            className="absolute inset-y-0 flex justify-center bg-hover/60"
            style={{ left: `${100 * wait.from}%`, width: `${100 * wait.share}%` }}
          >
            <span className="h-6">
              {isPause(wait) ? "paused" : "waited"} {duration(wait.end - wait.start)}
            </span>
          </span>
        ))}
      </span>
    </div>
  );
}
