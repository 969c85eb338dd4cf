import { type FormEvent, useState } from "react";
import { ApiError, usePacks } from "@/shared/api";
import { useErase, usePreviewErasure } from "@/shared/api/retention";
import type { ErasureAnswer } from "@/shared/api/schema";
import { inWords, number } from "@/shared/format";
import { Button, describeError, Dialog, Field, Notice, Select, toast } from "@/shared/ui";
import { rowsOf } from "./Erasures";

/** Erases a person's or a record's data for good, after a preview that changes nothing. */
export function EraseButton() {
  const [isOpen, open] = useState(false);
  return (
    <>
      <Button look="danger" onPress={() => open(true)}>
        Erase data…
      </Button>
      {isOpen && <EraseDialog onClose={() => open(false)} />}
    </>
  );
}

function EraseDialog({ onClose }: { onClose: () => void }) {
  const packs = usePacks().data ?? [];
  const preview = usePreviewErasure();
  const erase = useErase();
  const [kind, setKind] = useState("person");
  const [id, setId] = useState("");
  const [names, setNames] = useState("");
  const [reason, setReason] = useState("");
  const kinds = packs.flatMap((pack) => pack.kinds);
  const subject = {
    kind,
    id: id.trim(),
    alsoKnownAs: names
      .split("\n")
      .map((each) => each.trim())
      .filter(Boolean),
  };
  const error = preview.error ?? erase.error;
  const fields = error instanceof ApiError ? error.fields : {};
  /** A preview counts for what it was made of only. */
  const change = (set: (value: string) => void) => (value: string) => {
    preview.reset();
    erase.reset();
    set(value);
  };
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!subject.id) return;
    if (!preview.data) return preview.mutate(subject);
    if (reason.trim())
      erase.mutate(
        { ...subject, reason: reason.trim() },
        {
          onSuccess: (done) => {
            toast(`Erased: ${number(rowsOf(done.removed))} rows`);
            onClose();
          },
        },
      );
  }
  return (
    <Dialog isOpen onClose={onClose} title="Erase data for good" size="large">
      <form onSubmit={submit} className="flex flex-col gap-4">
        {error && <Notice tone="negative">{describeError(error).detail}</Notice>}
        <div className="grid gap-4 sm:grid-cols-[10rem_1fr]">
          <Select
            label="What"
            value={kind}
            onChange={change(setKind)}
            options={[
              { value: "person", label: "A person" },
              ...kinds.map((each) => ({ value: each.kind, label: inWords(each.kind) })),
            ]}
          />
          <Field
            label={kind === "person" ? "E-mail or user id" : "Id, whence's or an imported one"}
            help={
              kind === "person"
                ? "Somebody who signs in here. What is recorded about anybody else, such as an employee, is erased with its record."
                : "It stands in the address of the record's page, and below its details."
            }
            value={id}
            onChange={change(setId)}
            error={fields["id"]}
            autoFocus
          />
        </div>
        <Field
          label="Also known as"
          help="Other names under which conversations and import reports may mention it, one a line."
          isRequired={false}
          rows={2}
          value={names}
          onChange={change(setNames)}
          error={fields["alsoKnownAs"]}
        />
        {preview.data && (
          <>
            <Counts counted={preview.data} />
            <Field
              label="Reason"
              help="It stays, so it should not name anybody."
              value={reason}
              onChange={setReason}
              error={fields["reason"]}
            />
          </>
        )}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>Cancel</Button>
          {preview.data ? (
            <Button
              type="submit"
              look="danger"
              isPending={erase.isPending}
              isDisabled={!reason.trim()}
            >
              Erase for good
            </Button>
          ) : (
            <Button type="submit" look="primary" isPending={preview.isPending}>
              Count what would go
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

function Counts({ counted }: { counted: ErasureAnswer }) {
  const removed = Object.entries(counted.removed).filter(([, rows]) => rows > 0);
  const kept = Object.entries(counted.kept).filter(([, rows]) => rows > 0);
  return (
    <div className="rounded-ui border border-line bg-sunken p-3 text-table">
      <p className="font-medium">
        {number(rowsOf(counted.removed))} rows would be removed or emptied. Only a backup can
        restore them.
      </p>
      <Tables rows={removed} />
      {kept.length > 0 && (
        <>
          <p className="mt-2 font-medium">Kept, because something else uses it:</p>
          <Tables rows={kept} />
        </>
      )}
    </div>
  );
}

function Tables({ rows }: { rows: [string, number][] }) {
  return (
    <ul className="mt-1 grid gap-x-6 text-muted sm:grid-cols-2">
      {rows.map(([table, count]) => (
        <li key={table} className="flex justify-between gap-3">
          <span className="truncate">{inWords(table.split(".").pop() ?? table)}</span>
          <span className="figures">{number(count)}</span>
        </li>
      ))}
    </ul>
  );
}
