import {
  type InfiniteData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { usePacks } from "./account";
import { send } from "./client";
import type { Counts, HistoryEntry, KindView, PackView } from "./schema";

export type Kind = KindView;

/** A record of any kind: what every kind has, and the kind's own fields by name. */
export interface RecordData {
  id: string;
  externalId: string | null;
  version: number;
  createdAt: string;
  updatedAt: string;
  /** What to correct in a record that was stored under older rules. */
  notValid: string[] | null;
  [field: string]: unknown;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** Parameters of a list: filters by their names, `search` and `sort`. */
export type ListQuery = Record<string, string | string[] | undefined>;

const part = encodeURIComponent;

/** The address of a kind's list, or of one record of it. */
export const recordPath = (kind: string, id?: string): string =>
  id === undefined ? `/api/${part(kind)}` : `/api/${part(kind)}/${part(id)}`;

function parameters(query: ListQuery): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && each !== "") pairs.append(name, each);
  return pairs.toString();
}

/** The kind of this name with its pack; undefined while packs load and for unknown kinds. */
export function useKind(name: string): { pack: PackView; kind: Kind } | undefined {
  for (const pack of usePacks().data ?? [])
    for (const kind of pack.kinds) if (kind.kind === name) return { pack, kind };
  return undefined;
}

/** One page of a kind's list. */
export async function readRecords(
  kind: string,
  query: ListQuery,
  limit: number,
  signal: AbortSignal,
): Promise<Page<RecordData>> {
  const path = `${recordPath(kind)}?${parameters({ ...query, limit: String(limit) })}`;
  return (await send<Page<RecordData>>(path, { signal })).data;
}

/** Pages that are read again after a change; a longer list stays as it is until it is reloaded. */
const MOST_READ_AGAIN = 20;

/** A kind's list, page by page. */
export function useRecords(kind: string, query: ListQuery, limit = 100) {
  const queryKey = ["records", kind, "list", query];
  const loaded = useQueryClient().getQueryData<InfiniteData<unknown>>(queryKey)?.pages.length ?? 0;
  return useInfiniteQuery({
    queryKey,
    enabled: loaded <= MOST_READ_AGAIN,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      readRecords(kind, { ...query, cursor: pageParam ?? undefined }, limit, signal),
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** How many there are under these filters, in all and by the values of `by`. */
export function useRecordCounts(
  kind: string,
  query: ListQuery,
  by: string[] = [],
  isWanted = true,
) {
  const { sort: _, ...filters } = query;
  return useQuery({
    queryKey: ["records", kind, "counts", filters, by],
    enabled: isWanted,
    queryFn: async ({ signal }) => {
      const path = `${recordPath(kind)}/counts?${parameters({ ...filters, by })}`;
      return (await send<Counts>(path, { signal })).data;
    },
    placeholderData: (previous) => previous,
  });
}

export function useRecord(kind: string, id: string, isWanted = true) {
  return useQuery({
    queryKey: ["records", kind, "one", id],
    enabled: isWanted,
    queryFn: async ({ signal }) => (await send<RecordData>(recordPath(kind, id), { signal })).data,
  });
}

export function useCreateRecord(kind: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (fields: Record<string, unknown>) =>
      (await send<RecordData>(recordPath(kind), { method: "POST", body: fields })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: ["records", kind] }),
  });
}

/** Changes fields, unless somebody else changed the record since it was read. */
export function useUpdateRecord(kind: string, id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ version, ...fields }: { version: number } & Record<string, unknown>) =>
      (
        await send<RecordData>(recordPath(kind, id), {
          method: "PATCH",
          body: fields,
          headers: { "If-Match": `"${version}"` },
        })
      ).data,
    onSuccess: (record) => {
      queries.setQueryData(["records", kind, "one", id], record);
      return queries.invalidateQueries({ queryKey: ["records", kind] });
    },
  });
}

/** Attaches a file to a record. */
export function useAttachFile(kind: string, id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (file: File) => {
      const path = `${recordPath(kind, id)}/files?${parameters({ filename: file.name })}`;
      return send<RecordData>(path, { method: "POST", body: file });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["records", kind] }),
  });
}

export function useDeleteRecord(kind: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => send(recordPath(kind, id), { method: "DELETE" }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["records", kind] }),
  });
}

/** What happened to a record, newest first. */
export function useRecordHistory(kind: string, id: string) {
  return useInfiniteQuery({
    queryKey: ["records", kind, "one", id, "history"],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = parameters({ cursor: pageParam ?? undefined });
      const path = `${recordPath(kind, id)}/audit?${query}`;
      return (await send<Page<HistoryEntry>>(path, { signal })).data;
    },
    getNextPageParam: (page) => page.nextCursor,
  });
}
