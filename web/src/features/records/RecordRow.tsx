import { memo } from "react";
import type { Kind, RecordData } from "@/shared/api";
import type { RecordConclusions } from "@/shared/api/conclusions";
import { confidenceInWords, number, Time } from "@/shared/format";
import { pictureOf, stateOf, subtitleOf, titleOf, unitIn } from "@/shared/format/record";
import { choiceInWords, figure, Value } from "@/shared/schema/Value";
import type { Schema } from "@/shared/schema/schema";
import { classes, RowCheckbox, StateChip, Thumbnail } from "@/shared/ui";
import type { ColumnDefinition } from "./columns";

export const ROW_HEIGHT = 52;
export const ROW =
  "grid items-center gap-5 border-b border-line px-3 max-sm:flex max-sm:max-w-[calc(100vw-2rem)]";

interface Props {
  kind: Kind;
  record: RecordData;
  research: RecordConclusions | undefined;
  columns: readonly ColumnDefinition[];
  /** What stands in the heads, and so not in the rows. */
  units: Readonly<Record<string, string>>;
  grid: string;
  index: number;
  start: number;
  isCurrent: boolean;
  /** Undefined: rows cannot be selected. */
  isSelected: boolean | undefined;
  onPick: (id: string) => void;
  onCurrent: (index: number) => void;
}

/**
 * One record.  It is drawn again only when something of it changes, and its link is a plain one that
 * the table follows: a router's link in each row takes half the time of a frame.
 */
export const RecordRow = memo(function RecordRow(props: Props) {
  const { kind, record, research, columns, units, index, isCurrent, isSelected } = props;
  const title = titleOf(kind, record);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-current={isCurrent || undefined}
      onClick={() => props.onCurrent(index)}
      style={{
        gridTemplateColumns: props.grid,
        height: ROW_HEIGHT,
        transform: `translateY(${props.start}px)`,
      }}
      className={classes(
        ROW,
        "absolute inset-x-0 top-0 hover:bg-hover",
        isCurrent && "bg-hover shadow-[inset_2px_0_0_var(--accent)]",
        isSelected && "bg-accent-soft",
      )}
    >
      {isSelected !== undefined && (
        <span role="gridcell" className="flex">
          <RowCheckbox
            label={`Select ${title}`}
            isSelected={isSelected}
            onChange={() => props.onPick(record.id)}
          />
        </span>
      )}
      <Title kind={kind} record={record} title={title} />
      {kind.display.state && <State kind={kind} record={record} />}
      {columns.map((column) => (
        <span
          key={column.name}
          role="gridcell"
          className={classes(
            "min-w-0 truncate",
            column.isNumber && "text-right max-sm:shrink-0",
            !column.isTelling && "secondary",
          )}
        >
          <Cell
            kind={kind}
            record={record}
            research={research}
            column={column}
            head={units[column.name] ?? ""}
          />
        </span>
      ))}
    </div>
  );
});

function Title({ kind, record, title }: { kind: Kind; record: RecordData; title: string }) {
  const subtitle = subtitleOf(kind, record);
  return (
    <span role="rowheader" className="flex min-w-0 grow items-center gap-3">
      <Thumbnail src={pictureOf(kind, record)} title={title} />
      <span className="min-w-0">
        <a
          href={`/records/${encodeURIComponent(kind.kind)}/${record.id}`}
          data-record={record.id}
          className="block truncate text-left font-medium hover:underline"
          title={title}
          dir="auto"
        >
          {title}
        </a>
        {subtitle && (
          <span className="block truncate text-left text-small text-muted" dir="auto">
            {subtitle}
          </span>
        )}
      </span>
    </span>
  );
}

function State({ kind, record }: { kind: Kind; record: RecordData }) {
  const state = stateOf(kind, record);
  return (
    <span role="gridcell" className="secondary min-w-0">
      {record.notValid ? (
        <StateChip tone="negative">To correct</StateChip>
      ) : state ? (
        <StateChip tone={state.tone}>{state.word}</StateChip>
      ) : (
        <None />
      )}
    </span>
  );
}

function Cell({
  kind,
  record,
  research,
  column,
  head,
}: Pick<Props, "kind" | "record" | "research"> & { column: ColumnDefinition; head: string }) {
  if (column.from === "conclusion")
    return <Concluded research={research} path={column.name} head={head} />;
  if (column.from === "research")
    return research ? (
      <span className="text-muted">
        <Time at={research.concludedAt} isShort />
      </span>
    ) : (
      <None />
    );
  if (column.name === "updatedAt" || column.name === "createdAt")
    return (
      <span className="text-muted">
        <Time at={record[column.name]} isShort />
      </span>
    );
  const root = kind.record as Schema;
  const value = record[column.name];
  const unit = unitIn(record, column);
  if (typeof value === "number" && unit && unit === head)
    return <span className="figures">{bare(value, unit)}</span>;
  return <Value value={value} schema={root.properties?.[column.name]} root={root} unit={unit} />;
}

/** A figure whose unit stands in the head; money keeps its cents. */
const bare = (value: number, unit: string): string =>
  /^[A-Z]{3}$/.test(unit) ? number(value, 2) : number(value);

const None = () => <span className="text-muted">—</span>;

/** A conclusion with how sure it is, as a hair-thin bar. */
function Concluded({
  research,
  path,
  head,
}: {
  research: RecordConclusions | undefined;
  path: string;
  head: string;
}) {
  const claim = research?.conclusions.find((each) => each.path === path);
  if (!claim) return <None />;
  const { value, unit, confidence } = claim;
  const isUnsupported = claim.verdict === "unsupported";
  const sure = `${confidenceInWords(confidence)} · ${number(confidence, 2)}`;
  return (
    <span
      className="inline-flex max-w-full flex-col items-end gap-1 align-middle"
      title={isUnsupported ? `${sure} · unsupported` : sure}
    >
      <span
        className={classes(
          "figures max-w-full truncate font-medium",
          isUnsupported && "text-muted underline decoration-caution decoration-wavy",
        )}
      >
        {typeof value !== "number"
          ? choiceInWords(value)
          : unit && unit === head
            ? bare(value, unit)
            : figure(value, unit)}
      </span>
      <svg viewBox="0 0 48 2" className="h-0.5 w-12" preserveAspectRatio="none" aria-hidden="true">
        <rect width="48" height="2" className="fill-line-strong opacity-40" />
        <rect
          width={48 * Math.max(0, Math.min(1, confidence))}
          height="2"
          className="fill-accent"
        />
      </svg>
      <span className="sr-only">{isUnsupported ? `${sure}, unsupported` : sure}</span>
    </span>
  );
}
