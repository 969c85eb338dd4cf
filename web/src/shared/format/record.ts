import type { Kind, RecordData } from "@/shared/api/records";
import type { FieldView } from "@/shared/api/schema";
import type { Schema } from "@/shared/schema/schema";
import type { Tone } from "@/shared/ui/Chip";
import { inWords } from "./words";

/** The record's title, as its kind names it; its id where it has none. */
export function titleOf(kind: Kind, record: RecordData): string {
  const title = kind.display.title ? record[kind.display.title] : undefined;
  if (typeof title === "string" && title.trim()) return title;
  return record.externalId ?? `${kind.title} ${record.id.slice(0, 8)}`;
}

/** One muted line under the title. */
export function subtitleOf(kind: Kind, record: RecordData): string {
  const subtitle = kind.display.subtitle ? record[kind.display.subtitle] : undefined;
  if (typeof subtitle !== "string") return "";
  return labelOf(kind, kind.display.subtitle!, subtitle.trim());
}

/** A choice as its field calls it; any other text as it is. */
function labelOf(kind: Kind, field: string, value: string): string {
  return (kind.record as Schema).properties?.[field]?.["x-labels"]?.[value] ?? value;
}

/** The word for where a record stands, and what that means; undefined where it says nothing. */
export function stateOf(kind: Kind, record: RecordData): { word: string; tone: Tone } | undefined {
  const { state, tones } = kind.display;
  const value = state ? record[state] : undefined;
  if (typeof value !== "string" || !value) return undefined;
  const label = labelOf(kind, state!, value);
  const meaning = tones[value];
  return {
    word: label === value ? inWords(value) : label,
    tone: meaning ? TONES[meaning] : "neutral",
  };
}

const TONES = {
  draft: "excluded",
  waiting: "caution",
  active: "accent",
  success: "positive",
  failed: "negative",
} as const satisfies Record<string, Tone>;

/** The unit of a field's value in this record: its own, or what the field that holds it says. */
export function unitIn(
  record: Readonly<Record<string, unknown>>,
  { unit, unitField }: Pick<FieldView, "unit" | "unitField">,
): string | undefined {
  const held = unitField ? record[unitField] : undefined;
  return typeof held === "string" ? held : unit || undefined;
}

const DIGEST = /^[0-9a-f]{64}/;

/**
 * The address of the first photograph that is stored with the record: at full size, so for the page
 * of one record and not for a list.
 */
export function photographOf(kind: Kind, record: RecordData): string | undefined {
  const value = kind.display.picture ? record[kind.display.picture] : undefined;
  const first = (Array.isArray(value) ? value[0] : undefined) as { stored?: unknown } | undefined;
  const digest = typeof first?.stored === "string" ? DIGEST.exec(first.stored)?.[0] : undefined;
  return kind.takesFiles && digest ? `/api/${kind.kind}/${record.id}/files/${digest}` : undefined;
}

/** The address of the record's picture: the first of a list, a web address, or none. */
export function pictureOf(kind: Kind, record: RecordData): string | undefined {
  const value = kind.display.picture ? record[kind.display.picture] : undefined;
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const url =
    typeof first === "string"
      ? first
      : typeof first === "object" && first !== null && "url" in first
        ? String(first.url)
        : undefined;
  // Pictures of other sites are not loaded: their owner would learn who looks.
  return url?.startsWith("/") && !url.startsWith("//") ? url : undefined;
}
