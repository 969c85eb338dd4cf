/** The parts of JSON Schema that Pydantic writes, as far as pages are drawn from them. */
export interface Schema {
  type?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  $ref?: string;
  $defs?: Record<string, Schema>;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  title?: string;
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  /** What people call the choices of this field. */
  "x-labels"?: Record<string, string>;
}

/** What a value is to a reader; it decides how it is drawn and what control edits it. */
export type Shape =
  | "text"
  | "longText"
  | "number"
  | "integer"
  | "boolean"
  | "date"
  | "time"
  | "link"
  | "choice"
  | "id"
  | "list"
  | "object"
  | "map"
  | "unknown";

/** From here on, text gets a block of its own. */
const LONG_TEXT = 1_000;

/** The schema itself: references followed, and `null` left out of `anyOf`. */
export function resolve(schema: Schema | undefined, root: Schema): Schema {
  let current = schema ?? {};
  for (let hops = 0; hops < 10; hops += 1) {
    if (current.$ref) {
      const name = current.$ref.split("/").pop() ?? "";
      const { $ref: _, ...rest } = current;
      current = { ...(root.$defs?.[name] ?? {}), ...rest };
    } else if (current.anyOf) {
      const { anyOf, ...rest } = current;
      const [only, ...others] = anyOf.filter((each) => each.type !== "null");
      if (!only) return rest;
      // Of several types the widest is text: `string | number` is written as text.
      const chosen = others.length ? (anyOf.find((each) => each.type === "string") ?? only) : only;
      current = { ...chosen, ...rest };
    } else return current;
  }
  return current;
}

export const isNullable = (schema: Schema | undefined): boolean =>
  schema?.anyOf?.some((each) => each.type === "null") ?? false;

export function shapeOf(schema: Schema | undefined, root: Schema): Shape {
  const plain = resolve(schema, root);
  if (plain.enum) return "choice";
  switch (plain.type) {
    case "number":
    case "integer":
    case "boolean":
      return plain.type;
    case "array":
      return "list";
    case "object":
      return plain.properties ? "object" : "map";
    case "string":
      if (plain.format === "date") return "date";
      if (plain.format === "date-time") return "time";
      if (plain.format === "uuid") return "id";
      if (plain.format === "uri") return "link";
      return (plain.maxLength ?? 0) >= LONG_TEXT ? "longText" : "text";
    default:
      return "unknown";
  }
}

/** The shape of a value whose schema is not known. */
export function shapeOfValue(value: unknown): Shape {
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  if (Array.isArray(value)) return "list";
  if (typeof value === "object" && value !== null) return "object";
  if (typeof value !== "string") return "unknown";
  if (/^https?:\/\//.test(value)) return "link";
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return "date";
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(value)) return "time";
  return value.length > 200 ? "longText" : "text";
}
