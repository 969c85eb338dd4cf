import { useMayWrite } from "@/shared/api";
import { type InboxEntry, type PackEntry, useDecideEntry } from "@/shared/api/inbox";
import { Button, toast, toastError } from "@/shared/ui";
import { EntryCard, RecordTitle } from "./EntryCard";

/** What a pack lets wait, decided by its own actions. */
export function PackCard({
  entry,
  waiting,
  isCurrent,
}: {
  entry: InboxEntry;
  waiting: PackEntry;
  isCurrent: boolean;
}) {
  const mayWrite = useMayWrite();
  const decide = useDecideEntry();
  return (
    <EntryCard
      entry={entry}
      label={waiting.sourceTitle}
      icon="inbox"
      state={waiting.sourceTitle}
      title={waiting.title}
      isCurrent={isCurrent}
    >
      {waiting.text && (
        <p className="max-w-[72ch] whitespace-pre-line wrap-anywhere">{waiting.text}</p>
      )}
      {entry.subjectId && (
        <p className="text-table text-muted">
          About <RecordTitle entry={entry} />
        </p>
      )}
      {mayWrite ? (
        <div className="flex flex-wrap gap-2">
          {waiting.actions.map((action) => (
            <Button
              key={action.label}
              look={action.key === "a" ? "primary" : "quiet"}
              isPending={decide.isPending && decide.variables.label === action.label}
              isDisabled={decide.isPending}
              onPress={() =>
                decide.mutate(action, {
                  onSuccess: () => toast(action.label),
                  onError: toastError,
                })
              }
            >
              {action.label}
            </Button>
          ))}
        </div>
      ) : (
        <p className="text-table text-muted">Your role may read, and does not decide.</p>
      )}
    </EntryCard>
  );
}
