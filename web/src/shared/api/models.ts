import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answered, api } from "./client";
import type { ModelSettings, ModelTestView, SourceSettings, SourceTestView } from "./schema";

export type ModelRole = ModelSettings["models"][number]["role"];

/** The models with what they do, and the limits on calling them; for owners. */
export function useModels() {
  return useQuery({
    queryKey: ["models"],
    queryFn: ({ signal }) => answered<ModelSettings>(api.GET("/api/models", { signal })),
  });
}

/** Asks a model one small question; it costs a few tokens. */
export function useTestModel() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (role: ModelRole) =>
      answered<ModelTestView>(api.POST("/api/models/{role}/test", { params: { path: { role } } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["models"] });
      void queries.invalidateQueries({ queryKey: ["spending"] });
    },
  });
}

/** The outside sources of all packs; for owners. */
export function useSources() {
  return useQuery({
    queryKey: ["sources"],
    queryFn: ({ signal }) => answered<SourceSettings>(api.GET("/api/sources", { signal })),
  });
}

/** Makes one small request to a source; it counts as any other. */
export function useTestSource() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answered<SourceTestView>(api.POST("/api/sources/{id}/test", { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["sources"] }),
  });
}
