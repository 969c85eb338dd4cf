import type { StepPayload, SummaryLine } from "@/shared/api";
import { StepLink } from "./place";
import { inPlainWords } from "./words";
import { Rules } from "./Rules";

/** Every answer with its source and the way to change it, and the rules held against them. */
export function Review({ payload }: { payload: StepPayload }) {
  return (
    <>
      <Answers lines={payload.summary} />
      {payload.derived.length > 0 && (
        <section className="mt-8">
          <h2 className="mb-2 text-read font-semibold">What the rules make of it</h2>
          <Rules rows={payload.derived} />
        </section>
      )}
    </>
  );
}

/** Answers in words, step by step. */
export function Answers({ lines }: { lines: readonly SummaryLine[] }) {
  return (
    <dl className="mt-6 border-t border-line">
      {lines.map((line) => (
        <div
          key={`${line.stepId}.${line.field}`}
          className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-b border-line py-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_4rem]"
        >
          <dt className="text-muted max-sm:col-span-2">{line.label}</dt>
          <dd className="min-w-0 wrap-anywhere">
            <bdi className={isAnswered(line) ? undefined : "text-muted"}>{inPlainWords(line)}</bdi>
            {line.source && line.source !== "you" && (
              <span className="text-small text-muted"> (known from {line.source})</span>
            )}
          </dd>
          <dd className="no-print text-right">
            {line.change && (
              <StepLink
                step={line.change}
                className="text-accent underline underline-offset-2"
                label={`Change ${line.label}`}
              >
                Change
              </StepLink>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export const isAnswered = ({ value }: SummaryLine): boolean =>
  value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
