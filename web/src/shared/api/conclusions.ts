import { useQueries } from "@tanstack/react-query";
import { send } from "./client";
import { recordPath } from "./records";
import type { RecordConclusions } from "./schema";

export type { RecordConclusions } from "./schema";

/** What research concluded about records, asked for in groups that lists scroll through. */
export function useConclusions(kind: string, groups: readonly string[][], isWanted: boolean) {
  return useQueries({
    queries: groups.map((ids) => ({
      queryKey: ["records", kind, "conclusions", ids],
      enabled: isWanted,
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const query = ids.map((id) => `id=${id}`).join("&");
        const path = `${recordPath(kind)}/conclusions?${query}`;
        return (await send<RecordConclusions[]>(path, { signal })).data;
      },
    })),
    combine: byRecord,
  });
}

function byRecord(answers: { data?: RecordConclusions[] }[]): Map<string, RecordConclusions> {
  return new Map(answers.flatMap(({ data }) => data ?? []).map((each) => [each.id, each]));
}
