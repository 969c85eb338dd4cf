import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { type ListQuery, type RecordData, readRecords } from "@/shared/api";

const AGAIN_MS = 15_000;
export const MOST_NEWER = 20;

/**
 * How many records that match came after the list was read, up to 20.  They are told, not shown: a
 * list never moves under the reader's hands.
 */
export function useNewer(kind: string, query: ListQuery, rows: readonly RecordData[]): number {
  const { sort: _, ...filters } = query;
  const { data } = useQuery({
    queryKey: ["records", kind, "newest", filters],
    queryFn: async ({ signal }) =>
      (await readRecords(kind, { ...filters, sort: "-createdAt" }, MOST_NEWER, signal)).items,
    refetchInterval: AGAIN_MS,
  });
  // The newest one at first sight: whatever is newer came later.
  const list = JSON.stringify([kind, filters]);
  const [known, know] = useState({ list: "", newest: "" });
  if (data && known.list !== list) know({ list, newest: data[0]?.createdAt ?? "" });
  const newer = useMemo(
    () => (known.list === list ? data?.filter((each) => each.createdAt > known.newest) : undefined),
    [data, known, list],
  );
  return useMemo(() => {
    if (!newer?.length) return 0;
    const shown = new Set(rows.map((row) => row.id));
    return newer.filter((each) => !shown.has(each.id)).length;
  }, [newer, rows]);
}
