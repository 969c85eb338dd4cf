import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { usePacks } from "@/shared/api";
import { type ListedRun, type RunQuery, useRunCounts, useRuns } from "@/shared/api/runs";
import { number } from "@/shared/format";
import { Button, EmptyState, ErrorState, Skeleton } from "@/shared/ui";
import { FacetFilter } from "@/shared/ui/FacetFilter";
import { PageHeader } from "@/shared/ui/Page";
import { DayFilter } from "@/shared/ui/DayFilter";
import { FACETS, useFacets } from "./facets";
import { RunsTable } from "./RunsTable";

const route = getRouteApi("/shell/runs");

/** Every research run of the organization. */
export function RunsPage() {
  const { sheet: _, ...query } = route.useSearch();
  const navigate = useNavigate();
  const setQuery = useCallback(
    (next: RunQuery) =>
      void navigate({
        to: ".",
        replace: true,
        search: (old: { sheet?: string }) => ({ sheet: old.sheet, ...next }),
      }),
    [navigate],
  );
  const counts = useRunCounts(query);
  const facets = useFacets(counts.data, usePacks().data);
  const isNarrowed = Object.values(query).some((value) => value !== undefined);
  return (
    <div>
      <PageHeader
        title="Runs"
        about={
          counts.data ? (
            <span>
              {number(counts.data.total)} {isNarrowed ? "match" : "in all"}
            </span>
          ) : (
            " "
          )
        }
      />
      <div role="group" aria-label="Filters" className="mb-3 flex flex-wrap items-center gap-2">
        {FACETS.map(([name, label]) => {
          const chosen = query[name] ?? [];
          // One value only is no choice.
          if (facets[name].length < 2 && !chosen.length) return null;
          return (
            <FacetFilter
              key={name}
              label={label}
              facets={facets[name]}
              chosen={chosen}
              onChange={(values) =>
                setQuery({ ...query, [name]: values.length ? values : undefined })
              }
            />
          );
        })}
        <DayFilter
          label="Started"
          from={query.from}
          to={query.to}
          onChange={(days) => setQuery({ ...query, ...days })}
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

/** The rows; those that came since stand above once they are asked for, so that nothing jumps. */
function List({ query, isNarrowed }: { query: RunQuery; isNarrowed: boolean }) {
  const runs = useRuns(query);
  const rows = useMemo(() => runs.data?.pages.flatMap((page) => page.items) ?? [], [runs.data]);
  const [newest, show] = useState<string>();
  const first = newest ?? rows[0]?.id;
  if (newest === undefined && first !== undefined) show(first);
  // Ids are made from the time: a greater one is newer.
  const shown = first === undefined ? rows : rows.filter((run) => run.id <= first);
  const arrived = rows.length - shown.length;
  if (runs.error && !runs.data)
    return <ErrorState error={runs.error} retry={() => void runs.refetch()} />;
  if (runs.isPending) return <RowsSkeleton />;
  if (rows.length === 0)
    return isNarrowed ? (
      <EmptyState icon="filter" title="No runs match">
        Take away a filter.
      </EmptyState>
    ) : (
      <EmptyState icon="runs" title="Nothing has been researched yet">
        Start research on a record’s page; every run appears here, with what it did and cost.
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
      <RunsTable runs={shown as ListedRun[]} />
      {runs.hasNextPage && (
        <div className="mt-3 flex justify-center">
          <Button isPending={runs.isFetchingNextPage} onPress={() => void runs.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

function RowsSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="rounded-ui border border-line bg-raised">
      {Array.from({ length: 10 }, (_, row) => (
        <div
          key={row}
          className="flex h-[52px] items-center gap-4 border-b border-line px-4 last:border-0"
        >
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-5 w-20" />
          <span className="grow" />
          <Skeleton className="h-4 w-16" />
          <Skeleton className="h-4 w-16" />
        </div>
      ))}
    </div>
  );
}
