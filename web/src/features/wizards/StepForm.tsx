import { useEffect, useRef } from "react";
import type { StepPayload } from "@/shared/api";
import { Button, buttonLook, classes, describeError, Icon, Notice } from "@/shared/ui";
import { useTitle } from "@/shared/ui/Page";
import { CancelRun } from "./CancelRun";
import { ErrorSummary } from "./ErrorSummary";
import { StepLink, usePlace } from "./place";
import { Review } from "./Review";
import { StepField } from "./StepField";
import { type Draft, draftOf } from "./values";
import { progressInWords } from "./words";

/** One step: its question, why it is asked, its fields or the answers to check, and the way on. */
export function StepForm(props: {
  payload: StepPayload;
  /** What was typed and not sent yet, by field. */
  typed: Draft;
  onType: (typed: Draft) => void;
  onSend: (values: Draft) => void;
  isSending: boolean;
  failure?: unknown;
  /** Whether this is an answered step that somebody came back to. */
  isLookedAt: boolean;
}) {
  const { payload, typed } = props;
  const { step, ui, errors, nav } = payload;
  const heading = useRef<HTMLHeadingElement>(null);
  const { isPage, prefix, takesFocus } = usePlace();
  const Heading = isPage ? "h1" : "h3";
  useTitle(isPage ? `${errors.length ? "Error: " : ""}${step.title} · ${ui.title}` : undefined);
  useEffect(() => {
    if (takesFocus() && !errors.length) heading.current?.focus();
    // Only as it comes.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const values = { ...draftOf(payload), ...typed };
  const errorOf = (name: string) => errors.find((error) => error.field === name)?.message;
  const warnings = ui.warnings.filter(
    (warning) => step.kind === "review" || warning.stepId === step.id,
  );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!props.isSending) props.onSend(values);
      }}
    >
      <ErrorSummary payload={payload} />
      {isPage && (
        <p className="text-table text-muted">
          {ui.title} · {progressInWords(payload)}
        </p>
      )}
      <Heading
        ref={heading}
        tabIndex={-1}
        className={classes(
          "mt-1 font-semibold tracking-[-0.01em] outline-none",
          isPage ? "text-title" : "text-read",
        )}
      >
        {step.title}
      </Heading>
      {step.why && (
        <p className="mt-2 flex max-w-[72ch] gap-2 text-muted">
          <Icon name="info" className="mt-0.5" />
          <span>
            <span className="sr-only">Why we ask: </span>
            {step.why}
          </span>
        </p>
      )}
      {[...new Set(warnings.map((warning) => warning.message))].map((message) => (
        <p key={message} className="mt-3 flex gap-2 text-caution">
          <Icon name="warning" className="mt-0.5" />
          <span>
            <span className="font-medium">Note:</span> {message}
          </span>
        </p>
      ))}
      {ui.known.length > 0 && (
        <dl className="mt-5 rounded-ui bg-sunken px-3 py-2">
          {ui.known.map((known) => (
            <div key={known.name} className="flex flex-wrap gap-x-2">
              <dt className="text-muted">{known.label}:</dt>
              <dd>
                {known.shown} <span className="text-muted">(known from {known.source})</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {ui.fields.length > 0 && (
        <div
          aria-busy={props.isSending}
          className={classes(
            "mt-6 flex flex-col gap-6",
            props.isSending && "pointer-events-none opacity-60",
          )}
        >
          {ui.fields.map((field) => (
            <div key={field.name} id={`${prefix}-${field.name}`}>
              <StepField
                field={field}
                value={values[field.name] ?? ""}
                error={errorOf(field.name)}
                source={sourceOf(payload, field.name, typed)}
                onChange={(value) => {
                  // What is being sent stays as it was sent.
                  if (!props.isSending) props.onType({ ...typed, [field.name]: value });
                }}
              />
            </div>
          ))}
        </div>
      )}
      {step.kind === "review" && <Review payload={payload} />}
      {props.failure !== undefined && (
        <div className="mt-6">
          <Notice tone="negative">
            <p className="font-medium">{describeError(props.failure).title}</p>
            <p>{describeError(props.failure).detail} Nothing was saved; you can send it again.</p>
          </Notice>
        </div>
      )}
      <div className="mt-8 flex flex-wrap items-center gap-2">
        {payload.submitLabel && (
          <Button type="submit" look="primary" isPending={props.isSending} className="h-9 px-4">
            {props.isSending ? "Saving…" : payload.submitLabel}
          </Button>
        )}
        {nav.back && (
          <StepLink step={nav.back} className={buttonLook("plain", "h-9")}>
            <Icon name="left" />
            Back
          </StepLink>
        )}
        {props.isLookedAt && (
          <StepLink step={undefined} className={buttonLook("quiet", "h-9")}>
            Continue without a change
          </StepLink>
        )}
        {nav.cancel && <CancelRun payload={payload} className="ml-auto" />}
      </div>
    </form>
  );
}

/** Where an untouched value is known from; nothing for what the person answered. */
function sourceOf(payload: StepPayload, name: string, typed: Draft): string | undefined {
  const source = payload.provenance[name]?.source;
  return source && source !== "you" && !(name in typed) ? source : undefined;
}
