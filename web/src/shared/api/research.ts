import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { hasEnded, type RunStatus } from "@/shared/events/run";
import { send } from "./client";
import { type Page, recordPath } from "./records";
import type {
  DossierAnswer,
  EvidenceAnswer,
  EvidenceChange,
  ItemJob,
  JobReference,
} from "./schema";

/** A job of any kind of record: what every kind's job has. */
export type Job = Omit<ItemJob, "itemId" | "status"> & { status: RunStatus };
export type Dossier = DossierAnswer;
export type Claim = DossierAnswer["claims"][number];
export type Evidence = EvidenceAnswer;

const path = (kind: string, id: string, rest: string) => `${recordPath(kind, id)}/${rest}`;
const key = (kind: string, id: string, ...rest: unknown[]) => ["records", kind, "one", id, ...rest];

/** The current dossier of a flow; null before the first one. */
export function useDossier(kind: string, id: string, flow = "research") {
  return useQuery({
    queryKey: key(kind, id, "dossier", flow),
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ type: flow });
      const at = path(kind, id, `research/latest?${query}`);
      return (await send<Dossier | null>(at, { signal })).data ?? null;
    },
  });
}

/** Every dossier of a flow, newest first. */
export function useDossiers(kind: string, id: string, flow = "research") {
  return useInfiniteQuery({
    queryKey: key(kind, id, "dossiers", flow),
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = new URLSearchParams({ type: flow, ...(pageParam && { cursor: pageParam }) });
      return (await send<Page<Dossier>>(path(kind, id, `research/history?${query}`), { signal }))
        .data;
    },
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** How the evidence of two jobs differs. */
export function useEvidenceChanges(
  kind: string,
  id: string,
  flow: string,
  earlier: string,
  later: string,
) {
  return useQuery({
    queryKey: key(kind, id, "evidence-changes", flow, earlier, later),
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ type: flow, earlier, later });
      const at = path(kind, id, `evidence/changes?${query}`);
      return (await send<EvidenceChange[]>(at, { signal })).data;
    },
  });
}

/** The evidence behind the current dossier: included first, then by relevance. */
export function useEvidence(kind: string, id: string, flow: string, included?: boolean) {
  return useInfiniteQuery({
    queryKey: key(kind, id, "evidence", flow, included ?? "all"),
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        type: flow,
        ...(included !== undefined && { included: String(included) }),
        ...(pageParam && { cursor: pageParam }),
      });
      return (await send<Page<Evidence>>(path(kind, id, `evidence?${query}`), { signal })).data;
    },
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** The evidence that one run has kept and judged. */
export function useRunEvidence(
  kind: string,
  id: string,
  flow: string,
  lane: string,
  jobId: string,
) {
  return useInfiniteQuery({
    queryKey: ["runs", "one", jobId, "evidence"],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        type: flow,
        lane,
        jobId,
        ...(pageParam && { cursor: pageParam }),
      });
      return (await send<Page<Evidence>>(path(kind, id, `evidence?${query}`), { signal })).data;
    },
    getNextPageParam: (page) => page.nextCursor,
  });
}

export function useEvidenceItem(kind: string, id: string, evidenceId: string) {
  return useQuery({
    queryKey: key(kind, id, "evidence", "one", evidenceId),
    queryFn: async ({ signal }) =>
      (
        await send<Evidence>(path(kind, id, `evidence/${encodeURIComponent(evidenceId)}`), {
          signal,
        })
      ).data,
  });
}

export function useJob(kind: string, id: string, jobId: string | undefined) {
  return useQuery({
    queryKey: key(kind, id, "job", jobId),
    enabled: jobId !== undefined,
    queryFn: async ({ signal }) =>
      (await send<Job>(path(kind, id, `research/jobs/${jobId}`), { signal })).data,
  });
}

export interface ResearchOptions {
  type: string;
  runType?: string;
  parameters?: Record<string, unknown>;
  interactive?: boolean;
  anyway?: boolean;
}

/** Starts research; where it is in progress already, answers that job. */
export function useStartResearch(kind: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, ...body }: ResearchOptions & { id: string }) =>
      (await send<JobReference>(path(kind, id, "research"), { method: "POST", body })).data.jobId,
    onSuccess: (jobId, { id, type }) => rememberJob(queries, kind, id, type, jobId),
  });
}

type JobAct =
  { act: "cancel" } | { act: "resume" } | { act: "answer"; key: string; answer: string | number };

/** Cancels, resumes, or answers the question of a job. */
export function useJobAct(kind: string, id: string, jobId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ act, ...body }: JobAct) =>
      (
        await send<Job>(path(kind, id, `research/jobs/${jobId}/${act}`), {
          method: "POST",
          body: act === "answer" ? body : undefined,
        })
      ).data,
    onSuccess: (job) => queries.setQueryData(key(kind, id, "job", jobId), job),
  });
}

type Queries = ReturnType<typeof useQueryClient>;
const jobKey = (kind: string, id: string, flow: string) => key(kind, id, "latest-job", flow);

function rememberJob(queries: Queries, kind: string, id: string, flow: string, jobId: string) {
  queries.setQueryData(jobKey(kind, id, flow), jobId);
}

/** After a run: everything that it may have written about the record. */
export function useForgetResearch(kind: string, id: string) {
  const queries = useQueryClient();
  return useCallback(
    () =>
      void queries.invalidateQueries({
        queryKey: ["records", kind],
        predicate: (query) => query.queryKey[4] !== "latest-job" || query.queryKey[3] !== id,
      }),
    [queries, kind, id],
  );
}

/** Reads again what a run wrote that was over before its progress could be shown. */
export function useNoticeQuickRun(job: Job | undefined, forget: () => void) {
  const known = useRef<string>(undefined);
  useEffect(() => {
    if (!job) return;
    const isNew = known.current !== undefined && known.current !== job.id;
    known.current = job.id;
    if (isNew && hasEnded(job.status)) forget();
  }, [job, forget]);
}

/** The job of this record and flow that was started last, as far as the server knows. */
export function useLatestJob(kind: string, id: string, flow: string) {
  return useQuery({
    queryKey: jobKey(kind, id, flow),
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ type: flow, limit: "1" });
      const at = path(kind, id, `research/jobs?${query}`);
      return (await send<Job[]>(at, { signal })).data[0]?.id ?? null;
    },
  });
}

export const isActive = (status: RunStatus): boolean => !hasEnded(status);
