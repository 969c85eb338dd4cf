import { Link } from "@tanstack/react-router";
import type { InboxEntry } from "@/shared/api/inbox";
import { day } from "@/shared/format";
import { buttonLook } from "@/shared/ui";
import { EntryCard, RecordTitle } from "./EntryCard";

/** A form that was begun and not completed. */
export function FormCard({
  entry,
  form,
  isCurrent,
}: {
  entry: InboxEntry;
  form: NonNullable<InboxEntry["form"]>;
  isCurrent: boolean;
}) {
  const answers = form.answers === 1 ? "1 answer" : `${form.answers} answers`;
  return (
    <EntryCard
      entry={entry}
      label="Form"
      icon="wizard"
      state="Not finished"
      title={form.title}
      isCurrent={isCurrent}
    >
      {entry.subjectId && (
        <p>
          About <RecordTitle entry={entry} />
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Link
          to="/wizards/$wizard/$run"
          params={{ wizard: form.definition.id, run: form.wizardRunId }}
          className={buttonLook()}
        >
          Continue
        </Link>
        <span className="text-small text-muted">
          {answers}
          {form.chatSessionId && ", in a conversation"}; can be answered until {day(form.expiresAt)}
        </span>
      </div>
    </EntryCard>
  );
}
