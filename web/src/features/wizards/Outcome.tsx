import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { type StepPayload, useKind } from "@/shared/api";
import { day } from "@/shared/format";
import { Button, buttonLook, classes, Icon, StateChip } from "@/shared/ui";
import { useTitle } from "@/shared/ui/Page";
import { Alternatives } from "./Alternatives";
import { CalendarStrip } from "./CalendarStrip";
import { type Blocks, blocksOf, type Statement } from "./outcome";
import { usePlace } from "./place";
import { Answers } from "./Review";
import { Rules } from "./Rules";

/** What a completed form concludes, rule by rule, with its dates, and the record that it wrote. */
export function Outcome({ run }: { run: StepPayload }) {
  const blocks = blocksOf(run);
  // What is concluded and how much it is; what it looks like in days; then the rest.
  const first = blocks.statements.slice(0, CONCLUSION);
  const others = blocks.statements.slice(CONCLUSION);
  const heading = useRef<HTMLHeadingElement>(null);
  const { isPage } = usePlace();
  const Heading = isPage ? "h1" : "h3";
  useTitle(isPage ? `${run.step.title} · ${run.ui.title}` : undefined);
  useEffect(() => {
    if (isPage) heading.current?.focus();
  }, [isPage]);
  return (
    <article className="@container max-w-[1200px]">
      <header className="mb-6 flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0 grow basis-96">
          <p className="text-table text-muted">
            {isPage ? `${run.ui.title} · completed` : "Completed"}
          </p>
          <Heading
            ref={heading}
            tabIndex={-1}
            className={classes(
              "mt-1 max-w-[32ch] font-semibold tracking-[-0.015em] outline-none",
              isPage ? "text-figure" : "text-title",
            )}
          >
            {run.step.title}
          </Heading>
          <About run={run} />
        </div>
        <div className="no-print flex flex-wrap gap-2">
          {run.ui.record && <RecordLink record={run.ui.record} />}
          {isPage && (
            <Button icon="page" onPress={() => window.print()}>
              Print
            </Button>
          )}
        </div>
      </header>
      <div className="grid gap-x-12 gap-y-8 @4xl:grid-cols-[minmax(0,1fr)_340px]">
        <div className="flex min-w-0 flex-col gap-8">
          <Statements parts={first} />
          {run.outcome?.calendar && (
            <Part title="Day by day">
              <CalendarStrip calendar={run.outcome.calendar} />
            </Part>
          )}
          {run.outcome && run.outcome.alternatives.length > 0 && (
            <Part title="What would change this">
              <Alternatives all={run.outcome.alternatives} />
            </Part>
          )}
          <Statements parts={others} />
          {blocks.lead.length > 0 && (
            <Part title={blocks.statements.length ? "Also" : undefined}>
              {blocks.lead.map((line) => (
                <p key={line} className="mb-2 max-w-[72ch] text-read">
                  {line}
                </p>
              ))}
            </Part>
          )}
          {run.derived.length > 0 && (
            <Part title="Rule by rule">
              <Rules rows={run.derived} />
            </Part>
          )}
          {blocks.drafts.length > 0 && (
            <Part title="Drafts">
              {blocks.drafts.map((draft) => (
                <Draft key={draft.title} {...draft} />
              ))}
            </Part>
          )}
          <details className="print:hidden">
            <summary className="cursor-pointer text-read font-semibold">Your answers</summary>
            <Answers lines={run.summary} />
          </details>
          <div className="hidden print:block">
            <Part title="Your answers">
              <Answers lines={run.summary} />
            </Part>
          </div>
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          {blocks.dates.length > 0 && <Dates dates={blocks.dates} />}
          {blocks.figures.length > 0 && (
            <Part title="Figures">
              <dl>
                {blocks.figures.map(({ label, value }) => (
                  <div
                    key={label}
                    className="flex justify-between gap-4 border-b border-line py-1.5"
                  >
                    <dt className="text-muted">{label}</dt>
                    <dd className="figures text-right">{value}</dd>
                  </div>
                ))}
              </dl>
            </Part>
          )}
          {blocks.lists.map(({ heading: title, items }) => (
            <Part key={title} title={title}>
              <ul className="flex list-disc flex-col gap-1.5 pl-4 marker:text-muted">
                {items.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            </Part>
          ))}
        </div>
      </div>
    </article>
  );
}

const CONCLUSION = 2;

/** What the result is about, and on paper when it was printed. */
function About({ run }: { run: StepPayload }) {
  const about = Object.entries(run.outcome?.about ?? {});
  return (
    <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-1">
      {about.map(([label, value]) => (
        <div key={label} className="flex gap-2">
          <dt className="text-muted">{label}</dt>
          <dd className="wrap-anywhere">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
      <div className="hidden gap-2 print:flex">
        <dt className="text-muted">Printed</dt>
        <dd>{day(new Date().toISOString())}</dd>
      </div>
    </dl>
  );
}

/** A long text: folded on the screen, whole on paper. */
function Draft({ title, text }: { title: string; text: string }) {
  const look = "mt-2 font-sans wrap-anywhere whitespace-pre-wrap text-muted";
  return (
    <>
      <details className="border-b border-line py-2 print:hidden">
        <summary className="cursor-pointer font-medium">{title}</summary>
        <pre className={look}>{text}</pre>
      </details>
      <section className="hidden py-2 print:block">
        <h3 className="font-medium">{title}</h3>
        <pre className={look}>{text}</pre>
      </section>
    </>
  );
}

function Statements({ parts }: { parts: Blocks["statements"] }) {
  return parts.map(({ heading: title, items }) => (
    <Part key={title} title={title}>
      <ul className="flex flex-col gap-2">
        {items.map((item, index) => (
          <li key={index}>
            <Sentence statement={item} />
          </li>
        ))}
      </ul>
    </Part>
  ));
}

function Part({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section>
      {title && <h2 className="mb-2 text-read font-semibold">{title}</h2>}
      {children}
    </section>
  );
}

function RecordLink({ record }: { record: { kind: string; id: string } }) {
  const about = useKind(record.kind);
  return (
    <Link
      to="/records/$kind/$id"
      params={{ kind: record.kind, id: record.id }}
      className={buttonLook("primary")}
    >
      Open the {about?.kind.title.toLowerCase() ?? "record"}
    </Link>
  );
}

function Dates({ dates }: { dates: readonly Statement[] }) {
  return (
    <Part title="Dates">
      <ol className="flex flex-col">
        {dates.map((date, index) => (
          <li key={index} className="break-inside-avoid border-l-2 border-line pb-4 pl-4 last:pb-0">
            <div className="flex flex-wrap items-center gap-2">
              <Icon name="calendar" className="text-muted" />
              <span className="figures font-semibold">
                {date.on ? (
                  <time dateTime={date.on}>{day(date.on)}</time>
                ) : (
                  (date.title ?? "No day yet")
                )}
              </span>
              {!date.on && date.title && <span className="text-muted">no day yet</span>}
              {date.isPast && <StateChip tone="excluded">Past</StateChip>}
            </div>
            <Sentence statement={date.on ? date : { ...date, title: undefined }} isSmall />
          </li>
        ))}
      </ol>
    </Part>
  );
}

function Sentence({ statement, isSmall }: { statement: Statement; isSmall?: boolean }) {
  const { title, text, section, url } = statement;
  return (
    <div className={isSmall ? "mt-0.5" : "max-w-[72ch] text-read"}>
      {title && <span className="font-medium">{title}: </span>}
      {text}
      {section && (
        <span className="text-small text-muted">
          {" "}
          {url ? (
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className="whitespace-nowrap underline underline-offset-2 hover:text-text"
            >
              {section}
              <span className="sr-only"> (leaves this site)</span>
            </a>
          ) : (
            section
          )}
        </span>
      )}
    </div>
  );
}
