import { type FormEvent, useState } from "react";
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from "react-aria-components";
import { type Counts, type Kind, type ListQuery, useRecordCounts } from "@/shared/api";
import { day, inWords, number } from "@/shared/format";
import type { Schema } from "@/shared/schema/schema";
import { choiceInWords } from "@/shared/schema/Value";
import {
  Button,
  buttonLook,
  Checkbox,
  Field,
  Icon,
  MENU_ITEM,
  RemovableChip,
  SkeletonLines,
} from "@/shared/ui";

type Filter = Kind["filters"][number];
interface Props {
  kind: Kind;
  query: ListQuery;
  onChange: (query: ListQuery) => void;
}

const TIMES: Record<string, string> = { createdAt: "Created", updatedAt: "Last change" };
const OPERATORS = { oneOf: "is", min: "from", max: "to", missing: "is missing" } as const;

/** The chosen filters as chips, and the way to add one. */
export function Filters({ kind, query, onChange }: Props) {
  const chosen = kind.filters.filter((filter) => query[filter.parameter] !== undefined);
  const sets = chosen.filter((filter) => filter.operator === "oneOf" && !filter.relation);
  const counts = useRecordCounts(
    kind.kind,
    query,
    sets.map((filter) => filter.field),
    sets.length > 0,
  );
  return (
    <>
      {chosen.map((filter) => {
        const words = describe(kind, filter, query[filter.parameter]);
        return (
          <RemovableChip
            key={filter.parameter}
            label={words}
            onRemove={() => onChange({ ...query, [filter.parameter]: undefined })}
          >
            {words}
            <Count filter={filter} values={query[filter.parameter]} counts={counts.data} />
          </RemovableChip>
        );
      })}
      {kind.filters.length > 0 && <AddFilter kind={kind} query={query} onChange={onChange} />}
    </>
  );
}

/** How many of the records in the list have the values of a chip. */
function Count({
  filter,
  values,
  counts,
}: {
  filter: Filter;
  values: string | string[] | undefined;
  counts: Counts | undefined;
}) {
  const byValue = filter.relation ? undefined : counts?.by[filter.field];
  if (!byValue || filter.operator !== "oneOf") return null;
  const wanted = new Set([values].flat());
  const counted = byValue.filter((each) => wanted.has(String(each.value)));
  return (
    <span className="figures ml-1.5 text-muted">
      {number(counted.reduce((sum, each) => sum + each.count, 0))}
    </span>
  );
}

function describe(kind: Kind, filter: Filter, value: string | string[] | undefined): string {
  const values = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const label = labelOf(kind, filter);
  if (filter.operator === "missing")
    return `${label} ${values[0] === "false" ? "is known" : "is missing"}`;
  const words = values.map((each) => valueInWords(kind, filter, each)).join(" or ");
  return `${label} ${OPERATORS[filter.operator]} ${words}`;
}

function valueInWords(kind: Kind, filter: Filter, value: string): string {
  const schema = filter.value as Schema;
  if (schema.enum) {
    // A choice of another record's field is called as that kind calls it, which is not known here.
    const own = filter.relation ? undefined : (kind.record as Schema).properties?.[filter.field];
    return choiceInWords(value, own);
  }
  if (schema.format === "date" || schema.format === "date-time") return day(value);
  if (schema.type === "boolean") return value === "true" ? "yes" : "no";
  const figure = Number(value);
  return schema.type === "number" || schema.type === "integer" ? number(figure) : value;
}

function labelOf(kind: Kind, filter: Filter): string {
  const own = filter.relation
    ? undefined
    : kind.fields.find((field) => field.name === filter.field);
  const field = own?.label ?? TIMES[filter.field] ?? inWords(filter.field);
  return filter.relation && inWords(filter.relation) !== field
    ? `${inWords(filter.relation)}: ${field.toLowerCase()}`
    : field;
}

/** First which field, then which of its values, with their counts. */
function AddFilter({ kind, query, onChange }: Props) {
  const [field, choose] = useState<string>();
  const [isOpen, open] = useState(false);
  const groups = Map.groupBy(kind.filters, (filter) => `${filter.relation ?? ""}.${filter.field}`);
  const close = () => {
    open(false);
    choose(undefined);
  };
  const filters = field === undefined ? undefined : groups.get(field);
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={(next) => (next ? open(true) : close())}>
      <Button look="quiet" icon="filter">
        Filter
      </Button>
      <Popover
        placement="bottom start"
        className="z-50 w-72 rounded-ui border border-line bg-raised p-1 shadow-over"
      >
        <Dialog aria-label="Add a filter" className="max-h-[60vh] overflow-auto outline-none">
          {filters ? (
            <div className="flex flex-col gap-2 p-2">
              <button
                type="button"
                onClick={() => choose(undefined)}
                className="flex items-center gap-1 text-muted hover:text-text"
              >
                <Icon name="left" /> {labelOf(kind, filters[0]!)}
              </button>
              {filters.map((filter) => (
                <Control
                  key={filter.parameter}
                  kind={kind}
                  filter={filter}
                  query={query}
                  onChange={onChange}
                  onDone={close}
                />
              ))}
            </div>
          ) : (
            <ul>
              {[...groups].map(([key, [first]]) => (
                <li key={key}>
                  <AriaButton
                    className={`${MENU_ITEM} w-full data-hovered:bg-hover`}
                    onPress={() => choose(key)}
                  >
                    <span className="grow text-left">{labelOf(kind, first!)}</span>
                    <Icon name="right" className="text-muted" />
                  </AriaButton>
                </li>
              ))}
            </ul>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function Control(props: Props & { filter: Filter; onDone: () => void }) {
  const { filter, query, onChange, onDone } = props;
  const schema = filter.value as Schema;
  const name = filter.parameter;
  if (filter.operator === "missing")
    return (
      <span className="flex gap-2 border-t border-line pt-2">
        {["true", "false"].map((value) => (
          <AriaButton
            key={value}
            className={buttonLook(query[name] === value ? "primary" : "plain")}
            onPress={() => {
              onChange({ ...query, [name]: query[name] === value ? undefined : value });
              onDone();
            }}
          >
            {value === "true" ? "Is missing" : "Is known"}
          </AriaButton>
        ))}
      </span>
    );
  if (
    filter.operator === "oneOf" &&
    (schema.enum || schema.type === "string" || schema.type === "boolean") &&
    !schema.format
  )
    return <Values {...props} />;
  if (filter.operator === "oneOf") return null; // a range says it better
  return <Bound {...props} />;
}

/** The values that occur, with how many records have them. */
function Values({ kind, filter, query, onChange }: Props & { filter: Filter }) {
  const name = filter.parameter;
  const { [name]: _, ...others } = query;
  const counts = useRecordCounts(kind.kind, others, [name]);
  const entries = counts.data?.by[name] ?? [];
  const chosen = ([] as string[]).concat(query[name] ?? []);
  if (counts.isPending) return <SkeletonLines lines={3} />;
  const known = entries.filter((entry) => entry.value !== null);
  if (!known.length) return <p className="text-muted">No record has a value.</p>;
  return known.map((entry) => {
    const value = String(entry.value);
    const next = chosen.includes(value)
      ? chosen.filter((each) => each !== value)
      : [...chosen, value];
    return (
      <span key={value} className="flex items-center justify-between gap-2">
        <Checkbox
          isSelected={chosen.includes(value)}
          onChange={() => onChange({ ...query, [name]: next.length ? next : undefined })}
        >
          <span className="truncate">{entry.title ?? valueInWords(kind, filter, value)}</span>
        </Checkbox>
        <span className="figures text-table text-muted">{number(entry.count)}</span>
      </span>
    );
  });
}

function Bound({
  filter,
  query,
  onChange,
  onDone,
}: Props & { filter: Filter; onDone: () => void }) {
  const schema = filter.value as Schema;
  const [text, setText] = useState(([] as string[]).concat(query[filter.parameter] ?? []).join(""));
  const isDay = schema.format?.startsWith("date");
  function submit(event: FormEvent) {
    event.preventDefault();
    onChange({ ...query, [filter.parameter]: text || undefined });
    onDone();
  }
  return (
    <form onSubmit={submit} className="flex items-end gap-2">
      <div className="grow">
        <Field
          label={filter.operator === "min" ? "From" : "To"}
          type={isDay ? "date" : "number"}
          value={text.slice(0, isDay ? 10 : undefined)}
          onChange={setText}
        />
      </div>
      <Button type="submit">Set</Button>
    </form>
  );
}
