import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import { Input, SearchField } from "react-aria-components";
import {
  type Kind,
  type ListQuery,
  useKind,
  useMayWrite,
  usePacks,
  useRecordCounts,
  useRecords,
} from "@/shared/api";
import { useFeatures } from "@/shared/feature/feature";
import { inWords, number } from "@/shared/format";
import { useSheet } from "@/shared/routing/sheet";
import { useShortcut } from "@/shared/shortcuts/shortcuts";
import { Button, EmptyState, ErrorState, Icon, Skeleton } from "@/shared/ui";
import { PageHeader } from "@/shared/ui/Page";
import { Filters } from "./Filters";
import { NewRecord } from "./NewRecord";
import { RecordsTable } from "./RecordsTable";

const route = getRouteApi("/shell/records/$kind");

/** Every record of a kind. */
export function RecordsPage() {
  const { kind: name } = route.useParams();
  const packs = usePacks();
  const about = useKind(name);
  if (packs.error) return <ErrorState error={packs.error} retry={() => void packs.refetch()} />;
  if (!packs.data) return <TableSkeleton />;
  if (!about)
    return (
      <EmptyState icon="search" title={`There is no kind of record called “${name}”`}>
        No installed pack has it.
      </EmptyState>
    );
  return <Records key={name} kind={about.kind} />;
}

function Records({ kind }: { kind: Kind }) {
  const { sheet: _, ...query } = route.useSearch();
  const navigate = useNavigate();
  const setQuery = useCallback(
    (next: ListQuery) =>
      void navigate({
        to: ".",
        replace: true,
        search: (old: { sheet?: string }) => ({ sheet: old.sheet, ...next }),
      }),
    [navigate],
  );
  const records = useRecords(kind.kind, query);
  const counts = useRecordCounts(kind.kind, query);
  const rows = useMemo(
    () => records.data?.pages.flatMap((page) => page.items) ?? [],
    [records.data],
  );
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState(-1);
  const [isAdding, add] = useState(false);
  const mayWrite = useMayWrite();
  const { open, close, stack } = useSheet();
  const isNarrowed = Object.entries(query).some(
    ([key, value]) => key !== "sort" && value !== undefined,
  );
  const row = rows[current];

  const pick = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    select(next);
  };
  const move = (by: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, current + by));
    setCurrent(next);
    const record = rows[next];
    if (record && stack.at(-1)?.view === "record") open("record", kind.kind, record.id);
  };
  const GROUP = "List";
  useShortcut({ keys: "j", label: "Next", group: GROUP }, () => move(1));
  useShortcut({ keys: "k", label: "Previous", group: GROUP }, () => move(-1));
  useShortcut({ keys: "x", label: "Select", group: GROUP }, () => row && pick(row.id), mayWrite);
  useShortcut({ keys: " ", label: "Preview", group: GROUP }, () => {
    if (!row) return;
    if (stack.length === 1 && stack[0]!.args[1] === row.id) close();
    else open("record", kind.kind, row.id);
  });
  useShortcut({ keys: "Enter", label: "Open", group: GROUP }, () => {
    if (row) void navigate({ to: "/records/$kind/$id", params: { kind: kind.kind, id: row.id } });
  });
  useShortcut(
    { keys: "n", label: `New ${kind.title.toLowerCase()}`, group: GROUP },
    () => add(true),
    mayWrite,
  );
  const more = useCallback(() => {
    if (!records.isFetchingNextPage) void records.fetchNextPage();
  }, [records]);

  return (
    <div className="flex h-full flex-col">
      <PageHeader
        title={inWords(kind.kind)}
        about={
          counts.data ? (
            <span role="status">
              {number(counts.data.total)} {isNarrowed ? "match" : "in all"}
            </span>
          ) : (
            " "
          )
        }
        actions={
          mayWrite && (
            <Button look="primary" icon="plus" onPress={() => add(true)}>
              New {kind.title.toLowerCase()}
            </Button>
          )
        }
      />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        {kind.fields.some((field) => field.canSearch) && (
          <Search
            value={String(query["search"] ?? "")}
            onChange={(search) => setQuery({ ...query, search })}
          />
        )}
        <Filters kind={kind} query={query} onChange={setQuery} />
        {isNarrowed && (
          <Button look="quiet" onPress={() => setQuery({ sort: query["sort"] })}>
            Clear
          </Button>
        )}
      </div>
      {records.error ? (
        <ErrorState error={records.error} retry={() => void records.refetch()} />
      ) : records.isPending ? (
        <RowsSkeleton />
      ) : rows.length === 0 ? (
        <Nothing kind={kind} isNarrowed={isNarrowed} mayWrite={mayWrite} onAdd={() => add(true)} />
      ) : (
        <RecordsTable
          kind={kind}
          rows={rows}
          current={current}
          selected={selected}
          sort={String(query["sort"] ?? "")}
          hasMore={records.hasNextPage}
          mayPick={mayWrite}
          onMore={more}
          onSort={(sort) => setQuery({ ...query, sort })}
          onPick={pick}
          onPickAll={() =>
            select(selected.size === rows.length ? new Set() : new Set(rows.map((each) => each.id)))
          }
          onCurrent={setCurrent}
        />
      )}
      {selected.size > 0 && (
        <BulkBar kind={kind} ids={[...selected]} onDone={() => select(new Set())} />
      )}
      <NewRecord kind={kind} isOpen={isAdding} onClose={() => add(false)} />
    </div>
  );
}

/** What can be done with the selected rows. */
function BulkBar({ kind, ids, onDone }: { kind: Kind; ids: string[]; onDone: () => void }) {
  const actions = useFeatures()
    .flatMap((feature) => feature.recordActions ?? [])
    .filter((action) => action.Bulk && action.appliesTo(kind));
  return (
    <div
      role="region"
      aria-label="Selected records"
      className="mt-3 flex flex-wrap items-center gap-3 rounded-ui border border-line bg-raised px-4 py-2 shadow-over"
    >
      <span className="grow font-medium" role="status">
        {number(ids.length)} selected
      </span>
      {actions.map(
        ({ id, Bulk }) => Bulk && <Bulk key={id} kind={kind} ids={ids} onDone={onDone} />,
      )}
      <Button look="quiet" onPress={onDone}>
        Clear
      </Button>
    </div>
  );
}

/** Searches while one types; the address follows once typing pauses. */
function Search({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  const settled = useDeferredValue(text);
  useEffect(() => {
    if (settled === value) return;
    const timer = setTimeout(() => onChange(settled), 150);
    return () => clearTimeout(timer);
  }, [settled, value, onChange]);
  return (
    <SearchField
      aria-label="Search this list"
      value={text}
      onChange={setText}
      className="flex h-8 w-full touch-44 items-center gap-2 rounded-ui border border-line-strong bg-raised px-2 focus-within:outline-2 focus-within:outline-accent sm:w-64"
    >
      <Icon name="search" className="text-muted" />
      <Input
        placeholder="Search"
        className="min-w-0 grow bg-transparent outline-none placeholder:text-muted"
      />
    </SearchField>
  );
}

function Nothing(props: { kind: Kind; isNarrowed: boolean; mayWrite: boolean; onAdd: () => void }) {
  const plural = inWords(props.kind.kind).toLowerCase();
  if (props.isNarrowed)
    return (
      <EmptyState icon="filter" title={`No ${plural} match`}>
        Take away a filter, or search for fewer words.
      </EmptyState>
    );
  return (
    <EmptyState
      icon="table"
      title={`No ${plural} yet`}
      action={
        props.mayWrite && (
          <Button look="primary" icon="plus" onPress={props.onAdd}>
            New {props.kind.title.toLowerCase()}
          </Button>
        )
      }
    >
      {props.mayWrite ? "Add the first one to begin." : "Nobody has added one."}
    </EmptyState>
  );
}

function RowsSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="rounded-ui border border-line">
      {Array.from({ length: 8 }, (_, row) => (
        <div
          key={row}
          className="flex h-[52px] items-center gap-3 border-b border-line px-3 last:border-0"
        >
          <Skeleton className="size-8" />
          <Skeleton className="h-4 grow" />
          <Skeleton className="h-4 w-24" />
        </div>
      ))}
    </div>
  );
}

const TableSkeleton = () => (
  <>
    <Skeleton className="mb-6 h-7 w-48" />
    <RowsSkeleton />
  </>
);
