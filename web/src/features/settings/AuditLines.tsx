import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useKind } from "@/shared/api";
import type { AuditEntry } from "@/shared/api/schema";
import { actionInWords, day, fullTime, inWords, timeOfDay } from "@/shared/format";
import { fieldLabel, valueInWords } from "@/shared/proposals/values";
import { classes, Icon } from "@/shared/ui";

/** Lines of the audit log by day; a line opens to its values before and after. */
export function AuditLines({ lines }: { lines: readonly AuditEntry[] }) {
  const days = Object.entries(Object.groupBy(lines, (line) => dayOf(line.at)));
  return (
    <div className="flex flex-col gap-5">
      {days.map(([date, ofDay = []]) => (
        <section key={date}>
          <h2 className="mb-1.5 text-small font-medium text-muted">{day(date)}</h2>
          <ul className="divide-y divide-line rounded-ui border border-line bg-raised">
            {ofDay.map((line) => (
              <Line key={line.id} line={line} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** The day in this browser's time zone. */
function dayOf(at: string): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function Line({ line }: { line: AuditEntry }) {
  const [isOpen, open] = useState(false);
  const fields = line.changes.map((each) => each.field);
  const about = useKind(line.kind)?.kind;
  const summary = fields.length
    ? fields.map((field) => fieldLabel(about, field)).join(", ")
    : inOneLine(line.detail);
  return (
    <li aria-label={`${actionInWords(line.action)}: ${inWords(line.kind)}`}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => open(!isOpen)}
        className="grid w-full grid-cols-[4.25rem_minmax(0,1fr)_16px] items-baseline gap-x-3 px-3 py-2 text-left hover:bg-hover sm:grid-cols-[4.25rem_9rem_minmax(0,1fr)_16px]"
      >
        <time
          dateTime={line.at}
          title={fullTime(line.at)}
          className="figures text-table text-muted max-sm:row-start-1"
        >
          {timeOfDay(line.at)}
        </time>
        <span className="truncate text-table text-muted max-sm:col-start-2 max-sm:row-start-2">
          <bdi>{line.userName ?? "Somebody who left"}</bdi>
          {line.byAgent && " · by an agent"}
        </span>
        <span className="min-w-0 truncate max-sm:col-start-2 max-sm:row-start-1">
          <span className="font-medium">{actionInWords(line.action)}</span>{" "}
          <span className="text-muted">
            {about && line.subjectTitle ? <bdi>{line.subjectTitle}</bdi> : inWords(line.kind)}
            {summary && ` · ${summary}`}
          </span>
        </span>
        <Icon
          name="right"
          className={classes(
            "self-center text-muted max-sm:col-start-3 max-sm:row-start-1",
            isOpen && "rotate-90",
          )}
        />
      </button>
      {isOpen && <Detail line={line} />}
    </li>
  );
}

function Detail({ line }: { line: AuditEntry }) {
  const about = useKind(line.kind)?.kind;
  const rest = Object.entries(line.detail);
  return (
    <div className="flex flex-col gap-3 border-t border-line bg-sunken px-3 py-3 text-table sm:pl-[5.75rem]">
      <p className="text-muted">
        {fullTime(line.at)}
        {line.reason && <> · {line.reason}</>}
      </p>
      {line.changes.length > 0 && (
        <div className="overflow-x-auto">
          <table className="w-full min-w-96 table-fixed">
            <thead className="text-left text-muted">
              <tr>
                <th className="w-36 py-1 pr-4 font-medium">Field</th>
                <th className="py-1 pr-4 font-medium">Before</th>
                <th className="py-1 font-medium">After</th>
              </tr>
            </thead>
            <tbody>
              {line.changes.map((change) => (
                <tr key={change.field} className="border-t border-line align-top">
                  <td className="py-1.5 pr-4 text-muted">{fieldLabel(about, change.field)}</td>
                  <td className="py-1.5 pr-4 wrap-anywhere">{valueInWords(change.before)}</td>
                  <td className="py-1.5 wrap-anywhere">{valueInWords(change.after)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rest.length > 0 && (
        <dl className="grid grid-cols-[minmax(6rem,max-content)_1fr] gap-x-4 gap-y-1">
          {rest.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{inWords(name)}</dt>
              <dd className="wrap-anywhere">{valueInWords(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {about && line.subjectId && (
        <Link
          to="/records/$kind/$id"
          params={{ kind: line.kind, id: line.subjectId }}
          className="self-start font-medium text-accent hover:underline"
        >
          Open the {about.title.toLowerCase()}
        </Link>
      )}
    </div>
  );
}

function inOneLine(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value) && !isId(value))
    .slice(0, 3)
    .map(([name, value]) => `${inWords(name).toLowerCase()} ${valueInWords(value)}`)
    .join(", ");
}

const isId = (value: unknown) =>
  typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-/.test(value);
