import type { Kind, RecordData } from "@/shared/api";
import { resolve, type Schema, shapeOf } from "@/shared/schema/schema";

export interface ColumnDefinition {
  name: string;
  label: string;
  /** The unit in the head, once, where every row has the same. */
  unit: string;
  unitField: string | null;
  isNumber: boolean;
  /** The sort order that this column offers, if any. */
  sort?: string;
  /** Hidden where there is little room. */
  isSecondary: boolean;
}

const MOST_COLUMNS = 4;

/** The columns after the title: the pack's telling figures, then fields that lists are narrowed by. */
export function columnsOf(kind: Kind): ColumnDefinition[] {
  const root = kind.record as Schema;
  const shape = (name: string) => shapeOf(root.properties?.[name], root);
  const taken = new Set([
    kind.display.title,
    kind.display.subtitle,
    kind.display.picture,
    kind.display.state,
  ]);
  const filtered = kind.fields
    .filter((field) => field.canFilter || field.canSort)
    .map((field) => field.name)
    .filter((name) => !["longText", "object", "map", "list", "id"].includes(shape(name)));
  const names = [...new Set([...kind.display.figures, ...filtered])].filter(
    (name) => !taken.has(name),
  );
  return names.slice(0, MOST_COLUMNS).flatMap((name, index) => {
    const field = kind.fields.find((each) => each.name === name);
    if (!field) return [];
    return [
      {
        name,
        label: field.label,
        unit: field.unit,
        unitField: field.unitField,
        isNumber: shape(name) === "number" || shape(name) === "integer",
        sort: field.canSort ? name : undefined,
        isSecondary: index > 0 && !kind.display.figures.includes(name),
      },
    ];
  });
}

/** The unit of a value in this row: its own, or that of the field that holds it. */
export function unitIn(record: RecordData, column: Pick<ColumnDefinition, "unit" | "unitField">) {
  const held = column.unitField ? record[column.unitField] : undefined;
  return typeof held === "string" ? held : column.unit || undefined;
}

/** Whether the field is a choice of few words, such as a state. */
export function isChoice(kind: Kind, name: string): boolean {
  const root = kind.record as Schema;
  return Boolean(resolve(root.properties?.[name], root).enum);
}
