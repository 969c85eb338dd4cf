import { useMemo } from "react";
import type { PackView, RunCounts } from "@/shared/api";
import { inWords } from "@/shared/format";
import type { RunStatus } from "@/shared/events/run";
import type { Facet } from "@/shared/ui/FacetFilter";
import { RUN_STATES } from "@/shared/runs/words";

export type FacetName = "status" | "kind" | "type" | "runType" | "requestedBy" | "lane";

export const FACETS: readonly (readonly [FacetName, string])[] = [
  ["status", "State"],
  ["kind", "Records"],
  ["type", "Flow"],
  ["runType", "Type of run"],
  ["requestedBy", "Started by"],
  ["lane", "Lane"],
];

/** The values of each filter in words; those of which there is only one choice are left out. */
export function useFacets(
  counts: RunCounts | undefined,
  packs: readonly PackView[] | undefined,
): Record<FacetName, Facet[]> {
  return useMemo(() => {
    const of = (name: FacetName, word: (value: string, name?: string | null) => string) =>
      (counts?.[name] ?? []).map(({ value, name: person, count }) => ({
        value,
        label: word(value, person),
        count,
      }));
    const kinds = packs?.flatMap((pack) => pack.kinds) ?? [];
    return {
      status: of("status", (value) => RUN_STATES[value as RunStatus]?.word ?? value),
      kind: of("kind", (value) =>
        inWords(kinds.find((each) => each.kind === value)?.kind ?? value),
      ),
      type: of("type", inWords),
      runType: of("runType", (value) => (value === "default" ? "Whole" : inWords(value))),
      requestedBy: of("requestedBy", (_, person) => person ?? "Somebody who has left"),
      lane: of("lane", inWords),
    };
  }, [counts, packs]);
}
