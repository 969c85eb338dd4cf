import { useKind } from "@/shared/api";
import type { ImportPreview } from "@/shared/api/imports";
import { inWords, number } from "@/shared/format";
import type { Schema } from "@/shared/schema/schema";
import { unitIn } from "@/shared/format/record";
import { Value } from "@/shared/schema/Value";
import { StateChip } from "@/shared/ui";
import { Card } from "@/shared/ui/Page";

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);

/** A map of words on one line, such as the attributes of an item; anything else as it is. */
function asLine(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const pairs = Object.entries(value);
  if (!pairs.every(([, each]) => typeof each === "string")) return value;
  return pairs.map(([name, each]) => `${name}: ${String(each)}`).join(", ");
}

/** The first rows, as the records that they would become. */
export function FirstRows({ shown, kind: name }: { shown: ImportPreview; kind: string | null }) {
  const kind = useKind(name ?? "")?.kind;
  if (!shown.rows.length) return null;
  const present = new Set(
    shown.rows.flatMap(({ record }) => Object.keys(record).filter((key) => !isEmpty(record[key]))),
  );
  const ordered = kind
    ? kind.fields.map((field) => field.name)
    : Object.keys(shown.rows[0]!.record);
  const names = ordered.filter((each) => present.has(each));
  const root = (kind?.record ?? {}) as Schema;
  const unitOf = (record: Record<string, unknown>, each: string) => {
    const field = kind?.fields.find((field) => field.name === each);
    return field && unitIn(record, field);
  };
  const label = (each: string) =>
    kind?.fields.find((field) => field.name === each)?.label ?? inWords(each);
  return (
    <Card
      title={`The first ${shown.rows.length === 1 ? "row" : `${number(shown.rows.length)} rows`}, as they would be written`}
    >
      <div
        role="region"
        aria-label="First rows"
        tabIndex={0}
        className="-m-4 max-h-112 overflow-auto"
      >
        <table className="w-full border-collapse text-table">
          <thead>
            <tr className="sticky top-0 bg-sunken text-left text-muted">
              <th className="px-4 py-1.5 font-medium">Line</th>
              <th className="px-3 py-1.5 font-medium">Result</th>
              <th className="px-3 py-1.5 font-medium">ID</th>
              {names.map((each) => (
                <th key={each} className="px-3 py-1.5 font-medium whitespace-nowrap">
                  {label(each)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.rows.map((row) => (
              <tr key={row.line} className="border-t border-line align-top">
                <td className="figures px-4 py-2 text-muted">{row.line}</td>
                <td className="px-3 py-2">
                  <Outcome row={row} />
                </td>
                <td className="max-w-40 truncate px-3 py-2 font-mono text-small leading-5">
                  {row.externalId}
                </td>
                {names.map((each) => (
                  <td key={each} className="max-w-72 min-w-28 px-3 py-2">
                    <div className="line-clamp-2 wrap-anywhere">
                      <Value
                        value={asLine(row.record[each])}
                        schema={
                          typeof asLine(row.record[each]) === "string" &&
                          typeof row.record[each] === "object"
                            ? undefined
                            : root.properties?.[each]
                        }
                        root={root}
                        unit={unitOf(row.record, each)}
                      />
                    </div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Outcome({ row }: { row: ImportPreview["rows"][number] }) {
  const warned = row.warnings.length > 0 && (
    <span className="mt-1 block max-w-64 min-w-44 text-small text-caution">
      {row.warnings.join(" ")}
    </span>
  );
  switch (row.outcome) {
    case "added":
      return (
        <>
          <StateChip tone="positive">New</StateChip>
          {warned}
        </>
      );
    case "updated":
      return (
        <>
          <StateChip tone="accent">Changes</StateChip>
          <span className="mt-1 block max-w-64 text-small text-muted">
            {row.changed.map(inWords).join(", ")}
          </span>
          {warned}
        </>
      );
    case "unchanged":
      return (
        <>
          <StateChip>The same</StateChip>
          {warned}
        </>
      );
    default:
      return warned || <span className="text-muted">—</span>;
  }
}

/** Refused rows: where, what, and why. */
export function Refusals({
  rows,
  fields = [],
}: {
  rows: readonly { line: number; field: string | null; value: string; reason: string }[];
  fields?: ImportPreview["fields"];
}) {
  const label = (name: string) => fields.find((each) => each.name === name)?.label ?? inWords(name);
  return (
    <ul className="-my-2 text-table">
      {rows.map((row, index) => (
        <li
          key={`${row.line} ${index}`}
          className="grid grid-cols-[4.5rem_1fr] gap-x-4 border-b border-line py-2 last:border-0"
        >
          <span className="figures text-muted">Line {row.line}</span>
          <span className="min-w-0">
            <span className="block wrap-anywhere">{row.reason}</span>
            {(row.field || row.value) && (
              <span className="block text-muted wrap-anywhere">
                {row.field && label(row.field)}
                {row.field && row.value && ": "}
                {row.value && <q>{row.value}</q>}
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
