import { useRouter } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import type { Kind, RecordData } from "@/shared/api";
import { type RecordConclusions, useConclusions } from "@/shared/api/conclusions";
import { Checkbox, classes, Icon } from "@/shared/ui";
import { unitIn } from "@/shared/format/record";
import { type ColumnDefinition, unitInHead } from "./columns";
import { RecordRow, ROW, ROW_HEIGHT } from "./RecordRow";

const NEAR_END = 60;
/** Records whose conclusions are asked for at once. */
const GROUP = 50;

interface Props {
  kind: Kind;
  rows: readonly RecordData[];
  columns: readonly ColumnDefinition[];
  current: number;
  selected: ReadonlySet<string>;
  sort: string;
  hasMore: boolean;
  mayPick: boolean;
  onMore: () => void;
  onSort: (sort: string) => void;
  onPick: (id: string) => void;
  onPickAll: () => void;
  onCurrent: (index: number) => void;
}

/** Records as a table; only the rows in view are drawn, however many there are. */
export function RecordsTable(props: Props) {
  const { kind, rows, columns, current, selected, hasMore, onMore, mayPick } = props;
  const hasState = Boolean(kind.display.state);
  const box = useRef<HTMLDivElement>(null);
  // The virtualizer keeps its own state; the compiler must not memoize what it returns.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last > rows.length - NEAR_END) onMore();
  }, [hasMore, last, rows.length, onMore]);
  useEffect(() => {
    if (current >= 0) virtual.scrollToIndex(current, { align: "auto" });
  }, [current, virtual]);

  const isResearched = columns.some((column) => column.from !== "record");
  const [from, to] = [Math.floor(first / GROUP), Math.floor(last / GROUP)];
  const groups = useMemo(
    () =>
      Array.from({ length: isResearched ? to - from + 1 : 0 }, (_, index) =>
        rows.slice((from + index) * GROUP, (from + index + 1) * GROUP).map((row) => row.id),
      ),
    [rows, from, to, isResearched],
  );
  const research = useConclusions(kind.kind, groups, !virtual.isScrolling);

  // What was seen of a column's unit stays: conclusions come and go with the rows in view.
  const [heads, setHeads] = useState<Readonly<Record<string, string>>>({});
  const seen = columns.flatMap((column) => {
    const unit = unitInHead(unitsOf(column, rows, research));
    return unit === undefined || unit === heads[column.name] ? [] : [[column.name, unit] as const];
  });
  if (seen.length) setHeads({ ...heads, ...Object.fromEntries(seen) });
  const grid = useMemo(
    () =>
      [
        mayPick ? "16px" : "",
        "minmax(12rem,4fr)",
        hasState ? "minmax(6.5rem,1fr)" : "",
        ...columns.map((column) => {
          const unit = heads[column.name];
          const letters = column.label.length + (unit ? unit.length + 2 : 0);
          // A head is read whole: half a rem a letter.
          const least = Math.max(5.5, letters * 0.53).toFixed(1);
          return `minmax(${least}rem,${column.isNumber ? 0.8 : 1}fr)`;
        }),
      ].join(" "),
    [columns, heads, hasState, mayPick],
  );
  const links = useRowLinks(kind.kind);
  return (
    <div
      ref={box}
      role="grid"
      aria-label={kind.title}
      aria-rowcount={hasMore ? -1 : rows.length + 1}
      // The rows themselves are reached with j and k, and their links with Tab.
      tabIndex={0}
      className="min-h-0 overflow-auto rounded-ui border border-line bg-raised text-table outline-offset-[-2px] max-sm:[&_.secondary]:hidden"
    >
      <div role="rowgroup" className="sticky top-0 z-10 min-w-max bg-sunken sm:min-w-full">
        <div
          role="row"
          style={{ gridTemplateColumns: grid }}
          className={classes(ROW, "h-9 text-muted")}
        >
          {mayPick && (
            <span role="columnheader" className="flex">
              <Checkbox
                label="Select all that are loaded"
                isSelected={rows.length > 0 && selected.size === rows.length}
                isIndeterminate={selected.size > 0 && selected.size < rows.length}
                onChange={props.onPickAll}
              />
            </span>
          )}
          <span role="columnheader" className="grow font-medium">
            {kind.title}
          </span>
          {hasState && (
            <span role="columnheader" className="secondary font-medium">
              State
            </span>
          )}
          {columns.map((column) => (
            <Head
              key={column.name}
              column={column}
              unit={heads[column.name] ?? ""}
              sort={props.sort}
              onSort={props.onSort}
            />
          ))}
        </div>
      </div>
      <div
        role="rowgroup"
        {...links}
        className="relative min-w-max sm:min-w-full"
        style={{ height: virtual.getTotalSize() }}
      >
        {items.map(({ index, start }) => {
          const record = rows[index]!;
          return (
            <RecordRow
              key={record.id}
              kind={kind}
              record={record}
              research={research.get(record.id)}
              columns={columns}
              units={heads}
              grid={grid}
              index={index}
              start={start}
              isCurrent={index === current}
              isSelected={mayPick ? selected.has(record.id) : undefined}
              onPick={props.onPick}
              onCurrent={props.onCurrent}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Follows the plain links of rows within the application, and prepares the page they lead to. */
function useRowLinks(kind: string) {
  const router = useRouter();
  const target = (event: MouseEvent) =>
    (event.target as Element).closest<HTMLElement>("a[data-record]")?.dataset["record"];
  const place = (id: string) => ({ to: "/records/$kind/$id", params: { kind, id } }) as const;
  return {
    onClick: (event: MouseEvent) => {
      const id = target(event);
      const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!id || !isPlain) return;
      event.preventDefault();
      void router.navigate(place(id));
    },
    onMouseOver: (event: MouseEvent) => {
      const id = target(event);
      if (id) void router.preloadRoute(place(id));
    },
  };
}

function unitsOf(
  column: ColumnDefinition,
  rows: readonly RecordData[],
  research: ReadonlyMap<string, RecordConclusions>,
): (string | undefined)[] {
  if (column.from === "record") return rows.slice(0, GROUP).map((row) => unitIn(row, column));
  return [...research.values()].map(
    ({ conclusions }) => conclusions.find((each) => each.path === column.name)?.unit,
  );
}

function Head({
  column,
  unit,
  sort,
  onSort,
}: {
  column: ColumnDefinition;
  unit: string;
  sort: string;
  onSort: (sort: string) => void;
}) {
  const label = unit ? `${column.label}, ${unit}` : column.label;
  const isDown = sort === `-${column.sort}`;
  const isUp = sort === column.sort;
  return (
    <span
      role="columnheader"
      aria-sort={isDown ? "descending" : isUp ? "ascending" : undefined}
      className={classes(
        "min-w-0",
        column.isNumber && "text-right",
        !column.isTelling && "secondary",
      )}
    >
      {column.sort ? (
        <button
          type="button"
          onClick={() => onSort(isDown ? column.sort! : `-${column.sort}`)}
          className="inline-flex max-w-full items-center gap-1 font-medium hover:text-text"
        >
          <span className="truncate">{label}</span>
          {(isDown || isUp) && <Icon name={isDown ? "down" : "up"} size={12} />}
        </button>
      ) : (
        <span className="block truncate font-medium" title={label}>
          {label}
        </span>
      )}
    </span>
  );
}
