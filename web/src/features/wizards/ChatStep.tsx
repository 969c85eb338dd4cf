import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useId, useRef, useState } from "react";
import { keepIfNewer, type StepPayload, useMayWrite, useWizardStep } from "@/shared/api";
import type { Message } from "@/shared/events/chatEvents";
import type { MessagePartProps } from "@/shared/feature/feature";
import { Button, Icon, Notice, SkeletonLines } from "@/shared/ui";
import { useConsidered } from "./ChangeDialog";
import { Outcome } from "./Outcome";
import { PlaceProvider } from "./place";
import { Remark } from "./Remark";
import { StepForm } from "./StepForm";
import { useTyped } from "./typed";
import { answerInWords, type Draft, responsesOf } from "./values";
import { progressInWords } from "./words";

const payloadOf = (message: Message) => message.meta["wizard"] as unknown as StepPayload;

/** A step of a form in a conversation: the newest one is filled in here, earlier ones are a line. */
export function ChatStep(props: MessagePartProps) {
  const { message, messages } = props;
  const payload = payloadOf(message);
  const ofRun = messages.filter(
    (each) => !each.supersededBy && payloadOf(each)?.wizardRunId === payload.wizardRunId,
  );
  if (ofRun.at(-1)?.id !== message.id) return <Asked payload={payload} />;
  const isAtEnd = messages.at(-1)?.id === message.id;
  return <Newest {...props} payload={payload} isAtEnd={isAtEnd} />;
}

/** A question that was answered, or is to be asked again. */
function Asked({ payload }: { payload: StepPayload }) {
  const { step, errors } = payload;
  return (
    <p className="flex items-baseline gap-2 text-muted">
      <Icon name="wizard" className="translate-y-0.5" />
      <span>
        {step.title}
        {errors.length > 0 && (
          <span className="text-caution"> {errors.map((each) => each.message).join(" ")}</span>
        )}
      </span>
    </p>
  );
}

interface NewestProps extends MessagePartProps {
  payload: StepPayload;
  isAtEnd: boolean;
}

function Newest({ message, payload, isAtEnd, isBusy, takesFocus, send }: NewestProps) {
  const hasMoved = useRef(false);
  const { definition, wizardRunId: run } = payload;
  const queries = useQueryClient();
  const [lookedAt, lookAt] = useState<string>();
  const prefix = useId();
  const mayWrite = useMayWrite();
  const drafts = useTyped(run);
  useEffect(() => {
    if (payload.errors.length === 0) keepIfNewer(queries, payload);
  }, [queries, payload]);
  const query = useWizardStep(definition.id, run, lookedAt);
  const typedWords = useRef("");
  const considered = useConsidered(
    { wizard: definition.id, run, changeable: (query.data ?? payload).nav.change },
    ({ stepId, responses, revision }) => {
      lookAt(undefined);
      send(typedWords.current, {
        action: "respond",
        wizardRunId: run,
        inputStepId: stepId,
        inputResponses: responses,
        revision,
      });
    },
  );
  const newest = query.data ?? (lookedAt ? undefined : payload);
  const isRefused =
    payload.errors.length > 0 &&
    (!newest || (newest.revision === payload.revision && newest.step.id === payload.step.id));
  const shown = isRefused ? payload : newest;
  if (!shown) return <SkeletonLines lines={4} />;

  const { status } = shown.progress;
  const goTo = (step: string | undefined) => {
    hasMoved.current = true;
    lookAt(step);
  };
  const place = { isPage: false, goTo, prefix, takesFocus: () => hasMoved.current || takesFocus() };
  if (status === "completed" && shown.step.kind === "outcome")
    return (
      <PlaceProvider value={place}>
        <Frame payload={shown}>
          <Outcome run={shown} />
        </Frame>
      </PlaceProvider>
    );
  if (status !== "open")
    return (
      <Notice tone="caution">
        {shown.ui.title}: {shown.progress.reason ?? "This form has ended."}
      </Notice>
    );
  if (!mayWrite)
    return <Notice>{shown.ui.title}: your role may read, and does not fill in forms.</Notice>;
  if (!isAtEnd) {
    if (isBusy) return <Asked payload={shown} />;
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-ui border border-line bg-raised px-3 py-2">
        <Icon name="wizard" className="text-muted" />
        <p className="min-w-0 grow basis-40">
          <span className="font-medium">{shown.ui.title}</span> waits at “{shown.step.title}”
        </p>
        <Button
          look="primary"
          onPress={() => send("Continue", { action: "resume", wizardRunId: run })}
        >
          Continue
        </Button>
      </div>
    );
  }
  const refused = message.meta["refused"] as string | undefined;
  const answer = (values: Draft) => {
    typedWords.current = answerInWords(shown, values);
    considered.consider({
      stepId: shown.step.id,
      responses: responsesOf(shown.ui.fields, values),
      revision: shown.revision,
    });
  };
  return (
    <PlaceProvider value={place}>
      <Frame payload={shown}>
        {refused && <Remark text={message.content} />}
        <StepForm
          key={`${shown.step.id}:${shown.revision}`}
          payload={shown}
          typed={drafts.typed[shown.step.id] ?? {}}
          onType={(draft) => drafts.type(shown.step.id, draft)}
          onSend={answer}
          isSending={isBusy || considered.isPending}
          failure={considered.error ?? undefined}
          isLookedAt={lookedAt !== undefined && shown.nav.change.includes(shown.step.id)}
        />
        {considered.dialog}
      </Frame>
    </PlaceProvider>
  );
}

/** The form's own card, with its way to the page. */
function Frame({ payload, children }: { payload: StepPayload; children: React.ReactNode }) {
  return (
    <section
      aria-label={payload.ui.title}
      className="@container rounded-ui border border-line bg-raised"
    >
      <header className="flex min-h-10 items-center gap-2 border-b border-line py-1 pr-2 pl-3 text-table">
        <Icon name="wizard" className="text-muted" />
        <span className="min-w-0 grow truncate font-medium">{payload.ui.title}</span>
        <span className="text-muted max-sm:hidden">{progressInWords(payload)}</span>
        <Link
          to="/wizards/$wizard/$run"
          params={{ wizard: payload.definition.id, run: payload.wizardRunId }}
          className="inline-flex min-h-8 touch-44 items-center rounded-ui px-2 text-accent hover:bg-hover"
        >
          Open as a page
        </Link>
      </header>
      <div className="p-4">{children}</div>
    </section>
  );
}
