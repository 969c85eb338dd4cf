import type { Kind, RecordData } from "@/shared/api";
import { isNullable, resolve, type Schema, shapeOf } from "@/shared/schema/schema";
import { readNumber } from "./numbers";

/** What stands in the controls of a form: text, or a choice. */
export type Draft = Record<string, string>;

export type FieldInfo = Kind["fields"][number];

/** Whether a control of ours can change this field; the others are shown only. */
export function canEdit(kind: Kind, field: FieldInfo): boolean {
  const root = kind.record as Schema;
  const shape = shapeOf(root.properties?.[field.name], root);
  if (shape !== "list") return !["object", "map", "unknown"].includes(shape);
  return isTextList(root.properties?.[field.name], root);
}

export function isTextList(schema: Schema | undefined, root: Schema): boolean {
  const items = resolve(schema, root).items;
  return items !== undefined && ["text", "choice"].includes(shapeOf(items, root));
}

/** The values of a record as controls hold them. */
export function draftOf(kind: Kind, record?: RecordData): Draft {
  return Object.fromEntries(
    kind.fields
      .filter((field) => canEdit(kind, field))
      .map((field) => [field.name, asText(record?.[field.name])]),
  );
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.join("\n");
  return String(value);
}

/** The changed fields as the server takes them, and what cannot be read. */
export function changesOf(
  kind: Kind,
  draft: Draft,
  before: Draft,
): { changes: Record<string, unknown>; errors: Record<string, string> } {
  const root = kind.record as Schema;
  const changes: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  for (const [name, text] of Object.entries(draft)) {
    if (text === before[name]) continue;
    const schema = root.properties?.[name];
    const value = read(text, schema, root);
    if (value === undefined) errors[name] = "Enter a number, such as 145 or 1,145.50.";
    else changes[name] = value;
  }
  return { changes, errors };
}

/** The value that the text means; undefined where it means none. */
function read(text: string, schema: Schema | undefined, root: Schema): unknown {
  const shape = shapeOf(schema, root);
  if (shape === "list")
    return text
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
  if (text === "")
    return isNullable(schema) || shape !== "text" ? (shape === "longText" ? "" : null) : "";
  if (shape === "boolean") return text === "true";
  if (shape !== "number" && shape !== "integer") return text;
  return readNumber(text);
}
