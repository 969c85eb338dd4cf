import type { FieldShown, StepPayload } from "@/shared/api";

/** What stands in the controls: text as it was typed, or the chosen values as text. */
export type Draft = Record<string, string | string[]>;

type Schema = Record<string, unknown>;

export const isList = (field: FieldShown): boolean => field.widget === "checkboxes";

/** What a step's controls show at first: its values, else the defaults of its schema. */
export function draftOf({ schema, ui, values }: StepPayload): Draft {
  const properties = (schema["properties"] ?? {}) as Record<string, Schema>;
  return Object.fromEntries(
    ui.fields.map((field) => {
      const value = field.name in values ? values[field.name] : properties[field.name]?.["default"];
      return [
        field.name,
        isList(field)
          ? Array.isArray(value)
            ? value.map(String)
            : []
          : value === null || value === undefined
            ? ""
            : String(value),
      ];
    }),
  );
}

/** The answer to send.  Figures go as numbers where they are plain; all else goes as it was typed,
 * for the server to read or to refuse at its field. */
export function responsesOf(fields: readonly FieldShown[], draft: Draft): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => {
      const value = draft[field.name] ?? "";
      if (Array.isArray(value))
        return [field.name, value.map((each) => chosen(field, each)).filter((each) => each !== "")];
      return [field.name, value.trim() === "" ? null : chosen(field, value)];
    }),
  );
}

function chosen(field: FieldShown, text: string): unknown {
  const choice = field.choices.find(({ value }) => String(value) === text);
  if (choice) return choice.value;
  if (field.widget === "yes_no") return text === "true";
  if (field.widget === "number") return figure(text);
  return isList(field) ? text.trim() : text;
}

/** `1,250` and `1250.5 ` as numbers; anything else as it is. */
function figure(text: string): number | string {
  const plain = text
    .trim()
    .replace(/^(-?\d{1,3})((?:,\d{3})+)(?=\.|$)/, (all) => all.replaceAll(",", ""));
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : text;
}

/** An answer as its person reads it in a conversation: `Parent`, or `First day: 7 September`. */
export function answerInWords(payload: StepPayload, draft: Draft): string {
  const { fields } = payload.ui;
  const lines = fields.flatMap((field) => {
    const value = draft[field.name] ?? "";
    const words = (Array.isArray(value) ? value : [value])
      .filter((each) => each.trim() !== "")
      .map((each) => choiceInWords(field, each))
      .join(", ");
    if (!words) return [];
    const unit = field.unit ? ` ${field.unit}` : "";
    return [fields.length === 1 ? `${words}${unit}` : `${field.label}: ${words}${unit}`];
  });
  return lines.join("\n") || payload.submitLabel || "Continue";
}

const YES_NO: Record<string, string> = { true: "Yes", false: "No" };

function choiceInWords(field: FieldShown, text: string): string {
  const label = field.choices.find(({ value }) => String(value) === text)?.label;
  if (label) return label.charAt(0).toUpperCase() + label.slice(1);
  return (field.widget === "yes_no" && YES_NO[text]) || text;
}
