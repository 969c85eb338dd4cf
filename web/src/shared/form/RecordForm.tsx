import { type FormEvent, type ReactNode, useEffect, useReducer, useRef, useState } from "react";
import { ApiError, type Kind, type RecordData, useMe } from "@/shared/api";
import { useStoredDraft } from "@/shared/drafts/drafts";
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
  /** `forget` is called once the changes are stored: what was typed survives until then. */
  onSubmit: (changes: Record<string, unknown>, forget: () => void) => void;
  onCancel: () => void;
  /** What to say where somebody else changed the record meanwhile. */
  conflict?: ReactNode;
}) {
  const [before] = useState<Draft>(() => draftOf(kind, record));
  const { draft, change, forget, isOlder } = useTyped(kind, record, before);
  const [unread, setUnread] = useState<Record<string, string>>({});
  const [refusals, countRefusal] = useReducer((count: number) => count + 1, 0);
  const fromServer = error instanceof ApiError ? error.fields : {};
  const errors: Record<string, string> = { ...fromServer, ...unread };
  const fields = kind.fields.filter(
    (field) => canEdit(kind, field) && (record || !field.isSetByResearch),
  );
  const wrong = fields.filter((field) => errors[field.name]).length;
  const form = useFocusOnFault(error, refusals);
  const isConflict = error instanceof ApiError && error.problem.status === 409;
  const elsewhere = Object.entries(errors).filter(
    ([name]) => !fields.some((field) => field.name === name),
  );

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { changes, errors: unreadable } = changesOf(kind, draft, before);
    setUnread(unreadable);
    if (Object.keys(unreadable).length) return countRefusal();
    if (record && !Object.keys(changes).length) cancel();
    else onSubmit(changes, forget);
  }
  function cancel() {
    forget();
    onCancel();
  }

  return (
    <form ref={form} onSubmit={submit} className="flex flex-col gap-4" noValidate>
      {isConflict && conflict}
      {isOlder && !isConflict && (
        <Notice tone="caution">
          The record changed after you typed this. Look at it again before you save.
        </Notice>
      )}
      {!isConflict && (wrong > 0 || Boolean(error)) && (
        <Notice tone="negative">
          {wrong > 0
            ? `Correct ${wrong === 1 ? "the marked field" : `the ${wrong} marked fields`}.`
            : describeError(error).detail}
          {elsewhere.map(([name, message]) => (
            <span key={name} className="block">
              {message}
            </span>
          ))}
        </Notice>
      )}
      {fields.map((field, index) => {
        const unit = field.unitField ? draft[field.unitField] || undefined : undefined;
        return (
          <FieldControl
            key={field.name}
            kind={kind}
            field={field}
            unit={unit}
            value={draft[field.name] ?? ""}
            error={errors[field.name]}
            autoFocus={!record && index === 0}
            onChange={(value) => {
              change(field.name, value);
              setUnread(({ [field.name]: _, ...rest }) => rest);
            }}
          />
        );
      })}
      <div className="sticky -bottom-4 -mb-4 flex gap-2 border-t border-line bg-raised pt-3 pb-4">
        <Button type="submit" look="primary" isPending={isPending}>
          {submitLabel}
        </Button>
        <Button look="quiet" onPress={cancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

interface Typed {
  /** The version of the record that was changed; null for a new one. */
  version: number | null;
  values: Draft;
}

/** What was typed over the record's values; it survives a reload and a session that ended. */
function useTyped(kind: Kind, record: RecordData | undefined, before: Draft) {
  const person = useMe().data?.userId ?? "";
  const [typed, keep] = useStoredDraft<Typed>(person, `record.${kind.kind}.${record?.id ?? "new"}`);
  const version = record?.version ?? null;
  return {
    draft: typed ? { ...before, ...typed.values } : before,
    isOlder: typed !== undefined && typed.version !== version,
    change: (name: string, value: string) =>
      keep({ version: typed?.version ?? version, values: { ...typed?.values, [name]: value } }),
    forget: () => keep(undefined),
  };
}

/** Brings the first wrong field into view and under the keyboard, once for each refusal. */
function useFocusOnFault(error: unknown, refusals: number) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error, refusals]);
  return form;
}
