import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answered, api } from "./client";
import type { NewView, SavedView, ViewChange } from "./schema";

export type { SavedView } from "./schema";

const key = (kind: string) => ["views", kind];

/** One's own saved views of a kind's list, and those that others share. */
export function useViews(kind: string) {
  return useQuery({
    queryKey: key(kind),
    queryFn: ({ signal }) =>
      answered<SavedView[]>(api.GET("/api/views/{kind}", { params: { path: { kind } }, signal })),
  });
}

export function useCreateView(kind: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewView) =>
      answered<SavedView>(api.POST("/api/views/{kind}", { params: { path: { kind } }, body })),
    onSuccess: (made) =>
      queries.setQueryData<SavedView[]>(key(kind), (old) => [...(old ?? []), made]),
  });
}

export function useChangeView(kind: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string } & ViewChange) =>
      answered<SavedView>(
        api.PATCH("/api/views/{kind}/{viewId}", { params: { path: { kind, viewId: id } }, body }),
      ),
    onSuccess: (changed) =>
      queries.setQueryData<SavedView[]>(key(kind), (old) =>
        old?.map((view) => (view.id === changed.id ? changed : view)),
      ),
  });
}

export function useDeleteView(kind: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answered(
        api.DELETE("/api/views/{kind}/{viewId}", { params: { path: { kind, viewId: id } } }),
      ),
    onSuccess: (_, id) =>
      queries.setQueryData<SavedView[]>(key(kind), (old) => old?.filter((view) => view.id !== id)),
  });
}
