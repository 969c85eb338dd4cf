import { useQueryClient } from "@tanstack/react-query";
import { useMayWrite } from "@/shared/api";
import type { InboxEntry } from "@/shared/api/inbox";
import { useJobAct } from "@/shared/api/research";
import { QuestionForm } from "@/shared/runs/QuestionForm";
import { toast, toastError } from "@/shared/ui";
import { EntryCard } from "./EntryCard";

/** The question of a paused run, answered in place. */
export function QuestionCard({
  entry,
  question,
  isCurrent,
}: {
  entry: InboxEntry;
  question: NonNullable<InboxEntry["question"]>;
  isCurrent: boolean;
}) {
  const mayWrite = useMayWrite();
  const act = useJobAct(entry.kind ?? "", entry.subjectId ?? "", entry.id);
  const queries = useQueryClient();
  const done = {
    onSuccess: () => {
      toast("Answered; the research goes on");
      void queries.invalidateQueries({ queryKey: ["inbox"] });
    },
    onError: toastError,
  };
  return (
    <EntryCard
      entry={entry}
      label="Question"
      icon="research"
      state="Research waits"
      isCurrent={isCurrent}
    >
      {mayWrite ? (
        <QuestionForm
          question={question}
          isPending={act.isPending}
          onAnswer={(answer) => act.mutate({ act: "answer", key: question.key, answer }, done)}
          onSkip={() => act.mutate({ act: "resume" }, done)}
        />
      ) : (
        <>
          <p className="wrap-anywhere">{question.text}</p>
          <p className="text-table text-muted">Your role may read, and does not answer.</p>
        </>
      )}
    </EntryCard>
  );
}
