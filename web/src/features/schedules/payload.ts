import { resolve, type Schema, shapeOf } from "@/shared/schema/schema";

/** One member of what a job is started with, and the control that its type asks for. */
export interface Member {
  name: string;
  label: string;
  help: string | undefined;
  isRequired: boolean;
  control: "text" | "number" | "boolean" | "choice" | "list" | "json";
  choices: string[];
}

export function membersOf(root: Schema): Member[] {
  return Object.entries(root.properties ?? {}).map(([name, schema]) => {
    const plain = resolve(schema, root);
    return {
      name,
      label: plain.title ?? name,
      help: plain.description,
      isRequired: root.required?.includes(name) ?? false,
      control: controlOf(schema, root),
      choices: (plain.enum ?? []).map(String),
    };
  });
}

function controlOf(schema: Schema, root: Schema): Member["control"] {
  switch (shapeOf(schema, root)) {
    case "boolean":
      return "boolean";
    case "number":
    case "integer":
      return "number";
    case "choice":
      return "choice";
    case "list": {
      const items = resolve(schema, root).items;
      return items && ["text", "choice"].includes(shapeOf(items, root)) ? "list" : "json";
    }
    case "object":
    case "map":
    case "unknown":
      return "json";
    default:
      return "text";
  }
}

/** A payload as controls hold it. */
export function draftOf(
  members: readonly Member[],
  payload: Record<string, unknown>,
): Record<string, string> {
  return Object.fromEntries(
    members.map(({ name, control }) => {
      const value = payload[name];
      if (value === null || value === undefined) return [name, ""];
      if (control === "list" && Array.isArray(value)) return [name, value.join("\n")];
      return [name, control === "json" ? JSON.stringify(value, null, 2) : String(value)];
    }),
  );
}

/** The object that lines of `name=value` mean; a name that stands twice has a list. */
function pairsOf(text: string): Record<string, string | string[]> {
  const pairs: Record<string, string | string[]> = {};
  for (const line of text.split("\n").filter((each) => each.trim())) {
    const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.+?)\s*$/.exec(line) ?? [];
    if (!name || !value) throw new SyntaxError(line);
    pairs[name] = pairs[name] === undefined ? value : [pairs[name], value].flat();
  }
  return pairs;
}

/** The payload that the controls mean, and what cannot be read; what is empty is left out. */
export function payloadOf(
  members: readonly Member[],
  draft: Readonly<Record<string, string>>,
): { payload: Record<string, unknown>; errors: Record<string, string> } {
  const payload: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  for (const { name, control, isRequired } of members) {
    const text = (draft[name] ?? "").trim();
    if (!text) {
      if (isRequired) errors[name] = "Enter a value.";
      continue;
    }
    if (control === "number") {
      const value = Number(text.replace(",", "."));
      if (Number.isFinite(value)) payload[name] = value;
      else errors[name] = "Enter a number.";
    } else if (control === "boolean") payload[name] = text === "true";
    else if (control === "list")
      payload[name] = text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
    else if (control === "json")
      try {
        payload[name] = /^[[{]/.test(text) ? (JSON.parse(text) as unknown) : pairsOf(text);
      } catch {
        errors[name] = "Write one a line, as name=value.";
      }
    else payload[name] = text;
  }
  return { payload, errors };
}
