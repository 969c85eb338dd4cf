import {
  type QueryClient,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { answered, api } from "./client";
import type { Consequences, RunLine, StepPayload, WizardOffered } from "./schema";

/** The wizards that can be begun. */
export function useWizards() {
  return useQuery({
    queryKey: ["wizards"],
    queryFn: ({ signal }) => answered<WizardOffered[]>(api.GET("/api/wizards", { signal })),
    staleTime: 60_000,
  });
}

const openRuns = (id: string) => ({
  queryKey: ["wizards", id, "open"],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    answered<RunLine[]>(api.GET("/api/wizards/{id}/runs", { params: { path: { id } }, signal })),
});

/** One's own open runs of these wizards, the one that was worked on last first. */
export function useOpenRuns(ids: readonly string[]) {
  return useQueries({
    queries: ids.map(openRuns),
    combine: (results) => ({
      error: results.find((result) => result.error)?.error,
      isPending: results.some((result) => result.isPending),
      refetch: () => results.forEach((result) => void result.refetch()),
      runs: results
        .flatMap((result) => result.data ?? [])
        .sort((one, other) => other.updatedAt.localeCompare(one.updatedAt)),
    }),
  });
}

/** Begins a run, about a record where there is one. */
export function useBeginWizard() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, subjectId }: { id: string; subjectId?: string }) =>
      answered<StepPayload>(
        api.POST("/api/wizards/{id}/runs", { params: { path: { id } }, body: { subjectId } }),
      ),
    onSuccess: (payload) => keepStep(queries, payload),
  });
}

const stepKey = (id: string, runId: string, step: string | undefined) => [
  "wizards",
  id,
  "run",
  runId,
  step ?? "",
];

/** Where a run is, or one step of its path.
 *
 * It is not read again while it is shown: what is typed would change under the person's hands.  A
 * change in another tab is noticed when an answer is sent.
 */
export function useWizardStep(id: string, runId: string, step?: string) {
  return useQuery({
    queryKey: stepKey(id, runId, step),
    queryFn: ({ signal }) =>
      answered<StepPayload>(
        api.GET("/api/wizards/{id}/runs/{runId}", {
          params: { path: { id, runId }, query: { step } },
          signal,
        }),
      ),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    meta: { isTyped: true },
    // An answer to the step that is shown makes it old, so it is read again when it is shown again.
    gcTime: step ? 0 : undefined,
  });
}

export interface Answer {
  stepId: string;
  responses: Record<string, unknown>;
  revision: number;
}

/** Answers a step.  An answer that is not valid comes back as the same step with its errors. */
export function useAnswerStep(id: string, runId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (answer: Answer) =>
      answered<StepPayload>(
        api.POST("/api/wizards/{id}/runs/{runId}", {
          params: { path: { id, runId } },
          body: { action: "respond", ...answer },
        }),
      ),
    onSuccess: (payload, answer) => {
      if (!isRefused(payload, answer)) keepStep(queries, payload);
    },
  });
}

/** What an answer would do to the others, asked before it is given. */
export function usePreviewAnswer(id: string, runId: string) {
  return useMutation({
    mutationFn: ({ stepId, responses }: Omit<Answer, "revision">) =>
      answered<Consequences>(
        api.POST("/api/wizards/{id}/runs/{runId}/preview", {
          params: { path: { id, runId } },
          body: { stepId, responses },
        }),
      ),
  });
}

/** Whether the answer was not valid: nothing of it was kept. */
export const isRefused = (payload: StepPayload, { stepId, revision }: Answer): boolean =>
  payload.errors.length > 0 && payload.step.id === stepId && payload.revision === revision;

export function useCancelWizard(id: string, runId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      answered<StepPayload>(
        api.POST("/api/wizards/{id}/runs/{runId}", {
          params: { path: { id, runId } },
          body: { action: "cancel" },
        }),
      ),
    onSuccess: (payload) => keepStep(queries, payload),
  });
}

/** Remembers a step that came by another way, unless a later one is known already. */
export function keepIfNewer(queries: QueryClient, payload: StepPayload): void {
  const key = stepKey(payload.definition.id, payload.wizardRunId, undefined);
  const known = queries.getQueryData<StepPayload>(key);
  if (!known || known.revision < payload.revision) keepStep(queries, payload);
}

/** Remembers the current step of a run and forgets its other steps, which may have changed. */
export function keepStep(queries: QueryClient, payload: StepPayload): void {
  const { id } = payload.definition;
  queries.removeQueries({
    queryKey: ["wizards", id, "run", payload.wizardRunId],
    predicate: ({ queryKey }) => queryKey[4] !== "" && queryKey[4] !== payload.step.id,
    type: "inactive",
  });
  for (const step of [undefined, payload.step.id])
    queries.setQueryData(stepKey(id, payload.wizardRunId, step), payload);
  void queries.invalidateQueries({ queryKey: ["wizards", id, "open"] });
  const record = payload.ui.record;
  if (payload.progress.status === "completed" && record)
    void queries.invalidateQueries({ queryKey: ["records", record.kind] });
}
