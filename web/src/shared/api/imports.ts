import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { usePacks } from "./account";
import { answered, api } from "./client";
import type {
  ImportPage,
  ImportPreview,
  ImportView,
  PackView,
  StoredImportAnswer,
  SubmittedImport,
} from "./schema";
import { upload, type UploadOptions } from "./upload";

export type StoredImport = StoredImportAnswer;
export type { ImportPreview, ImportView };

/** How the columns of a file are to be read: header to field, `attr:NAME` or `ignore`. */
export interface ImportChoice {
  mapping: Record<string, string>;
  clearEmpty: boolean;
}

const LOOK_MS = 1_000;
const LOOK_AT_LIST_MS = 5_000;

const isUnderWay = (state?: string): boolean => state === "waiting" || state === "running";

export const isUndoing = (each: Pick<StoredImport, "undo">): boolean =>
  isUnderWay(each.undo?.state);

/** Whether it is being imported or undone. */
export const isActive = (each: Pick<StoredImport, "status" | "undo">): boolean =>
  isUnderWay(each.status) || isUndoing(each);

export interface Importer extends ImportView {
  pack: PackView;
  /** What it imports, in a word or two. */
  label: string;
  /** What its files may be. */
  about: string;
}

/** Every importer of every pack. */
export function useImporters(): Importer[] | undefined {
  return usePacks().data?.flatMap((pack) =>
    pack.imports.map((each) => {
      const [label = each.title, ...rest] = each.title.split(": ");
      return { ...each, pack, label, about: rest.join(": ") };
    }),
  );
}

/** Stores a file without importing it; the answer names its draft. */
export const uploadImport = (name: string, file: File, options: UploadOptions) =>
  upload<SubmittedImport>(
    `/api/imports/${encodeURIComponent(name)}/files?${new URLSearchParams({ filename: file.name, start: "false" })}`,
    file,
    options,
  );

/** The organization's imports, the newest first; looked at again while one is under way. */
export function useImports() {
  return useInfiniteQuery({
    queryKey: ["imports", "list"],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      answered<ImportPage>(
        api.GET("/api/imports", { params: { query: { cursor: pageParam } }, signal }),
      ),
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some(isActive)) ? LOOK_AT_LIST_MS : false,
  });
}

/** The imports that wrote a record, the newest first. */
export function useImportsOf(record: string) {
  return useQuery({
    queryKey: ["imports", "of", record],
    queryFn: async ({ signal }) =>
      (
        await answered<ImportPage>(
          api.GET("/api/imports", { params: { query: { record, limit: 5 } }, signal }),
        )
      ).items,
    staleTime: 60_000,
  });
}

/** One import, as it goes on; the records are read anew once it ends. */
export function useImport(id: string) {
  const queries = useQueryClient();
  const was = useRef<boolean>(undefined);
  const query = useQuery({
    queryKey: ["imports", "one", id],
    queryFn: ({ signal }) =>
      answered<StoredImport>(
        api.GET("/api/imports/{importId}", { params: { path: { importId: id } }, signal }),
      ),
    refetchInterval: ({ state }) => (state.data && isActive(state.data) ? LOOK_MS : false),
  });
  const isOn = query.data && isActive(query.data);
  useEffect(() => {
    const before = was.current;
    was.current = isOn;
    if (isOn !== false || !before) return;
    void queries.invalidateQueries({ queryKey: ["records"] });
    void queries.invalidateQueries({ queryKey: ["imports", "list"] });
    void queries.invalidateQueries({ queryKey: ["imports", "one", id, "changes"] });
  }, [isOn, id, queries]);
  return query;
}

/** What the import of a stored file would do; nothing is written. */
export function useImportPreview(id: string, choice: ImportChoice, isWanted: boolean) {
  return useQuery({
    enabled: isWanted,
    queryKey: ["imports", "preview", id, choice],
    queryFn: ({ signal }) =>
      answered<ImportPreview>(
        api.POST("/api/imports/{importId}/preview", {
          params: { path: { importId: id } },
          body: choice,
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 30_000,
  });
}

export function useStartImport(id: string) {
  return useChange((choice: ImportChoice) =>
    answered<StoredImport>(
      api.POST("/api/imports/{importId}/start", {
        params: { path: { importId: id } },
        body: choice,
      }),
    ),
  );
}

export function useResumeImport(id: string) {
  return useChange(() =>
    answered<StoredImport>(
      api.POST("/api/imports/{importId}/resume", { params: { path: { importId: id } } }),
    ),
  );
}

export function useCancelImport(id: string) {
  return useChange(() =>
    answered<StoredImport>(
      api.POST("/api/imports/{importId}/cancel", { params: { path: { importId: id } } }),
    ),
  );
}

/** A change whose answer is the import itself. */
function useChange<V>(change: (value: V) => Promise<StoredImport>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (stored) => {
      queries.setQueryData(["imports", "one", stored.id], stored);
      return queries.invalidateQueries({ queryKey: ["imports", "list"] });
    },
  });
}

export function useDiscardImport() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answered(api.DELETE("/api/imports/{importId}", { params: { path: { importId: id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["imports", "list"] }),
  });
}

/** Lets a worker take back what an import wrote, except what was changed since. */
export function useUndoImport(id: string) {
  return useChange(() =>
    answered<StoredImport>(
      api.POST("/api/imports/{importId}/undo", { params: { path: { importId: id } } }),
    ),
  );
}

/** Refused rows in the order of the file. */
export function useRefusals(id: string, isWanted: boolean) {
  return useInfiniteQuery({
    queryKey: ["imports", "one", id, "refusals"],
    enabled: isWanted,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      answered(
        api.GET("/api/imports/{importId}/refusals", {
          params: { path: { importId: id }, query: { cursor: pageParam } },
          signal,
        }),
      ),
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** Warnings in the order of the file. */
export function useWarnings(id: string, isWanted: boolean) {
  return useInfiniteQuery({
    queryKey: ["imports", "one", id, "warnings"],
    enabled: isWanted,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      answered(
        api.GET("/api/imports/{importId}/warnings", {
          params: { path: { importId: id }, query: { cursor: pageParam } },
          signal,
        }),
      ),
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** The records that an import added or changed, field by field. */
export function useImportChanges(id: string, isWanted: boolean) {
  return useInfiniteQuery({
    queryKey: ["imports", "one", id, "changes"],
    enabled: isWanted,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      answered(
        api.GET("/api/imports/{importId}/changes", {
          params: { path: { importId: id }, query: { cursor: pageParam } },
          signal,
        }),
      ),
    getNextPageParam: (page) => page.nextCursor,
  });
}
