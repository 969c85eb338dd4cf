import { type FormEvent, lazy, Suspense, useState } from "react";
import { type Kind, type RecordData, useUpdateRecord } from "@/shared/api";
import { ApiError } from "@/shared/api/errors";
import { inWords } from "@/shared/format";
import { Button, describeError, Field, Skeleton, toast } from "@/shared/ui";
import { changesOf, draftOf, type FieldInfo } from "./draft";

/** The controls of every type are large, and few people open the form. */
const FieldControl = lazy(() =>
  import("./FieldControl").then((module) => ({ default: module.FieldControl })),
);

interface Props {
  kind: Kind;
  record: RecordData;
}

/** One field of a record, edited where it is missing. */
export function EditField({ kind, record, field }: Props & { field: FieldInfo }) {
  const before = draftOf(kind, record);
  const [text, setText] = useState<string>();
  const update = useUpdateRecord(kind.kind, record.id);
  const [fault, setFault] = useState<string>();
  const value = text ?? before[field.name] ?? "";
  return (
    <InPlace
      title={`Enter the ${field.label.toLowerCase()}`}
      isPending={update.isPending}
      isChanged={value !== before[field.name]}
      onSubmit={(done) => {
        const { changes, errors } = changesOf(kind, { [field.name]: value }, before);
        if (errors[field.name]) return setFault(errors[field.name]);
        update.mutate(
          { version: record.version, ...changes },
          { onSuccess: done, onError: (error) => setFault(faultOf(error)) },
        );
      }}
    >
      <Suspense fallback={<Skeleton className="h-16" />}>
        <FieldControl
          kind={kind}
          field={field}
          value={value}
          onChange={(next) => {
            setText(next);
            setFault(undefined);
          }}
          error={fault}
        />
      </Suspense>
    </InPlace>
  );
}

/** One entry of a field of names and values, such as `attributes.color`. */
export function EditMember({
  kind,
  record,
  field,
  member,
}: Props & { field: string; member: string }) {
  const entries = (record[field] ?? {}) as Record<string, unknown>;
  const [text, setText] = useState("");
  const [fault, setFault] = useState<string>();
  const update = useUpdateRecord(kind.kind, record.id);
  return (
    <InPlace
      title={`Enter the ${inWords(member).toLowerCase()}`}
      isPending={update.isPending}
      isChanged={text.trim() !== ""}
      onSubmit={(done) =>
        update.mutate(
          { version: record.version, [field]: { ...entries, [member]: text.trim() } },
          { onSuccess: done, onError: (error) => setFault(faultOf(error)) },
        )
      }
    >
      <Field
        label={inWords(member)}
        value={text}
        onChange={(next) => {
          setText(next);
          setFault(undefined);
        }}
        error={fault}
      />
    </InPlace>
  );
}

function InPlace({
  title,
  isPending,
  isChanged,
  onSubmit,
  children,
}: {
  title: string;
  isPending: boolean;
  isChanged: boolean;
  onSubmit: (done: () => void) => void;
  children: React.ReactNode;
}) {
  const [isOpen, open] = useState(false);
  if (!isOpen)
    return (
      <div>
        <Button icon="edit" onPress={() => open(true)}>
          {title}
        </Button>
      </div>
    );
  function submit(event: FormEvent) {
    event.preventDefault();
    if (isChanged)
      onSubmit(() => {
        open(false);
        toast("Saved. New research takes it into account.");
      });
  }
  return (
    <form onSubmit={submit} className="flex max-w-md flex-col gap-2">
      {children}
      <span className="flex gap-2">
        <Button type="submit" look="primary" isPending={isPending} isDisabled={!isChanged}>
          Save
        </Button>
        <Button look="quiet" onPress={() => open(false)}>
          Cancel
        </Button>
      </span>
    </form>
  );
}

/** The server's words about the field, or about the whole request. */
function faultOf(error: unknown): string {
  const own = error instanceof ApiError ? error.problem.errors?.[0]?.message : undefined;
  return own ?? describeError(error).detail;
}
