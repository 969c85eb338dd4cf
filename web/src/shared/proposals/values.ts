import type { Kind } from "@/shared/api/records";
import { inWords, number } from "@/shared/format";

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
  if (typeof value === "string") return value;
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length ? value.map(valueInWords).join(", ") : "nothing";
  const entries = Object.entries(value as object);
  if (!entries.length) return "nothing";
  return entries.map(([name, each]) => `${inWords(name)}: ${valueInWords(each)}`).join("; ");
}
