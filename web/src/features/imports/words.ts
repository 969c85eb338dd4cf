import { type ImportPreview, isUndoing, type StoredImport } from "@/shared/api/imports";
import { number } from "@/shared/format";
import type { Tone } from "@/shared/ui";

/** The state of an import in words. */
export function stateOf(each: StoredImport): { word: string; tone: Tone } {
  if (isUndoing(each)) return { word: "Undoing", tone: "accent" };
  if (each.undo?.state === "done") return { word: "Undone", tone: "excluded" };
  if (each.undo) return { word: "Undone in part", tone: "caution" };
  switch (each.status) {
    case "draft":
      return { word: "Not started", tone: "caution" };
    case "waiting":
      return { word: "Waiting", tone: "neutral" };
    case "running":
      return { word: "Running", tone: "accent" };
    case "done":
      return { word: "Done", tone: "positive" };
    case "failed":
      return { word: "Failed", tone: "negative" };
    default:
      return { word: "Cancelled", tone: "excluded" };
  }
}

/** `1 row`, `2,000 rows`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

/** How many columns hold a field, are kept under their own name, or are not read. */
export function understood({ columns }: Pick<ImportPreview, "columns">): string {
  const kept = columns.filter((each) => each.field?.startsWith("attr:")).length;
  const left = columns.filter((each) => each.field === null).length;
  if (!kept && !left) return "Every column was understood.";
  const parts = [
    `${columns.length - kept - left} of ${counted(columns.length, "column")} understood`,
    kept && `${number(kept)} kept as attributes`,
    left && `${number(left)} not read`,
  ].filter(Boolean);
  return `${parts.join(", ")}.`;
}

/** `2.4 MB`. */
export function bytes(size: number): string {
  if (size < 1_000) return counted(size, "byte");
  if (size < 1_000_000) return `${number(size / 1_000, 0)} kB`;
  return `${number(size / 1_000_000, 1)} MB`;
}

/** The share of the file that was read; unknown for a workbook, which is measured in rows. */
export function shareOf(each: StoredImport): number | undefined {
  if (/\.(xlsx?|xlsm|xlsb|ods)$/i.test(each.filename) || !each.size) return undefined;
  return Math.min(1, each.bytesDone / each.size);
}

/** What the choice becomes when a column is read as another field.

    A field that takes one column is given up by the column that was chosen for it before. */
export function choose(
  chosen: Readonly<Record<string, string>>,
  header: string,
  field: string | null,
  fields: ImportPreview["fields"],
): Record<string, string> {
  const takesMany =
    field === null || field === "ignore" || fields.find((each) => each.name === field)?.many;
  const kept = Object.entries(chosen).filter(
    ([other, its]) => other !== header && (takesMany || its !== field),
  );
  return Object.fromEntries(field === null ? kept : [...kept, [header, field]]);
}
