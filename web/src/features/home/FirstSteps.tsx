import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMayWrite } from "@/shared/api";
import { type FirstStep, useLoadSamples, useRemoveSamples, useStart } from "@/shared/api/start";
import {
  Button,
  buttonLook,
  classes,
  Dialog,
  Icon,
  Skeleton,
  toast,
  toastError,
} from "@/shared/ui";

const WORDS: Record<FirstStep["name"], { title: string; text: string; action: string }> = {
  records: {
    title: "Bring records in",
    text: "Import a file, or look around with sample data. Every list also has a button to add one by hand.",
    action: "Import a file",
  },
  research: {
    title: "Research one",
    text: "It gathers evidence, concludes what it can, and says what it cannot know.",
    action: "Open a record",
  },
  ask: {
    title: "Ask about it",
    text: "Answers cite what they rest on. Press any figure to see how it was concluded.",
    action: "Ask",
  },
};

/** What a newcomer does first, checked off as it is done; gone when all of it is. */
export function FirstSteps() {
  const start = useStart();
  const mayWrite = useMayWrite();
  if (start.error) return null; // the rest of the page does not need it
  if (!start.data) return <Skeleton className="mb-6 h-40" />;
  const { steps, samples } = start.data;
  const isOver = steps.every((step) => step.isDone);
  const hasSamples = samples.some((each) => each.isLoaded);
  const next = steps.find((step) => !step.isDone)?.name;
  return (
    <section aria-label="First steps" className="mb-6">
      {!isOver && (
        <ol className="grid gap-px overflow-hidden rounded-ui border border-line bg-line md:grid-cols-3">
          {steps.map((step, index) => (
            <Step
              key={step.name}
              step={step}
              number={index + 1}
              isNext={step.name === next}
              offersSamples={mayWrite && samples.some((each) => !each.isLoaded)}
            />
          ))}
        </ol>
      )}
      {hasSamples && mayWrite && <SampleNote />}
    </section>
  );
}

function Step({
  step,
  number,
  isNext,
  offersSamples,
}: {
  step: FirstStep;
  number: number;
  isNext: boolean;
  offersSamples: boolean;
}) {
  const { title, text } = WORDS[step.name];
  return (
    <li className="flex gap-3 bg-raised p-4">
      <span
        className={classes(
          "figures flex size-6 shrink-0 items-center justify-center rounded-full text-table font-semibold",
          step.isDone ? "bg-positive-soft text-positive" : "bg-accent-soft text-accent",
        )}
      >
        {step.isDone ? <Icon name="check" /> : number}
      </span>
      <div className="flex min-w-0 flex-col items-start gap-3">
        <span>
          <span className="block font-medium">
            {title}
            {step.isDone && <span className="sr-only"> (done)</span>}
          </span>
          <span className="text-table text-muted">{text}</span>
        </span>
        {!step.isDone && <Action step={step} isNext={isNext} offersSamples={offersSamples} />}
      </div>
    </li>
  );
}

function Action(props: { step: FirstStep; isNext: boolean; offersSamples: boolean }) {
  const { step, isNext, offersSamples } = props;
  const load = useLoadSamples();
  const mayWrite = useMayWrite();
  const { action } = WORDS[step.name];
  if (step.name === "records") {
    if (!mayWrite) return null;
    return (
      <span className="flex flex-wrap gap-2">
        {offersSamples && (
          <Button
            look="primary"
            isPending={load.isPending}
            onPress={() =>
              load.mutate(undefined, {
                onSuccess: () => toast("Sample data is there"),
                onError: toastError,
              })
            }
          >
            Load sample data
          </Button>
        )}
        <Link to="/imports" className={buttonLook(offersSamples ? "plain" : "primary")}>
          {action}
        </Link>
      </span>
    );
  }
  if (!step.kind || !step.recordId) return null;
  return (
    <Link
      to="/records/$kind/$id"
      params={{ kind: step.kind, id: step.recordId }}
      search={{ tab: step.name === "ask" ? "chat" : "research" }}
      className={buttonLook(isNext ? "primary" : "plain")}
    >
      {action}
    </Link>
  );
}

/** Sample data is there, and can go again. */
function SampleNote() {
  const [isAsking, ask] = useState(false);
  const remove = useRemoveSamples();
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-2 text-table text-muted">
      Sample data is loaded. The page of each sample record is marked as a sample.
      <Button look="quiet" onPress={() => ask(true)}>
        Remove it…
      </Button>
      <Dialog title="Remove the sample data?" isOpen={isAsking} onClose={() => ask(false)}>
        <p>
          Every sample record is deleted, also those that were changed or researched. What you added
          yourself stays.
        </p>
        <div className="mt-4 flex gap-2">
          <Button
            look="danger"
            isPending={remove.isPending}
            onPress={() =>
              remove.mutate(undefined, {
                onSuccess: () => {
                  ask(false);
                  toast("The sample data is gone");
                },
                onError: toastError,
              })
            }
          >
            Remove it
          </Button>
          <Button look="quiet" onPress={() => ask(false)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </p>
  );
}
