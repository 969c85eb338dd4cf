import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import {
  type BackgroundJob,
  type JobQuery,
  useJobs,
  useJobTitle,
  useJobTypes,
} from "@/shared/api/jobs";
import type { RunStatus } from "@/shared/events/run";
import { duration, fullTime, number, relativeTime, Time } from "@/shared/format";
import { ProgressBar, RunStateChip } from "@/shared/runs/RunState";
import { RUN_STATES } from "@/shared/runs/words";
import { Button, EmptyState, ErrorState, Skeleton } from "@/shared/ui";
import { FacetFilter } from "@/shared/ui/FacetFilter";
import { PageHeader } from "@/shared/ui/Page";

const route = getRouteApi("/shell/jobs");
const STATES = Object.entries(RUN_STATES).map(([value, { word }]) => ({ value, label: word }));

/** Durable work that is no research: what packs and schedules start. */
export function JobsPage() {
  const { sheet: _, ...query } = route.useSearch();
  const navigate = useNavigate();
  const types = useJobTypes().data ?? [];
  const setQuery = (next: JobQuery) =>
    void navigate({
      to: ".",
      replace: true,
      search: (old: { sheet?: string }) => ({ sheet: old.sheet, ...next }),
    });
  const orNone = (values: string[]) => (values.length ? values : undefined);
  const isNarrowed = Boolean(query.status ?? query.type);
  return (
    <div>
      <PageHeader
        title="Jobs"
        about={
          <>
            Work in the background that is no research.{" "}
            <Link to="/runs" className="text-accent underline">
              Research has its own list
            </Link>
            .
          </>
        }
      />
      <div role="group" aria-label="Filters" className="mb-3 flex flex-wrap items-center gap-2">
        <FacetFilter
          label="State"
          facets={STATES}
          chosen={query.status ?? []}
          onChange={(status) => setQuery({ ...query, status: orNone(status) })}
        />
        <FacetFilter
          label="What"
          facets={types.map(({ type, title }) => ({ value: type, label: title }))}
          chosen={query.type ?? []}
          onChange={(type) => setQuery({ ...query, type: orNone(type) })}
        />
        {isNarrowed && (
          <Button look="quiet" onPress={() => setQuery({})}>
            Clear
          </Button>
        )}
      </div>
      <List key={JSON.stringify(query)} query={query} isNarrowed={isNarrowed} />
    </div>
  );
}

function List({ query, isNarrowed }: { query: JobQuery; isNarrowed: boolean }) {
  const jobs = useJobs(query);
  const rows = useMemo(() => jobs.data?.pages.flatMap((page) => page.jobs) ?? [], [jobs.data]);
  const [newest, show] = useState<string>();
  const first = newest ?? rows[0]?.id;
  if (newest === undefined && first !== undefined) show(first);
  // Ids are made from the time: a greater one is newer.
  const shown = first === undefined ? rows : rows.filter((job) => job.id <= first);
  const arrived = rows.length - shown.length;
  if (jobs.error && !jobs.data)
    return <ErrorState error={jobs.error} retry={() => void jobs.refetch()} />;
  if (jobs.isPending)
    return (
      <div role="status" aria-label="Loading" className="rounded-ui border border-line bg-raised">
        {Array.from({ length: 8 }, (_, row) => (
          <div
            key={row}
            className="flex h-[52px] items-center gap-4 border-b border-line px-4 last:border-0"
          >
            <Skeleton className="h-4 w-1/3" />
            <Skeleton className="h-5 w-20" />
          </div>
        ))}
      </div>
    );
  if (!rows.length)
    return isNarrowed ? (
      <EmptyState icon="filter" title="No jobs match">
        Take away a filter.
      </EmptyState>
    ) : (
      <EmptyState
        icon="jobs"
        title="No jobs yet"
        action={
          <Link to="/schedules" className="text-accent underline">
            Look at the schedules
          </Link>
        }
      >
        Packs and schedules start jobs; each appears here with its progress and its outcome.
      </EmptyState>
    );
  return (
    <>
      <div aria-live="polite" className="empty:hidden">
        {arrived > 0 && (
          <Button
            look="quiet"
            icon="up"
            className="mb-2 text-accent"
            onPress={() => show(rows[0]!.id)}
          >
            {number(arrived)} new
          </Button>
        )}
      </div>
      <Table jobs={shown} />
      {jobs.hasNextPage && (
        <div className="mt-3 flex justify-center">
          <Button isPending={jobs.isFetchingNextPage} onPress={() => void jobs.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

const HEAD = "px-3 font-medium whitespace-nowrap";
const CELL = "px-3 py-1.5 align-middle";

function Table({ jobs }: { jobs: readonly BackgroundJob[] }) {
  const titleOf = useJobTitle();
  return (
    <div className="overflow-x-auto rounded-ui border border-line bg-raised">
      <table className="w-full border-collapse text-table">
        <thead className="bg-sunken text-left text-muted">
          <tr className="h-9 border-b border-line">
            <th className={HEAD}>Job</th>
            <th className={HEAD}>State</th>
            <th className={`${HEAD} max-md:hidden`}>Queued</th>
            <th className={`${HEAD} max-lg:hidden`}>By</th>
            <th className={`${HEAD} text-right max-sm:hidden`}>Took</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => {
            const { done, total, message } = job.progress;
            const status = job.status as RunStatus;
            const percent = total ? Math.round((100 * done) / total) : null;
            return (
              <tr
                key={job.id}
                className="h-[52px] border-b border-line last:border-0 hover:bg-hover"
              >
                <td className={`${CELL} max-w-0 min-w-40`}>
                  <Link
                    to="/jobs/$job"
                    params={{ job: job.id }}
                    className="block truncate font-medium hover:underline"
                  >
                    {titleOf(job.type)}
                  </Link>
                  <span className="block truncate text-small text-muted">
                    {message ?? job.type}
                    <span className="md:hidden"> · {relativeTime(job.createdAt)}</span>
                  </span>
                </td>
                <td className={`${CELL} w-52`}>
                  <span className="flex flex-col items-start gap-1">
                    <RunStateChip key={status} status={status} />
                    {status === "running" && percent !== null && (
                      <span className="figures flex w-40 items-center gap-2 text-small text-muted">
                        <ProgressBar percent={percent} label="Progress" />
                        {percent} %
                      </span>
                    )}
                    {status === "paused" && job.resumeAt && (
                      <span className="text-small text-muted" title={fullTime(job.resumeAt)}>
                        goes on {relativeTime(job.resumeAt)}
                      </span>
                    )}
                    {status === "error" && job.error && (
                      <span
                        className="max-w-48 truncate text-small text-muted"
                        title={job.error.message}
                      >
                        {job.error.message}
                      </span>
                    )}
                  </span>
                </td>
                <td className={`${CELL} w-32 text-muted max-md:hidden`}>
                  <Time at={job.createdAt} />
                </td>
                <td className={`${CELL} w-36 max-w-36 truncate text-muted max-lg:hidden`}>
                  {job.requestedByName ?? "Somebody who has left"}
                </td>
                <td className={`${CELL} figures w-24 text-right max-sm:hidden`}>
                  {job.startedAt && job.completedAt
                    ? duration(Date.parse(job.completedAt) - Date.parse(job.startedAt))
                    : "–"}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
