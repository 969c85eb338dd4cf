import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import {
  ApiError,
  type Kind,
  useKind,
  useMayWrite,
  usePacks,
  useRecordCounts,
  useRecords,
} from "@/shared/api";
import { inWords, number } from "@/shared/format";
import { useSheet } from "@/shared/routing/sheet";
import { useShortcut } from "@/shared/shortcuts/shortcuts";
import { Button, describeError, EmptyState, ErrorState } from "@/shared/ui";
import { PageHeader } from "@/shared/ui/Page";
import { BulkBar } from "./BulkBar";
import { chosenColumns } from "./columns";
import { ChooseColumns } from "./ChooseColumns";
import { Filters } from "./Filters";
import { ListActions, Nothing, RowsSkeleton, TableSkeleton } from "./ListStates";
import { useListState } from "./listState";
import { NewButtons, NewRecord, useGuided } from "./NewRecord";
import { RecordsTable } from "./RecordsTable";
import { Search } from "./Search";
import { MOST_NEWER, useNewer } from "./useNewer";
import { ViewTabs } from "./ViewTabs";

const NONE: ReadonlySet<string> = new Set();
const isInvalid = (error: unknown) => error instanceof ApiError && error.problem.status === 422;

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
  const state = useListState();
  const { query, setQuery, isNarrowed } = state;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const records = useRecords(kind.kind, query);
  const counts = useRecordCounts(kind.kind, query);
  const rows = useMemo(
    () => records.data?.pages.flatMap((page) => page.items) ?? [],
    [records.data],
  );
  const newer = useNewer(kind.kind, query, rows);
  const chosen = state.columns.join(" ");
  const columns = useMemo(
    () => chosenColumns(kind, chosen ? chosen.split(" ") : []),
    [kind, chosen],
  );
  const [selected, select] = useState(NONE);
  const [current, setCurrent] = useState(-1);
  const [isAdding, add] = useState(false);
  const mayWrite = useMayWrite();
  const guided = useGuided(kind);
  const { open, close, stack } = useSheet();
  const row = rows[current];

  const pick = useCallback(
    (id: string | undefined) =>
      id !== undefined &&
      select((old) => {
        const next = new Set(old);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    [],
  );
  // Where the keys are now: two typed fast come before the row is drawn.
  const at = useRef(current);
  useLayoutEffect(() => {
    at.current = current;
  }, [current]);
  const move = (by: number) => {
    // Enter is for the row from now on, not for the link that led here.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const next = Math.max(0, Math.min(rows.length - 1, at.current + by));
    at.current = next;
    setCurrent(next);
    const record = rows[next];
    if (record && stack.at(-1)?.view === "record") open("record", kind.kind, record.id);
  };
  const GROUP = "List";
  useShortcut({ keys: "j", label: "Next", group: GROUP }, () => move(1));
  useShortcut({ keys: "k", label: "Previous", group: GROUP }, () => move(-1));
  useShortcut(
    { keys: "x", label: "Select", group: GROUP },
    () => pick(rows[at.current]?.id),
    mayWrite,
  );
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
    guided ?? (() => add(true)),
    mayWrite,
  );
  const more = useCallback(() => {
    if (!records.isFetchingNextPage) void records.fetchNextPage();
  }, [records]);

  const [reloads, reload] = useState(0);
  const showNewer = async () => {
    await queries.resetQueries({ queryKey: ["records", kind.kind, "list", query] });
    void counts.refetch();
    setCurrent(-1);
    reload((count) => count + 1);
  };

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
          <>
            <ListActions kind={kind} />
            {mayWrite && <NewButtons kind={kind} guided={guided} onFields={() => add(true)} />}
          </>
        }
      />
      <ViewTabs kind={kind} state={state} mayWrite={mayWrite} />
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
        <div className="ml-auto max-sm:hidden">
          <ChooseColumns kind={kind} chosen={state.columns} onChange={state.setColumns} />
        </div>
      </div>
      {newer > 0 && (
        <div className="mb-3 flex justify-center" role="status">
          <Button icon="up" onPress={() => void showNewer()}>
            {newer === MOST_NEWER ? `${MOST_NEWER} or more` : newer} new
          </Button>
        </div>
      )}
      {records.error ? (
        isInvalid(records.error) ? (
          <EmptyState
            icon="warning"
            title="This list does not know what its address asks for"
            action={<Button onPress={() => setQuery({})}>Clear the filters</Button>}
          >
            {describeError(records.error).detail}
          </EmptyState>
        ) : (
          <ErrorState error={records.error} retry={() => void records.refetch()} />
        )
      ) : records.isPending ? (
        <RowsSkeleton />
      ) : rows.length === 0 ? (
        <Nothing
          kind={kind}
          isNarrowed={isNarrowed}
          mayWrite={mayWrite}
          add={<NewButtons kind={kind} guided={guided} onFields={() => add(true)} />}
        />
      ) : (
        <RecordsTable
          key={reloads}
          kind={kind}
          rows={rows}
          columns={columns}
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
