import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import {
  type BackgroundJob,
  type JobQuery,
  useJobs,
  useJobTitle,
  useJobTypes,
} from "@/shared/api/jobs";
import { WorkList } from "@/shared/runs/WorkList";
import { type WorkRow, WorkTable } from "@/shared/runs/WorkTable";
import { RUN_STATES } from "@/shared/runs/words";
import { Button, EmptyState } from "@/shared/ui";
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
  const titleOf = useJobTitle();
  const describe = useCallback(
    (job: BackgroundJob): WorkRow => {
      const { done, total, message } = job.progress;
      return {
        title: titleOf(job.type),
        about: message ?? job.type,
        link: { to: "/jobs/$job", params: { job: job.id } },
        percent: total ? Math.round((100 * done) / total) : null,
      };
    },
    [titleOf],
  );
  return (
    <WorkList
      list={useJobs(query)}
      noun="jobs"
      isNarrowed={isNarrowed}
      empty={
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
      }
    >
      {(jobs) => <WorkTable name="Job" works={jobs} describe={describe} />}
    </WorkList>
  );
}
