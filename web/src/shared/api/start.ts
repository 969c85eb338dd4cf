import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answered, api } from "./client";
import type { StartAnswer } from "./schema";

export type FirstStep = StartAnswer["steps"][number];

/** A newcomer's first steps, and the samples that packs ship. */
export function useStart() {
  return useQuery({
    queryKey: ["start"],
    queryFn: ({ signal }) => answered<StartAnswer>(api.GET("/api/start", { signal })),
    staleTime: 0,
  });
}

export function useLoadSamples() {
  return useSamples(() => answered<StartAnswer>(api.POST("/api/samples")));
}

export function useRemoveSamples() {
  return useSamples(() => answered<StartAnswer>(api.DELETE("/api/samples")));
}

function useSamples(change: () => Promise<StartAnswer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (start) => {
      queries.setQueryData(["start"], start);
      return Promise.all([
        queries.invalidateQueries({ queryKey: ["records"] }),
        queries.invalidateQueries({ queryKey: ["imports"] }),
      ]);
    },
  });
}
