import type { Kind, RecordData } from "@/shared/api/records";

/** The record's title, as its kind names it; its id where it has none. */
export function titleOf(kind: Kind, record: RecordData): string {
  const title = kind.display.title ? record[kind.display.title] : undefined;
  if (typeof title === "string" && title.trim()) return title;
  return record.externalId ?? `${kind.title} ${record.id.slice(0, 8)}`;
}

/** One muted line under the title. */
export function subtitleOf(kind: Kind, record: RecordData): string {
  const subtitle = kind.display.subtitle ? record[kind.display.subtitle] : undefined;
  return typeof subtitle === "string" ? subtitle.trim() : "";
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
