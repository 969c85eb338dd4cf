import type { Kind } from "@/shared/api";
import { resolve, type Schema, shapeOf } from "@/shared/schema/schema";
import { choiceInWords } from "@/shared/schema/Value";
import { Field, Select } from "@/shared/ui";
import type { FieldInfo } from "./draft";
import { RelationControl } from "./RelationControl";

/** The control that a field's type chooses. */
export function FieldControl({
  kind,
  field,
  value,
  onChange,
  error,
  unit,
  autoFocus,
}: {
  kind: Kind;
  field: FieldInfo;
  value: string;
  onChange: (value: string) => void;
  error?: string;
  unit?: string;
  /** Of a line or block of text. */
  autoFocus?: boolean;
}) {
  const root = kind.record as Schema;
  const schema = root.properties?.[field.name];
  const shape = shapeOf(schema, root);
  const common = {
    label: field.label,
    help: field.description || undefined,
    error,
    isRequired: field.isRequired,
    value,
    onChange,
  };
  const relation = kind.relations.find((each) => each.field === field.name);
  if (relation) return <RelationControl {...common} to={relation.kind} />;
  switch (shape) {
    case "choice": {
      const words = (resolve(schema, root).enum ?? []).map((each) => ({
        value: String(each),
        label: choiceInWords(each, schema),
      }));
      const options = field.isRequired ? words : [{ value: "", label: "Not stated" }, ...words];
      return <Select {...common} options={options} />;
    }
    case "boolean":
      return (
        <Select
          {...common}
          options={[
            ...(field.isRequired ? [] : [{ value: "", label: "Not stated" }]),
            { value: "true", label: "Yes" },
            { value: "false", label: "No" },
          ]}
        />
      );
    case "number":
    case "integer":
      return (
        <Field
          {...common}
          inputMode={shape === "integer" ? "numeric" : "decimal"}
          unit={unit ?? (field.unit || undefined)}
        />
      );
    case "date":
      return <Field {...common} type="date" />;
    case "list":
      return <Field {...common} rows={3} help={field.description || "One a line."} />;
    case "longText":
      return <Field {...common} rows={6} />;
    default:
      return (
        <Field {...common} autoFocus={autoFocus} rows={isProse(schema, root) ? 4 : undefined} />
      );
  }
}

/** Text without a limit, or with a generous one, is prose. */
function isProse(schema: Schema | undefined, root: Schema): boolean {
  const plain = resolve(schema, root);
  return plain.maxLength === undefined && plain.default === "";
}
