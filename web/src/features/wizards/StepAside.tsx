import type { RuleRow, SectionShown, StepPayload } from "@/shared/api";
import { classes, Icon, StateChip } from "@/shared/ui";
import { isAnswered } from "./Review";
import { StepLink } from "./place";
import { inPlainWords, progressInWords, RESULTS } from "./words";

/** Beside the question: how far the form is, the answers, and what follows from them. */
export function StepAside({ payload }: { payload: StepPayload }) {
  const { step, of, sections } = payload.progress;
  const { follows } = payload.ui;
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
        {sections.length > 0 && (
          <ol className="mt-3 flex flex-col gap-0.5 text-table">
            {sections.map((section) => (
              <Section key={section.title} section={section} />
            ))}
          </ol>
        )}
      </section>
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
                  <StepLink
                    step={line.change}
                    className="text-accent underline-offset-2 hover:underline"
                    label={`Change ${line.label}`}
                  >
                    Change
                  </StepLink>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {follows.length > 0 && (
        <section>
          <h2 className="mb-1 text-table font-semibold">What follows so far</h2>
          <ul>
            {follows.map((row, index) => (
              <Follows key={`${row.law}:${row.rule}:${index}`} row={row} />
            ))}
          </ul>
        </section>
      )}
    </aside>
  );
}

const STATES = { done: "done", current: "now", ahead: "still to come" };

function Section({ section }: { section: SectionShown }) {
  const { title, state } = section;
  return (
    <li
      aria-current={state === "current" ? "step" : undefined}
      className={classes(
        "flex items-center gap-2",
        state === "current" ? "font-medium" : "text-muted",
      )}
    >
      <span className="flex size-4 shrink-0 items-center justify-center">
        {state === "done" ? (
          <Icon name="check" className="text-positive" />
        ) : (
          <span
            className={classes(
              "size-2 rounded-full",
              state === "current" ? "bg-accent" : "border border-line-strong",
            )}
          />
        )}
      </span>
      {title}
      <span className="sr-only">({STATES[state]})</span>
    </li>
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
