import { Suspense, useRef, useState } from "react";
import { type Kind, type RecordData, useMayWrite, useRecord, useUpdateRecord } from "@/shared/api";
import { type RecordTabProps, useFeatures } from "@/shared/feature/feature";
import { Time } from "@/shared/format";
import { unitIn } from "@/shared/format/record";
import { RecordForm } from "@/shared/form/RecordForm";
import type { Schema } from "@/shared/schema/schema";
import { RecordLink, Value } from "@/shared/schema/Value";
import { Button, Notice, SkeletonLines, toast } from "@/shared/ui";
import { Card } from "@/shared/ui/Page";

/** The record's own fields, to read and to change. */
export function DetailsTab({ pack, kind, record }: RecordTabProps) {
  const [isEditing, edit] = useState(false);
  const mayWrite = useMayWrite();
  const parts = useFeatures()
    .flatMap((feature) => feature.recordDetails ?? [])
    .filter((part) => part.appliesTo(kind));
  return (
    <div className="max-w-3xl">
      {record.notValid && (
        <div className="mb-4">
          <Notice tone="negative">
            This record was stored under older rules. Correct it to change it:
            <ul className="list-disc pl-4">
              {record.notValid.map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
      <Card
        title={isEditing ? `Edit ${kind.title.toLowerCase()}` : "Details"}
        actions={
          mayWrite &&
          !isEditing && (
            <Button look="quiet" icon="edit" onPress={() => edit(true)}>
              Edit
            </Button>
          )
        }
      >
        {isEditing ? (
          <Edit kind={kind} record={record} onClose={() => edit(false)} />
        ) : (
          <Fields kind={kind} record={record} />
        )}
      </Card>
      {parts.map(({ id, Content }) => (
        <Suspense key={id} fallback={<SkeletonLines />}>
          <Content pack={pack} kind={kind} record={record} />
        </Suspense>
      ))}
      <p className="mt-3 text-table text-muted">
        Added <Time at={record.createdAt} />, changed <Time at={record.updatedAt} /> · version{" "}
        {record.version}
        {record.externalId && (
          <>
            {" · "}
            <code className="font-mono">{record.externalId}</code>
          </>
        )}
      </p>
    </div>
  );
}

/** Fields with a value, in the kind's order; what is empty is named at the end. */
export function Fields({ kind, record }: { kind: Kind; record: RecordData }) {
  const root = kind.record as Schema;
  const isEmpty = (name: string) => {
    const value = record[name];
    if (value === null || value === undefined || value === "") return true;
    return typeof value === "object" && Object.keys(value).length === 0;
  };
  // Pictures are shown as such, in a part of their own.
  const fields = kind.fields.filter(
    ({ name }) => !(kind.takesFiles && name === kind.display.picture),
  );
  const full = fields.filter((field) => !isEmpty(field.name));
  const empty = fields.filter((field) => isEmpty(field.name));
  return (
    <>
      <dl className="grid grid-cols-[minmax(8rem,max-content)_1fr] gap-x-6 gap-y-2 max-sm:grid-cols-1 max-sm:gap-y-0.5">
        {full.map((field) => {
          const relation = kind.relations.find((each) => each.field === field.name);
          const other = relation ? record[relation.name] : undefined;
          return (
            <div key={field.name} className="contents">
              <dt className="text-muted" title={field.description || undefined}>
                {relation ? field.label.replace(/ id$/, "") : field.label}
              </dt>
              <dd className="min-w-0 max-sm:mb-2">
                {relation && other ? (
                  <RecordLink
                    kind={relation.kind}
                    reference={other as Parameters<typeof RecordLink>[0]["reference"]}
                  />
                ) : (
                  <Value
                    value={record[field.name]}
                    schema={root.properties?.[field.name]}
                    root={root}
                    unit={unitIn(record, field)}
                  />
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      {empty.length > 0 && (
        <p className="mt-4 border-t border-line pt-3 text-table text-muted">
          Not stated: {empty.map((field) => field.label).join(", ")}.
        </p>
      )}
    </>
  );
}

function Edit({ kind, record, onClose }: { kind: Kind; record: RecordData; onClose: () => void }) {
  // The version that was opened: a change that arrives meanwhile must not pass unseen.
  const [opened] = useState(record);
  const update = useUpdateRecord(kind.kind, record.id);
  const latest = useRecord(kind.kind, record.id);
  const [mine, setMine] = useState<Record<string, unknown>>({});
  const typed = useRef(() => {});
  const save = (changes: Record<string, unknown>, version: number) =>
    update.mutate(
      { ...changes, version },
      {
        onSuccess: () => {
          typed.current();
          toast("Saved");
          onClose();
        },
        onError: () => void latest.refetch(),
      },
    );
  return (
    <RecordForm
      kind={kind}
      record={opened}
      submitLabel="Save"
      isPending={update.isPending}
      error={update.error}
      onCancel={onClose}
      onSubmit={(changes, forget) => {
        typed.current = forget;
        setMine(changes);
        save(changes, opened.version);
      }}
      conflict={
        <Conflict
          kind={kind}
          opened={opened}
          latest={latest.data}
          mine={mine}
          onSave={() => latest.data && save(mine, latest.data.version)}
          onDiscard={() => {
            typed.current();
            onClose();
          }}
        />
      }
    />
  );
}

/** What somebody else changed meanwhile, and what becomes of one's own changes. */
function Conflict({
  kind,
  opened,
  latest,
  mine,
  onSave,
  onDiscard,
}: {
  kind: Kind;
  opened: RecordData;
  latest: RecordData | undefined;
  mine: Record<string, unknown>;
  onSave: () => void;
  onDiscard: () => void;
}) {
  if (!latest || latest.version === opened.version) return <SkeletonLines lines={2} />;
  const isChanged = ({ name }: { name: string }) =>
    JSON.stringify(latest[name]) !== JSON.stringify(opened[name]);
  const changed = kind.fields.filter(isChanged);
  const schema = kind.record as Schema;
  return (
    <Notice tone="caution">
      Somebody else changed this record while you were editing. What you typed is still here, not
      saved yet.
      <ul className="my-2 list-disc pl-4">
        {changed.map((field) => (
          <li key={field.name}>
            {field.label} is now{" "}
            <Value
              value={latest[field.name]}
              schema={schema.properties?.[field.name]}
              root={schema}
              unit={unitIn(latest, field)}
            />
            {field.name in mine && "; yours would replace it"}.
          </li>
        ))}
      </ul>
      <span className="flex flex-wrap gap-2">
        <Button onPress={onSave}>Save mine too</Button>
        <Button look="quiet" onPress={onDiscard}>
          Discard mine
        </Button>
      </span>
    </Notice>
  );
}
