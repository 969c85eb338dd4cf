import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { send } from "./client";
import { type Page, recordPath } from "./records";
import type { AttachmentAnswer } from "./schema";
import { upload, type UploadOptions } from "./upload";

export type RecordFile = AttachmentAnswer;

const filesOf = (kind: string, id: string) => ["records", kind, "one", id, "files"];

/** The files of a record, in their order. */
export function useFiles(kind: string, id: string) {
  return useInfiniteQuery({
    queryKey: filesOf(kind, id),
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: "100" });
      if (pageParam) query.set("cursor", pageParam);
      const path = `${recordPath(kind, id)}/files?${query}`;
      return (await send<Page<RecordFile>>(path, { signal })).data;
    },
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** Reads the record and its files anew, after one was added. */
export function useFilesChanged(kind: string) {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ["records", kind] });
}

/** Puts a file with a record; what it is, is decided by its content. */
export const attachFile = (kind: string, id: string, file: File, options: UploadOptions) =>
  upload<unknown>(
    `${recordPath(kind, id)}/files?${new URLSearchParams({ filename: file.name })}`,
    file,
    options,
  );

/** Changes the caption or the place of a file. */
export function useChangeFile(kind: string, id: string) {
  const changed = useFilesChanged(kind);
  return useMutation({
    mutationFn: ({ digest, ...change }: { digest: string; caption?: string; position?: number }) =>
      send(`${recordPath(kind, id)}/files/${digest}`, { method: "PATCH", body: change }),
    onSuccess: changed,
  });
}

export function useRemoveFile(kind: string, id: string) {
  const changed = useFilesChanged(kind);
  return useMutation({
    mutationFn: (digest: string) =>
      send(`${recordPath(kind, id)}/files/${digest}`, { method: "DELETE" }),
    onSuccess: changed,
  });
}
