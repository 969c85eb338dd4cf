import type { Kind } from "@/shared/api";
import { resolve, type Schema, shapeOf } from "@/shared/schema/schema";

export interface ColumnDefinition {
  /** The name in the address: a field's, or a claim's path. */
  name: string;
  label: string;
  /** A field of the record, a claim of its current dossier, or the age of that dossier. */
  from: "record" | "conclusion" | "research";
  /** The unit in the head, once, where every row has the same. */
  unit: string;
  unitField: string | null;
  isNumber: boolean;
  /** The sort order that this column offers, if any. */
  sort?: string;
  /** Shown also where there is little room. */
  isTelling: boolean;
}

const MOST_FIELDS = 3;
const PLAIN = { unit: "", unitField: null, isNumber: true, isTelling: false };

/** Every column that a kind's list can show: conclusions, then fields, then ages. */
export function columnsOf(kind: Kind): ColumnDefinition[] {
  const root = kind.record as Schema;
  const shape = (name: string) => shapeOf(root.properties?.[name], root);
  const taken = [kind.display.title, kind.display.subtitle, kind.display.picture];
  const { conclusions, figures, state } = kind.display;
  const fields = kind.fields
    .filter(({ name }) => !taken.includes(name) && name !== state)
    .filter(({ name }) => !["longText", "object", "map", "list", "id"].includes(shape(name)))
    .map((field): ColumnDefinition => ({
      name: field.name,
      label: field.label,
      from: "record",
      unit: field.unit,
      unitField: field.unitField,
      isNumber: shape(field.name) === "number" || shape(field.name) === "integer",
      sort: field.canSort ? field.name : undefined,
      isTelling: conclusions.length === 0 && figures.includes(field.name),
    }));
  return [
    ...conclusions.map(({ path, label }): ColumnDefinition => ({
      ...PLAIN,
      name: path,
      label,
      from: "conclusion",
      isTelling: true,
    })),
    ...fields,
    ...(kind.flows.some((flow) => flow.id === "research")
      ? [{ ...PLAIN, name: "researched", label: "Researched", from: "research" as const }]
      : []),
    time("createdAt", "Created"),
    time("updatedAt", "Last change"),
  ];
}

const time = (name: string, label: string): ColumnDefinition => ({
  ...PLAIN,
  name,
  label,
  from: "record",
  sort: name,
});

/** The columns that a list shows until somebody chooses: what tells most, and not too many. */
export function standardColumns(kind: Kind): string[] {
  const known = new Set(columnsOf(kind).map(({ name }) => name));
  const fields = kind.fields.filter((field) => field.canFilter || field.canSort);
  const narrowing = [...new Set([...kind.display.figures, ...fields.map(({ name }) => name)])];
  return [
    ...kind.display.conclusions.map(({ path }) => path),
    ...narrowing.filter((name) => known.has(name)).slice(0, MOST_FIELDS),
    ...["researched", "updatedAt"].filter((name) => known.has(name)),
  ];
}

/** The chosen columns in the order of the list; those of no such name are left out. */
export function chosenColumns(kind: Kind, names: readonly string[]): ColumnDefinition[] {
  const all = columnsOf(kind);
  const wanted = names.length ? names : standardColumns(kind);
  return wanted.flatMap((name) => all.find((column) => column.name === name) ?? []);
}

/** The unit for a column's head: that of its rows, if they have one and the same; unknown without any. */
export function unitInHead(units: readonly (string | undefined)[]): string | undefined {
  const known = [...new Set(units.filter((unit) => unit))];
  return known.length > 1 ? "" : known[0];
}

/** Whether the field is a choice of few words, such as a state. */
export function isChoice(kind: Kind, name: string): boolean {
  const root = kind.record as Schema;
  return Boolean(resolve(root.properties?.[name], root).enum);
}
