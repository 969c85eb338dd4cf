import type { FieldShown } from "@/shared/api";
import { Field, Select } from "@/shared/ui";
import { CheckboxChoice, RadioChoice } from "./controls";
import { isList } from "./values";

const YES_NO = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];
const LINES = 4;
const LONG_LINES = 6;

/** The control of one field of a step, by its widget; a pack's own widget is drawn by its choices. */
export function StepField({
  field,
  value,
  error,
  source,
  onChange,
}: {
  field: FieldShown;
  value: string | string[];
  error?: string;
  /** Where the value is known from, if nobody typed it. */
  source?: string;
  onChange: (value: string | string[]) => void;
}) {
  const choices = field.choices.map((choice) => ({
    value: String(choice.value),
    label: capitalized(choice.label),
  }));
  const options = choices.length ? choices : field.widget === "yes_no" ? YES_NO : [];
  const common = {
    label: field.label,
    help: <Help field={field} source={source} />,
    error,
    isRequired: field.required,
  };
  if (isList(field) && options.length)
    return (
      <CheckboxChoice
        {...common}
        options={options}
        value={Array.isArray(value) ? value : []}
        onChange={onChange}
      />
    );
  if (isList(field))
    return (
      <Field
        {...common}
        rows={LINES}
        value={Array.isArray(value) ? value.join("\n") : value}
        onChange={(text) => onChange(text.split("\n"))}
      />
    );
  const text = Array.isArray(value) ? value.join(" ") : value;
  if (options.length && field.widget === "select")
    return (
      <Select
        {...common}
        value={text || null}
        onChange={onChange}
        options={field.required ? options : [{ value: "", label: "Not answered" }, ...options]}
      />
    );
  if (options.length)
    return <RadioChoice {...common} options={options} value={text} onChange={onChange} />;
  if (field.widget === "textarea")
    return <Field {...common} rows={LONG_LINES} value={text} onChange={onChange} />;
  const isShort = field.widget === "number" || field.widget === "date";
  return (
    <div className={isShort ? "max-w-96" : undefined}>
      <Field
        {...common}
        value={text}
        onChange={onChange}
        unit={field.unit || undefined}
        inputMode={field.widget === "number" ? "decimal" : "text"}
        autoComplete="off"
      />
    </div>
  );
}

function Help({ field, source }: { field: FieldShown; source?: string }) {
  const remarks = [
    field.help,
    field.widget === "date" && "For example 2026-03-02.",
    isList(field) && !field.choices.length && "One a line.",
    source && `Known from ${source}.`,
  ].filter(Boolean);
  return remarks.length ? remarks.join(" ") : null;
}

const capitalized = (label: string): string => label.charAt(0).toUpperCase() + label.slice(1);
