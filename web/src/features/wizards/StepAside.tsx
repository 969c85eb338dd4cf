import { Link } from "@tanstack/react-router";
import type { RuleRow, StepPayload } from "@/shared/api";
import { StateChip } from "@/shared/ui";
import { isAnswered } from "./Review";
import { inPlainWords, progressInWords, RESULTS } from "./words";

/** Beside the question: how far the form is, what follows from the answers, and the answers. */
export function StepAside({ payload }: { payload: StepPayload }) {
  const { step, of } = payload.progress;
  const isReview = payload.step.kind === "review";
  return (
    <aside aria-label="So far" className="flex flex-col gap-6 lg:pt-1">
      <section>
        <h2 className="text-table font-semibold">{progressInWords(payload)}</h2>
        <div className="mt-2 h-1.5 overflow-hidden rounded-full bg-hover" aria-hidden="true">
          <div
            className="h-full rounded-full bg-accent"
            style={{ width: `${of ? (100 * step) / of : 0}%` }}
          />
        </div>
      </section>
      {!isReview && payload.derived.length > 0 && (
        <section>
          <h2 className="mb-1 text-table font-semibold">What follows so far</h2>
          <ul>
            {payload.derived.map((row, index) => (
              <Follows key={`${row.law}:${row.rule}:${index}`} row={row} />
            ))}
          </ul>
        </section>
      )}
      {!isReview && payload.summary.length > 0 && (
        <section>
          <h2 className="mb-1 text-table font-semibold">Your answers</h2>
          <ul>
            {payload.summary.filter(isAnswered).map((line) => (
              <li
                key={`${line.stepId}.${line.field}`}
                className="flex items-baseline gap-3 border-b border-line py-1.5 text-table last:border-b-0"
              >
                <div className="min-w-0 grow">
                  <div className="text-muted">{line.label}</div>
                  <bdi className="wrap-anywhere">{inPlainWords(line)}</bdi>
                </div>
                {line.change && line.change !== payload.step.id && (
                  <Link
                    to="."
                    search={{ step: line.change }}
                    className="text-accent underline-offset-2 hover:underline"
                    aria-label={`Change ${line.label}`}
                  >
                    Change
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  );
}

function Follows({ row }: { row: RuleRow }) {
  const { words, tone } = RESULTS[row.result];
  return (
    <li className="border-b border-line py-2 text-table last:border-b-0">
      <div className="flex flex-wrap items-start justify-between gap-x-2 gap-y-1">
        <span className="min-w-0 grow basis-32">
          <span className="font-medium">{row.law}</span>, {row.rule}
        </span>
        <StateChip tone={tone}>{words}</StateChip>
      </div>
      <p className="text-small text-muted">
        Needed: {row.needed}. Stated: {row.actual}. {row.source}
      </p>
    </li>
  );
}
