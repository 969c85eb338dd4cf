import { useState } from "react";
import { type Answer, type Consequences, type SummaryLine, usePreviewAnswer } from "@/shared/api";
import { Button, Dialog } from "@/shared/ui";
import { inPlainWords } from "./words";

interface Waiting {
  answer: Answer;
  effects: Consequences;
}

/** Gives an answer.  One to a step that was answered already (`changeable`) and that sets others aside
 * waits until the person was told and says yes. */
export function useConsidered(
  of: { wizard: string; run: string; changeable?: readonly string[] },
  give: (answer: Answer, effects?: Consequences) => void,
) {
  const { mutate, isPending, error, reset } = usePreviewAnswer(of.wizard, of.run);
  const [waiting, wait] = useState<Waiting>();
  const consider = (answer: Answer) => {
    reset();
    if (!of.changeable?.includes(answer.stepId)) return give(answer);
    mutate(answer, {
      onSuccess: (effects) =>
        effects.setAside.length ? wait({ answer, effects }) : give(answer, effects),
    });
  };
  const dialog = (
    <Dialog
      title="Other answers depend on this one"
      isOpen={Boolean(waiting)}
      onClose={() => wait(undefined)}
    >
      {waiting && (
        <>
          <Lines
            title="With this change, these no longer apply:"
            lines={waiting.effects.setAside}
          />
          <Lines title="These apply again, as before:" lines={waiting.effects.restored} />
          <p className="mt-3 text-muted">
            They are kept: if you change this answer back, they apply again.
          </p>
          <div className="mt-4 flex flex-wrap gap-2">
            <Button
              look="primary"
              onPress={() => {
                wait(undefined);
                give(waiting.answer, waiting.effects);
              }}
            >
              Change the answer
            </Button>
            <Button look="quiet" onPress={() => wait(undefined)}>
              Back to the question
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
  return { consider, dialog, isPending, error };
}

function Lines({ title, lines }: { title: string; lines: readonly SummaryLine[] }) {
  if (!lines.length) return null;
  return (
    <>
      <p className="mt-3 first:mt-0">{title}</p>
      <dl className="mt-1 max-h-64 overflow-y-auto">
        {lines.map((line) => (
          <div key={`${line.stepId}.${line.field}`} className="flex flex-wrap gap-x-2 py-0.5">
            <dt className="text-muted">{line.label}:</dt>
            <dd className="wrap-anywhere">{inPlainWords(line)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** What a change did to other answers, in a sentence or two; undefined where it did nothing. */
export function effectsInWords(effects: Consequences | undefined): string | undefined {
  const gone = labels(effects?.setAside);
  const back = labels(effects?.restored);
  const sentences = [
    gone && `With this change, answers are set aside that no longer apply: ${gone}.`,
    back && `Answers of before apply again: ${back}.`,
  ].filter(Boolean);
  return sentences.length ? sentences.join(" ") : undefined;
}

const labels = (lines: readonly SummaryLine[] = []): string =>
  [...new Set(lines.map((line) => line.label))].join(", ");
