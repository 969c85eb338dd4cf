import { Link, type LinkProps } from "@tanstack/react-router";
import { memo, type ReactNode } from "react";
import type { RunStatus } from "@/shared/events/run";
import { duration, fullTime, relativeTime, Time } from "@/shared/format";
import { ProgressBar, RunStateChip, useNow } from "./RunState";

/** What every run and every job has in a list. */
export interface Work {
  id: string;
  /** One of `RunStatus`. */
  status: string;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  resumeAt: string | null;
  requestedByName: string | null;
  error: { message: string } | null;
}

/** A row in words; how far it is in per cent, or what it does now. */
export interface WorkRow {
  title: string;
  about: string;
  link: Pick<LinkProps, "to" | "params">;
  percent: number | null;
  doing?: string;
  note?: string;
}

/** A column of figures at the right. */
export interface WorkColumn<T> {
  name: string;
  /** Where it is hidden and how wide it is. */
  look: string;
  of: (work: T) => ReactNode;
}

interface Props<T> {
  /** What the first column holds. */
  name: string;
  works: readonly T[];
  /** Pure: rows are drawn anew only when it or their work changes. */
  describe: (work: T) => WorkRow;
  columns?: readonly WorkColumn<T>[];
}

const NONE: readonly never[] = [];
export const HEAD = "px-3 font-medium whitespace-nowrap";
const CELL = "px-3 py-1.5 align-middle";

/** Runs or jobs as a table; on narrow screens, what matters of each in two lines. */
export function WorkTable<T extends Work>({ name, works, describe, columns = NONE }: Props<T>) {
  const now = useNow(works.some((work) => work.status === "running"));
  return (
    <div className="overflow-x-auto rounded-ui border border-line bg-raised">
      <table className="w-full border-collapse text-table">
        <thead className="bg-sunken text-left text-muted">
          <tr className="h-9 border-b border-line">
            <th className={HEAD}>{name}</th>
            <th className={HEAD}>State</th>
            <th className={`${HEAD} max-md:hidden`}>Started</th>
            <th className={`${HEAD} max-lg:hidden`}>By</th>
            <th className={`${HEAD} text-right max-sm:hidden`}>Took</th>
            {columns.map((column) => (
              <th key={column.name} className={`${HEAD} text-right ${column.look}`}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {works.map((work) => (
            <Row
              key={work.id}
              work={work}
              describe={describe}
              columns={columns}
              now={work.status === "running" ? now : 0}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps<T> {
  work: T;
  describe: (work: T) => WorkRow;
  columns: readonly WorkColumn<T>[];
  /** The time, for work that runs. */
  now: number;
}

const Row = memo(function Row<T extends Work>({ work, describe, columns, now }: RowProps<T>) {
  const { title, about, link } = describe(work);
  return (
    <tr className="h-[52px] border-b border-line last:border-0 hover:bg-hover">
      <td className={`${CELL} max-w-0 min-w-40`}>
        <Link
          {...link}
          className="block font-medium hover:underline max-sm:line-clamp-2 sm:truncate"
        >
          {title}
        </Link>
        <span className="block truncate text-small text-muted">
          <span className="md:hidden">{relativeTime(work.createdAt)} · </span>
          {about}
        </span>
      </td>
      <td className={`${CELL} sm:w-52`}>
        <State work={work} row={describe(work)} />
      </td>
      <td className={`${CELL} w-32 text-muted max-md:hidden`}>
        <Time at={work.createdAt} />
      </td>
      <td className={`${CELL} w-36 max-w-36 truncate text-muted max-lg:hidden`}>
        {work.requestedByName ?? "Somebody who has left"}
      </td>
      <td className={`${CELL} figures w-24 text-right max-sm:hidden`}>{tookOf(work, now)}</td>
      {columns.map((column) => (
        <td key={column.name} className={`${CELL} figures text-right ${column.look}`}>
          {column.of(work)}
        </td>
      ))}
    </tr>
  );
}) as <T extends Work>(props: RowProps<T>) => ReactNode;

function State({ work, row }: { work: Work; row: WorkRow }) {
  const status = work.status as RunStatus;
  return (
    <span className="flex flex-col items-start gap-1">
      <RunStateChip key={status} status={status} note={row.note} />
      {status === "running" && (
        <span className="flex w-28 items-center gap-2 sm:w-40 text-small text-muted empty:hidden">
          {row.percent !== null ? (
            <>
              <ProgressBar percent={row.percent} label="Progress" />
              <span className="figures whitespace-nowrap">{row.percent} %</span>
            </>
          ) : (
            row.doing && <span className="truncate">{row.doing}</span>
          )}
        </span>
      )}
      {status === "paused" && work.resumeAt && (
        <span className="text-small text-muted" title={fullTime(work.resumeAt)}>
          goes on {relativeTime(work.resumeAt)}
        </span>
      )}
      {status === "error" && work.error && (
        <span
          className="max-w-28 truncate text-small sm:max-w-48 text-muted"
          title={work.error.message}
        >
          {work.error.message}
        </span>
      )}
    </span>
  );
}

function tookOf(work: Work, now: number): string {
  if (!work.startedAt) return "–";
  const end = work.completedAt ? Date.parse(work.completedAt) : now || Date.now();
  return duration(Math.max(0, end - Date.parse(work.startedAt)));
}
