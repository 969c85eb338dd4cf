import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { inWords } from "@/shared/format";
import { answered, api, send } from "./client";
import type { BackgroundJob, BackgroundJobs, JobType } from "./schema";

export type { BackgroundJob, JobType };

export interface JobQuery {
  status?: string[];
  type?: string[];
}

const AGAIN_MS = 4_000;

/** The organization's background jobs, newest first; asked again while the page is looked at. */
export function useJobs(query: JobQuery) {
  return useInfiniteQuery({
    queryKey: ["jobs", "list", query],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const pairs = new URLSearchParams();
      for (const [name, values] of Object.entries(query))
        for (const value of (values as string[] | undefined) ?? []) pairs.append(name, value);
      if (pageParam) pairs.append("cursor", pageParam);
      const { data } = await send<BackgroundJobs>(`/api/jobs?${pairs}`, { signal });
      return { items: data.jobs, nextCursor: data.nextCursor };
    },
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) => AGAIN_MS * Math.max(1, state.data?.pages.length ?? 1),
  });
}

export function useBackgroundJob(id: string) {
  return useQuery({
    queryKey: ["jobs", "one", id],
    queryFn: ({ signal }) =>
      answered<BackgroundJob>(api.GET("/api/jobs/{id}", { params: { path: { id } }, signal })),
  });
}

/** The types of job that this installation offers. */
export function useJobTypes(isWanted = true) {
  return useQuery({
    queryKey: ["job-types"],
    enabled: isWanted,
    queryFn: ({ signal }) => answered<JobType[]>(api.GET("/api/jobs/types", { signal })),
    staleTime: Infinity,
  });
}

/** What a type of job is called; from its own name until that is known, or where it is gone. */
export function useJobTitle(isWanted = true): (type: string) => string {
  const types = useJobTypes(isWanted).data;
  return useCallback(
    (type) =>
      types?.find((each) => each.type === type)?.title ?? inWords(type.split(".").at(-1) ?? type),
    [types],
  );
}

export function useBackgroundJobAct(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (act: "cancel" | "resume") => {
      const params = { path: { id } };
      return answered<BackgroundJob>(
        act === "cancel"
          ? api.POST("/api/jobs/{id}/cancel", { params })
          : api.POST("/api/jobs/{id}/resume", { params }),
      );
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["jobs"] }),
  });
}
