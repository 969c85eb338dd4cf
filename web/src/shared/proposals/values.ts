import type { Kind } from "@/shared/api/records";
import { inWords } from "@/shared/format";

/** The name of a field as people call it. */
export function fieldLabel(
  kind: Kind | undefined,
  field: string,
  called?: Record<string, string>,
): string {
  const label = kind?.fields.find((each) => each.name === field)?.label ?? called?.[field];
  return label ?? inWords(field);
}
