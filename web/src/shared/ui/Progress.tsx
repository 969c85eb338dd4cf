import { Label, ProgressBar } from "react-aria-components";

/** How far something is; without a share it is only known to go on. */
export function Progress({
  label,
  share,
  about,
}: {
  label: string;
  /** From 0 to 1. */
  share?: number;
  about?: string;
}) {
  return (
    <ProgressBar
      value={share === undefined ? undefined : share * 100}
      isIndeterminate={share === undefined}
      className="flex w-full flex-col gap-1.5 text-left"
    >
      {({ percentage, valueText }) => (
        <>
          <span className="flex items-baseline justify-between gap-3">
            <Label className="min-w-0 truncate font-medium">{label}</Label>
            <span className="figures shrink-0 text-table text-muted">
              {about ?? (share === undefined ? "" : valueText)}
            </span>
          </span>
          <svg
            aria-hidden="true"
            viewBox="0 0 100 2"
            preserveAspectRatio="none"
            className="h-1.5 w-full overflow-hidden rounded-full bg-hover text-accent"
          >
            <rect
              height="2"
              fill="currentColor"
              width={percentage ?? 30}
              className={share === undefined ? "animate-skeleton" : ""}
            />
          </svg>
        </>
      )}
    </ProgressBar>
  );
}
