import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { Kind, RecordData } from "@/shared/api";
import { Time } from "@/shared/format";
import { pictureOf, subtitleOf, titleOf } from "@/shared/format/record";
import { choiceInWords, Value } from "@/shared/schema/Value";
import type { Schema } from "@/shared/schema/schema";
import { Checkbox, classes, Icon, StateChip, Thumbnail } from "@/shared/ui";
import { type ColumnDefinition, columnsOf, unitIn } from "./columns";

const ROW_HEIGHT = 52;
const NEAR_END = 20;

interface Props {
  kind: Kind;
  rows: readonly RecordData[];
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
  const { kind, rows, current, selected, hasMore, onMore, mayPick } = props;
  const columns = columnsOf(kind);
  const hasState = Boolean(kind.display.state);
  const box = useRef<HTMLDivElement>(null);
  // The virtualizer keeps its own state; the compiler must not memoize what it returns.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last > rows.length - NEAR_END) onMore();
  }, [hasMore, last, rows.length, onMore]);
  useEffect(() => {
    if (current >= 0) virtual.scrollToIndex(current, { align: "auto" });
  }, [current, virtual]);

  const grid = {
    gridTemplateColumns: [
      mayPick ? "32px" : "",
      "minmax(12rem,3fr)",
      hasState ? "minmax(7rem,1fr)" : "",
      ...columns.map((column) => (column.isNumber ? "minmax(6rem,0.8fr)" : "minmax(7rem,1fr)")),
      "minmax(7rem,0.8fr)",
    ].join(" "),
  };
  return (
    <div
      ref={box}
      role="grid"
      aria-label={kind.title}
      aria-rowcount={hasMore ? -1 : rows.length + 1}
      className="min-h-0 overflow-auto rounded-ui border border-line bg-raised text-table max-sm:[&_.secondary]:hidden"
    >
      <div role="rowgroup" className="sticky top-0 z-10 min-w-max bg-sunken sm:min-w-full">
        <div
          role="row"
          style={grid}
          className="grid h-9 items-center gap-4 border-b border-line px-3 text-muted max-sm:flex"
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
            <Head key={column.name} column={column} sort={props.sort} onSort={props.onSort} />
          ))}
          <Head
            column={{ ...CHANGED, isSecondary: true }}
            sort={props.sort}
            onSort={props.onSort}
          />
        </div>
      </div>
      <div
        role="rowgroup"
        className="relative min-w-max sm:min-w-full"
        style={{ height: virtual.getTotalSize() }}
      >
        {items.map(({ index, start }) => {
          const record = rows[index]!;
          return (
            <div
              key={record.id}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={mayPick ? selected.has(record.id) : undefined}
              data-current={index === current || undefined}
              onClick={() => props.onCurrent(index)}
              style={{ ...grid, height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
              className={classes(
                "absolute inset-x-0 top-0 grid items-center gap-4 border-b border-line px-3 hover:bg-hover max-sm:flex max-sm:max-w-[calc(100vw-2rem)]",
                index === current && "bg-hover shadow-[inset_2px_0_0_var(--accent)]",
                selected.has(record.id) && "bg-accent-soft",
              )}
            >
              {mayPick && (
                <span role="gridcell" className="flex">
                  <Checkbox
                    label={`Select ${titleOf(kind, record)}`}
                    isSelected={selected.has(record.id)}
                    onChange={() => props.onPick(record.id)}
                  />
                </span>
              )}
              <Title kind={kind} record={record} />
              {hasState && <State kind={kind} record={record} />}
              {columns.map((column) => (
                <Cell key={column.name} kind={kind} record={record} column={column} />
              ))}
              <span role="gridcell" className="secondary text-right text-muted">
                <Time at={record.updatedAt} />
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

const CHANGED: ColumnDefinition = {
  name: "updatedAt",
  label: "Last change",
  unit: "",
  unitField: null,
  isNumber: true,
  sort: "updatedAt",
  isSecondary: true,
};

function Title({ kind, record }: { kind: Kind; record: RecordData }) {
  const title = titleOf(kind, record);
  const subtitle = subtitleOf(kind, record);
  return (
    <span role="rowheader" className="flex min-w-0 grow items-center gap-3">
      <Thumbnail src={pictureOf(kind, record)} title={title} />
      <span className="min-w-0">
        <Link
          to="/records/$kind/$id"
          params={{ kind: kind.kind, id: record.id }}
          className="block truncate text-ui font-medium hover:underline"
        >
          <bdi>{title}</bdi>
        </Link>
        <span className="block truncate text-small text-muted">
          <bdi>{subtitle || record.externalId}</bdi>
        </span>
      </span>
    </span>
  );
}

function State({ kind, record }: { kind: Kind; record: RecordData }) {
  const state = record[kind.display.state ?? ""];
  return (
    <span role="gridcell" className="secondary min-w-0">
      {record.notValid ? (
        <StateChip tone="negative">To correct</StateChip>
      ) : state ? (
        <StateChip>{choiceInWords(state)}</StateChip>
      ) : (
        <span className="text-muted">—</span>
      )}
    </span>
  );
}

function Cell({
  kind,
  record,
  column,
}: {
  kind: Kind;
  record: RecordData;
  column: ColumnDefinition;
}) {
  const root = kind.record as Schema;
  return (
    <span
      role="gridcell"
      className={classes(
        "min-w-0 truncate",
        column.isNumber && "text-right max-sm:shrink-0",
        column.isSecondary && "secondary",
      )}
    >
      <Value
        value={record[column.name]}
        schema={root.properties?.[column.name]}
        root={root}
        unit={unitIn(record, column)}
      />
    </span>
  );
}

function Head({
  column,
  sort,
  onSort,
}: {
  column: ColumnDefinition;
  sort: string;
  onSort: (sort: string) => void;
}) {
  const isDown = sort === `-${column.sort}`;
  const isUp = sort === column.sort;
  return (
    <span
      role="columnheader"
      aria-sort={isDown ? "descending" : isUp ? "ascending" : undefined}
      className={classes(
        "min-w-0",
        column.isNumber && "text-right",
        column.isSecondary && "secondary",
      )}
    >
      {column.sort ? (
        <button
          type="button"
          onClick={() => onSort(isDown ? column.sort! : `-${column.sort}`)}
          className="inline-flex max-w-full items-center gap-1 font-medium hover:text-text"
        >
          <span className="truncate">{column.label}</span>
          {(isDown || isUp) && <Icon name={isDown ? "down" : "up"} size={12} />}
        </button>
      ) : (
        <span className="block truncate font-medium">{column.label}</span>
      )}
    </span>
  );
}
