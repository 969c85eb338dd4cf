import { type FormEvent, useState } from "react";
import type { RunQuestion } from "@/shared/events/run";
import { Button, Field, Select } from "@/shared/ui";

/** What a run asks, and the way to answer or to go on without. */
export function QuestionForm({
  question,
  isPending,
  onAnswer,
  onSkip,
}: {
  question: RunQuestion;
  isPending: boolean;
  onAnswer: (answer: string | number) => void;
  onSkip: () => void;
}) {
  const [text, setText] = useState("");
  const number = Number(text.replace(",", "."));
  const isWrong = question.kind === "number" && text !== "" && Number.isNaN(number);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (text.trim() && !isWrong) onAnswer(question.kind === "number" ? number : text.trim());
  }
  return (
    <form onSubmit={submit} className="flex max-w-lg flex-col gap-3 rounded-ui bg-accent-soft p-4">
      {question.kind === "choice" ? (
        <Select
          label={question.text}
          help={question.why}
          value={text || null}
          onChange={setText}
          options={question.choices.map((choice) => ({ value: choice, label: choice }))}
        />
      ) : (
        <Field
          label={question.text}
          help={question.why}
          value={text}
          onChange={setText}
          inputMode={question.kind === "number" ? "decimal" : "text"}
          error={isWrong ? "Enter a number." : undefined}
        />
      )}
      <span className="flex gap-2">
        <Button type="submit" look="primary" isPending={isPending}>
          Answer
        </Button>
        {!question.required && (
          <Button look="quiet" onPress={onSkip}>
            Go on without
          </Button>
        )}
      </span>
    </form>
  );
}
