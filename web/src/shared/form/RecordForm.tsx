import { type FormEvent, type ReactNode, useState } from "react";
import { ApiError, type Kind, type RecordData } from "@/shared/api";
import { Button, describeError, Notice } from "@/shared/ui";
import { canEdit, changesOf, type Draft, draftOf } from "./draft";
import { FieldControl } from "./FieldControl";

/** A form for a record of any kind; the server's errors stand at their fields. */
export function RecordForm({
  kind,
  record,
  submitLabel,
  isPending,
  error,
  onSubmit,
  onCancel,
  conflict,
}: {
  kind: Kind;
  record?: RecordData;
  submitLabel: string;
  isPending: boolean;
  error: unknown;
  onSubmit: (changes: Record<string, unknown>) => void;
  onCancel: () => void;
  /** What to say where somebody else changed the record meanwhile. */
  conflict?: ReactNode;
}) {
  const [before] = useState<Draft>(() => draftOf(kind, record));
  const [draft, setDraft] = useState(before);
  const [unread, setUnread] = useState<Record<string, string>>({});
  const fromServer = error instanceof ApiError ? error.fields : {};
  const errors: Record<string, string> = { ...fromServer, ...unread };
  const fields = kind.fields.filter((field) => canEdit(kind, field));
  const isConflict = error instanceof ApiError && error.problem.status === 409;
  const elsewhere = Object.entries(errors).filter(
    ([name]) => !fields.some((field) => field.name === name),
  );

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { changes, errors: wrong } = changesOf(kind, draft, before);
    setUnread(wrong);
    if (Object.keys(wrong).length) return;
    if (record && !Object.keys(changes).length) onCancel();
    else onSubmit(changes);
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      {isConflict && conflict}
      {Boolean(error) && !isConflict && (
        <Notice tone="negative">
          {Object.keys(fromServer).length
            ? "Correct what is marked below."
            : describeError(error).detail}
          {elsewhere.map(([name, message]) => (
            <span key={name} className="block">
              {message}
            </span>
          ))}
        </Notice>
      )}
      {fields.map((field) => {
        const unit = field.unitField ? draft[field.unitField] || undefined : undefined;
        return (
          <FieldControl
            key={field.name}
            kind={kind}
            field={field}
            unit={unit}
            value={draft[field.name] ?? ""}
            error={errors[field.name]}
            onChange={(value) => {
              setDraft((old) => ({ ...old, [field.name]: value }));
              setUnread(({ [field.name]: _, ...rest }) => rest);
            }}
          />
        );
      })}
      <div className="sticky bottom-0 flex gap-2 bg-raised py-2">
        <Button type="submit" look="primary" isPending={isPending}>
          {submitLabel}
        </Button>
        <Button look="quiet" onPress={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
