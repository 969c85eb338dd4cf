import { useQueries } from "@tanstack/react-query";
import { usePacks } from "./account";
import { send } from "./client";
import { type Kind, type Page, type RecordData, recordPath } from "./records";

const HITS_OF_A_KIND = 5;
const SHORTEST = 2;

/** Records of every kind that match, the best of each kind first. */
export function useSearchRecords(search: string) {
  const kinds = (usePacks().data ?? [])
    .flatMap((pack) => pack.kinds)
    .filter((kind) => kind.fields.some((field) => field.canSearch));
  return useQueries({
    queries: kinds.map((kind) => ({
      queryKey: ["records", kind.kind, "search", search],
      enabled: search.length >= SHORTEST,
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const query = new URLSearchParams({ search, limit: String(HITS_OF_A_KIND) });
        const path = `${recordPath(kind.kind)}?${query}`;
        return (await send<Page<RecordData>>(path, { signal })).data.items;
      },
    })),
    combine: (results) => ({
      isFetching: results.some((result) => result.isFetching),
      records: results.flatMap((result, index) =>
        (result.data ?? []).map((record): { kind: Kind; record: RecordData } => ({
          kind: kinds[index]!,
          record,
        })),
      ),
    }),
  });
}
