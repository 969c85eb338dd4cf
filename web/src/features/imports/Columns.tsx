import type { ImportPreview } from "@/shared/api/imports";
import { Button, classes, Icon, Select, type Option } from "@/shared/ui";
import { Card } from "@/shared/ui/Page";
import { understood } from "./words";

const ATTRIBUTE = "attr:";

/** Which column is read as which field; each can be changed or left out. */
export function Columns({
  shown,
  chosen,
  onChoose,
  onReset,
}: {
  shown: ImportPreview;
  chosen: Readonly<Record<string, string>>;
  onChoose: (header: string, field: string | null) => void;
  onReset: () => void;
}) {
  return (
    <Card
      title="Columns"
      actions={
        Object.keys(chosen).length > 0 && (
          <Button look="quiet" onPress={onReset}>
            Take all choices back
          </Button>
        )
      }
    >
      <p className="mb-3 text-muted">
        {understood(shown)} Change what a column means where it is wrong.
      </p>
      <table className="w-full border-collapse text-table">
        <thead className="max-sm:sr-only">
          <tr className="border-b border-line text-left text-muted">
            <th className="py-1.5 pr-4 font-medium">In the file</th>
            <th className="py-1.5 pr-4 font-medium">For example</th>
            <th className="w-72 py-1.5 font-medium">Read as</th>
            <th className="w-10">
              <span className="sr-only">Take the choice back</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.columns.map((column) => (
            <tr
              key={column.header}
              className="border-b border-line last:border-0 max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:gap-x-2 max-sm:py-2"
            >
              <th
                scope="row"
                className="max-w-72 py-1.5 pr-4 text-left font-medium wrap-anywhere max-sm:col-span-2 max-sm:py-0"
              >
                {column.header}
              </th>
              <td className="max-w-0 py-1.5 pr-4 text-muted sm:w-1/2 max-sm:col-span-2 max-sm:max-w-full max-sm:py-0.5">
                <span className="block truncate" title={column.samples.join(" · ")}>
                  {column.samples.length ? (
                    <bdi>{column.samples.join(" · ")}</bdi>
                  ) : (
                    <span className="italic">empty</span>
                  )}
                </span>
              </td>
              <td className="py-1.5">
                <div className={classes(column.field === null && "text-muted")}>
                  <Select
                    isCompact
                    label={`Read “${column.header}” as`}
                    value={column.field ?? "ignore"}
                    options={optionsOf(shown, column)}
                    onChange={(field) => onChoose(column.header, field)}
                  />
                </div>
              </td>
              <td className="py-1.5 pl-1 text-right">
                {column.header in chosen && (
                  <Button
                    look="quiet"
                    className="px-2"
                    aria-label={`Take back the choice for “${column.header}”`}
                    onPress={() => onChoose(column.header, null)}
                  >
                    <Icon name="refresh" />
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function optionsOf(shown: ImportPreview, column: ImportPreview["columns"][number]): Option[] {
  const attribute = column.field?.startsWith(ATTRIBUTE)
    ? column.field
    : `${ATTRIBUTE}${column.header}`;
  return [
    { value: "ignore", label: "Not read" },
    ...(shown.keepsUnknown
      ? [{ value: attribute, label: `Attribute “${attribute.slice(ATTRIBUTE.length)}”` }]
      : []),
    ...shown.fields.map(({ name, label, isRequired }) => ({
      value: name,
      label: isRequired ? `${label} (needed)` : label,
    })),
  ];
}
