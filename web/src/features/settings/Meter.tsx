import { classes } from "@/shared/ui";

const NEARLY = 0.8;

/** How much of a limit is used, as figures and a bar. */
export function Meter({
  title,
  used,
  most,
  show,
}: {
  title: string;
  used: number;
  most: number;
  show: (value: number) => string;
}) {
  const share = most > 0 ? Math.min(1, used / most) : 1;
  const left = Math.max(0, most - used);
  return (
    <div>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span>{title}</span>
        <span className="figures text-table text-muted">
          {show(used)} of {show(most)} · <span className="text-text">{show(left)} left</span>
        </span>
      </p>
      <div
        role="meter"
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={most}
        aria-valuenow={Math.min(used, most)}
        aria-valuetext={`${show(used)} of ${show(most)}`}
        className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <div
          style={{ width: `${share * 100}%` }}
          className={classes(
            "h-full rounded-full",
            share >= 1 ? "bg-negative" : share >= NEARLY ? "bg-caution" : "bg-accent",
          )}
        />
      </div>
    </div>
  );
}
