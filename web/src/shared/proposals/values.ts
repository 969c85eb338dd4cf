import type { Kind } from "@/shared/api/records";
import { dayAndTime, inWords, number } from "@/shared/format";

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** The name of a field as people call it. */
export function fieldLabel(
  kind: Kind | undefined,
  field: string,
  called?: Record<string, string>,
): string {
  const label = kind?.fields.find((each) => each.name === field)?.label ?? called?.[field];
  return label ?? inWords(field);
}

/** A value of a record in a line of text, such as of the audit log. */
export function valueInWords(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (typeof value === "string") return TIME.test(value) ? dayAndTime(value) : value;
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length ? value.map(valueInWords).join(", ") : "nothing";
  const entries = Object.entries(value as object);
  if (!entries.length) return "nothing";
  return entries.map(([name, each]) => `${inWords(name)}: ${valueInWords(each)}`).join("; ");
}

/** What says where a file is kept, not what it is. */
const MECHANICS = new Set(["digest", "position"]);

/** A value of a history as people speak of it: a file is called by its name. */
export function asTold(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(([name]) => !MECHANICS.has(name));
  const [first, ...others] = members;
  return first?.[0] === "name" && !others.length ? first[1] : Object.fromEntries(members);
}
