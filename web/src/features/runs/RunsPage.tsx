import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { type PackView, usePacks } from "@/shared/api";
import { type ListedRun, type RunQuery, useRunCounts, useRuns } from "@/shared/api/runs";
import { inWords, number } from "@/shared/format";
import { nodeTitle } from "@/shared/runs/nodeTitles";
import { WorkList } from "@/shared/runs/WorkList";
import { type WorkColumn, type WorkRow, WorkTable } from "@/shared/runs/WorkTable";
import { Button, EmptyState } from "@/shared/ui";
import { FacetFilter } from "@/shared/ui/FacetFilter";
import { PageHeader } from "@/shared/ui/Page";
import { DayFilter } from "@/shared/ui/DayFilter";
import { costOf, runTypeOf } from "./cells";
import { FACETS, useFacets } from "./facets";

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

function List({ query, isNarrowed }: { query: RunQuery; isNarrowed: boolean }) {
  const packs = usePacks().data;
  const describe = useCallback((run: ListedRun) => rowOf(run, packs), [packs]);
  return (
    <WorkList
      list={useRuns(query)}
      noun="runs"
      isNarrowed={isNarrowed}
      empty={
        <EmptyState icon="runs" title="Nothing has been researched yet">
          Start research on a record’s page; every run appears here, with what it did and cost.
        </EmptyState>
      }
    >
      {(runs) => <WorkTable name="Record" works={runs} describe={describe} columns={COLUMNS} />}
    </WorkList>
  );
}

const COLUMNS: WorkColumn<ListedRun>[] = [
  {
    name: "Model calls",
    look: "w-28 max-lg:hidden",
    of: ({ spent }) => (spent.calls ? number(spent.calls) : "–"),
  },
  { name: "Cost, $", look: "w-24 max-sm:hidden", of: costOf },
];

function rowOf(run: ListedRun, packs: readonly PackView[] | undefined): WorkRow {
  const kind = packs?.flatMap((pack) => pack.kinds).find((each) => each.kind === run.kind);
  const parts = [
    inWords(run.kind),
    inWords(run.flow),
    runTypeOf(run.runType),
    run.lane === "shadow" && "shadow",
  ];
  return {
    title: run.title ?? `${inWords(run.kind)} ${run.subjectId.slice(0, 8)}`,
    about: parts.filter(Boolean).join(" · "),
    link: { to: "/runs/$run", params: { run: run.id } },
    percent: run.progress,
    doing: run.currentNode ? nodeTitle(kind, run.flow, run.currentNode) : undefined,
    note: run.partial ? "partly" : run.asks ? "asks" : undefined,
  };
}
