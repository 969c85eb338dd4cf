import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { answered, api, send } from "./client";
import { recordPath } from "./records";
import type {
  ActiveWork,
  Difference,
  ListedRun,
  LoggedEvent,
  ModelCall,
  ModelExchange,
  PageOfListedRun,
  PageOfLoggedEvent,
  PageOfModelCall,
  PageOfToolCall,
  RunCounts,
  RunDetail,
  ToolCall,
} from "./schema";

export type { ListedRun, LoggedEvent, ModelCall, RunDetail, ToolCall };

/** Filters of the list of runs, as its address has them. */
export interface RunQuery {
  status?: string[];
  kind?: string[];
  type?: string[];
  runType?: string[];
  lane?: string[];
  requestedBy?: string[];
  /** Days, such as `2026-11-23`, in the reader's time zone; both included. */
  from?: string;
  to?: string;
}

const AGAIN_MS = 4_000;
const COUNTS_AGAIN_MS = 20_000;
const WORK_AGAIN_MS = 10_000;
const WORK_ACTIVE_AGAIN_MS = 4_000;
const DAY_MS = 86_400_000;

/** The filters as the server takes them: days become moments. */
export function parametersOf({ from, to, ...values }: RunQuery): URLSearchParams {
  const pairs = new URLSearchParams();
  for (const [name, several] of Object.entries(values))
    for (const each of (several as string[] | undefined) ?? []) pairs.append(name, each);
  const start = from ? midnight(from) : undefined;
  const end = to ? midnight(to) : undefined;
  if (start) pairs.append("from", start.toISOString());
  // By noon of the next day, whatever the change of clocks, then back to its midnight.
  if (end) pairs.append("before", nextDay(end).toISOString());
  return pairs;
}

const midnight = (day: string): Date | undefined => {
  const at = new Date(`${day}T00:00:00`);
  return Number.isNaN(at.getTime()) ? undefined : at;
};
function nextDay(start: Date): Date {
  const next = new Date(start.getTime() + 1.5 * DAY_MS);
  next.setHours(0, 0, 0, 0);
  return next;
}

/** The organization's runs, newest first; asked again while the page is looked at. */
export function useRuns(query: RunQuery) {
  return useInfiniteQuery({
    queryKey: ["runs", "list", query],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const pairs = parametersOf(query);
      if (pageParam) pairs.append("cursor", pageParam);
      return (await send<PageOfListedRun>(`/api/runs?${pairs}`, { signal })).data;
    },
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) => AGAIN_MS * Math.max(1, state.data?.pages.length ?? 1),
  });
}

export function useRunCounts(query: RunQuery) {
  return useQuery({
    queryKey: ["runs", "counts", query],
    queryFn: async ({ signal }) =>
      (await send<RunCounts>(`/api/runs/counts?${parametersOf(query)}`, { signal })).data,
    placeholderData: (previous) => previous,
    refetchInterval: COUNTS_AGAIN_MS,
  });
}

/** One run with its steps and what it has spent. */
export function useRunDetail(id: string) {
  return useQuery({
    queryKey: ["runs", "one", id],
    queryFn: ({ signal }) =>
      answered<RunDetail>(api.GET("/api/runs/{id}", { params: { path: { id } }, signal })),
  });
}

const FRESH_MS = 2_000;

/** Asks again what a run has spent and when its steps began, once `seq` has moved: now and then. */
export function useFreshRun(id: string, of: "runs" | "jobs", seq: number) {
  const queries = useQueryClient();
  const asked = useRef(0);
  useEffect(() => {
    if (!seq) return;
    const wait = Math.max(0, asked.current + FRESH_MS - Date.now());
    const timer = setTimeout(() => {
      asked.current = Date.now();
      void queries.invalidateQueries({ queryKey: [of, "one", id], exact: true });
    }, wait);
    return () => clearTimeout(timer);
  }, [queries, id, of, seq]);
}

/** What has not ended, for the top of every page. */
export function useActiveWork() {
  return useQuery({
    queryKey: ["work"],
    queryFn: ({ signal }) => answered<ActiveWork>(api.GET("/api/work", { signal })),
    refetchInterval: ({ state }) =>
      state.data && state.data.runs.length + state.data.jobs.length > 0
        ? WORK_ACTIVE_AGAIN_MS
        : WORK_AGAIN_MS,
  });
}

/** Whose log: that of a run or that of a background job. */
export interface LogOf {
  of: "runs" | "jobs";
  id: string;
  node?: string;
  types?: string[];
}

function useLog<P extends { nextCursor: string | null }>(what: string, log: LogOf) {
  return useInfiniteQuery({
    queryKey: [log.of, "one", log.id, what, log.node ?? null, log.types ?? null],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const pairs = new URLSearchParams(log.types?.map((type) => ["type", type]));
      if (log.node) pairs.append("node", log.node);
      if (pageParam) pairs.append("cursor", pageParam);
      const path = `/api/${log.of}/${encodeURIComponent(log.id)}/${what}?${pairs}`;
      return (await send<P>(path, { signal })).data;
    },
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** Its events, newest first. */
export const useEventLog = (log: LogOf) => useLog<PageOfLoggedEvent>("log", log);
export const useModelCalls = (log: LogOf) => useLog<PageOfModelCall>("model-calls", log);
export const useToolCalls = (log: LogOf) => useLog<PageOfToolCall>("tool-calls", log);

/** What was sent to a model in one call, and what it answered. */
export function useExchange({ of, id }: LogOf, callId: string) {
  return useQuery({
    queryKey: ["exchanges", id, callId],
    queryFn: async ({ signal }) => {
      const path = `/api/${of}/${encodeURIComponent(id)}/model-calls/${encodeURIComponent(callId)}`;
      return (await send<ModelExchange>(path, { signal })).data;
    },
    staleTime: Infinity,
  });
}

/** How the shadow's dossier differs from the one that is shown; null where one is missing. */
export function useDifference(kind: string, id: string, flow: string, isWanted: boolean) {
  return useQuery({
    queryKey: ["records", kind, "one", id, "difference", flow],
    enabled: isWanted,
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ type: flow });
      const path = `${recordPath(kind, id)}/research/difference?${query}`;
      return (await send<Difference>(path, { signal })).data;
    },
    retry: false,
  });
}
