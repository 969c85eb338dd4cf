import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Navigate, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import {
  type Answer,
  ApiError,
  type Consequences,
  isRefused,
  keepStep,
  type StepPayload,
  useAnswerStep,
  useWizardStep,
} from "@/shared/api";
import { Button, EmptyState, ErrorState, Skeleton, SkeletonLines } from "@/shared/ui";
import { effectsInWords, useConsidered } from "./ChangeDialog";
import { EndedRun } from "./EndedRun";
import { Outcome } from "./Outcome";
import { Remark, type RemarkText } from "./Remark";
import { StepAside } from "./StepAside";
import { StepForm } from "./StepForm";
import { onPage, PlaceProvider } from "./place";
import { useTyped } from "./typed";
import { type Draft, responsesOf } from "./values";
import { progressInWords } from "./words";

const route = getRouteApi("/shell/wizards/$wizard/$run");

/** One run of a wizard: the step that its address names, or the one where the run is. */
export function RunPage() {
  const { wizard, run } = route.useParams();
  return <Run key={`${wizard}/${run}`} wizard={wizard} run={run} />;
}

function Run({ wizard, run }: { wizard: string; run: string }) {
  const { step } = route.useSearch();
  const query = useWizardStep(wizard, run, step);
  const answer = useAnswerStep(wizard, run);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { typed, type, forget } = useTyped(run);
  const [refused, setRefused] = useState<StepPayload>();
  const [remark, setRemark] = useState<RemarkText>();

  const goTo = (next: string | undefined, replace = false) =>
    void navigate({
      to: "/wizards/$wizard/$run",
      params: { wizard, run },
      search: (old: object) => ({ ...old, step: next }),
      replace,
    });

  const give = (sent: Answer, effects?: Consequences) =>
    answer.mutate(sent, {
      onSuccess: (next) => {
        if (isRefused(next, sent)) return setRefused(next);
        setRefused(undefined);
        forget(sent.stepId);
        const text = effectsInWords(effects);
        setRemark(text ? { text } : undefined);
        goTo(next.step.id);
      },
      onError: (error) => {
        const current = currentOf(error);
        if (!current || !query.data) return;
        keepStep(queries, current);
        setRefused(undefined);
        setRemark(notSent(query.data, current));
        goTo(current.step.id, true);
      },
    });
  const considered = useConsidered({ wizard, run, changeable: query.data?.nav.change }, give);

  if (query.error)
    return currentOf(query.error) ? (
      <EmptyState
        icon="wizard"
        title="This question is not asked any more"
        action={
          <Button look="primary" onPress={() => goTo(undefined, true)}>
            Go to the current question
          </Button>
        }
      >
        Another answer has made it superfluous.
      </EmptyState>
    ) : (
      <ErrorState error={query.error} retry={() => void query.refetch()} />
    );
  if (!query.data) return <StepSkeleton />;
  const isRefusedHere =
    refused?.step.id === query.data.step.id && refused.revision === query.data.revision;
  const payload = isRefusedHere ? refused : query.data;
  const { status } = payload.progress;
  if (status === "completed" && payload.step.kind === "outcome") return <Outcome run={payload} />;
  if (status !== "open") {
    if (step) return <Navigate to="." search={{}} replace />;
    return <EndedRun run={payload} />;
  }

  const draft = typed[payload.step.id] ?? {};
  const send = (values: Draft) => {
    setRemark(undefined);
    considered.consider({
      stepId: payload.step.id,
      responses: responsesOf(payload.ui.fields, values),
      revision: payload.revision,
    });
  };
  const failure = considered.error ?? answer.error;

  return (
    <PlaceProvider value={onPage(goTo)}>
      <div className="grid max-w-[1100px] gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="max-w-[660px] min-w-0">
          <p role="status" className="sr-only">
            {[progressInWords(payload), remark?.text].filter(Boolean).join(". ")}
          </p>
          {remark && (
            <Remark
              {...remark}
              action={
                remark.step &&
                remark.step !== payload.step.id && (
                  <Button onPress={() => goTo(remark.step)}>Look at that question</Button>
                )
              }
            />
          )}
          <StepForm
            key={`${payload.step.id}:${payload.revision}`}
            payload={payload}
            typed={draft}
            onType={(values) => type(payload.step.id, values)}
            onSend={send}
            isSending={considered.isPending || answer.isPending}
            failure={failure && !currentOf(failure) ? failure : undefined}
            isLookedAt={Boolean(step) && payload.nav.change.includes(payload.step.id)}
          />
        </div>
        <StepAside payload={payload} />
        {considered.dialog}
      </div>
    </PlaceProvider>
  );
}

/** The step to draw instead, which the conflicts of a run bring. */
function currentOf(error: unknown): StepPayload | undefined {
  const current = error instanceof ApiError ? error.problem.current : undefined;
  return current && typeof current === "object" && "step" in current
    ? (current as unknown as StepPayload)
    : undefined;
}

function notSent(mine: StepPayload, current: StepPayload): RemarkText {
  const { title, id } = mine.step;
  if (current.progress.status !== "open")
    return { text: "This form was ended in another tab. Your last answer was not saved." };
  if (current.step.id === id)
    return {
      text: "This form was changed in another tab, so your answer was not saved. Check it and send it again.",
    };
  return {
    text: `This form was continued in another tab. Your answer to “${title}” was not saved.`,
    step: current.nav.change.includes(id) ? id : undefined,
  };
}

function StepSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex max-w-[660px] flex-col gap-4">
      <Skeleton className="h-4 w-48" />
      <Skeleton className="h-8 w-96 max-w-full" />
      <SkeletonLines lines={2} />
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
    </div>
  );
}
