import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answered, api } from "./client";
import type { Page } from "./records";
import type { ErasureAnswer, ErasureRequest, ErasureSubject, RetentionSettings } from "./schema";

/** What is kept for how long; for owners. */
export function useRetention() {
  return useQuery({
    queryKey: ["retention"],
    queryFn: ({ signal }) => answered<RetentionSettings>(api.GET("/api/retention", { signal })),
  });
}

/** What was erased, newest first. */
export function useErasures() {
  return useInfiniteQuery({
    queryKey: ["erasures"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      answered<Page<ErasureAnswer>>(
        api.GET("/api/erasures", { params: { query: { cursor: pageParam } }, signal }),
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

/** Counts what an erasure would remove; nothing changes. */
export function usePreviewErasure() {
  return useMutation({
    mutationFn: (body: ErasureSubject) =>
      answered<ErasureAnswer>(api.POST("/api/erasures/preview", { body })),
  });
}

/** Erases for good; only a backup can restore it. */
export function useErase() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ErasureRequest) =>
      answered<ErasureAnswer>(api.POST("/api/erasures", { body })),
    onSuccess: () => queries.invalidateQueries(),
  });
}
