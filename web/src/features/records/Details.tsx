import { Suspense, useState } from "react";
import { type Kind, type RecordData, useMayWrite, useRecord, useUpdateRecord } from "@/shared/api";
import { type RecordTabProps, useFeatures } from "@/shared/feature/feature";
import { Time } from "@/shared/format";
import { RecordForm } from "@/shared/form/RecordForm";
import type { Schema } from "@/shared/schema/schema";
import { RecordLink, Value } from "@/shared/schema/Value";
import { Button, Notice, SkeletonLines, toast } from "@/shared/ui";
import { Card } from "@/shared/ui/Page";
import { unitIn } from "./columns";

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
  const full = kind.fields.filter((field) => !isEmpty(field.name));
  const empty = kind.fields.filter((field) => isEmpty(field.name));
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
  return (
    <RecordForm
      kind={kind}
      record={opened}
      submitLabel="Save"
      isPending={update.isPending}
      error={update.error}
      onCancel={onClose}
      onSubmit={(changes) =>
        update.mutate(
          { ...changes, version: opened.version },
          {
            onSuccess: () => {
              toast("Saved");
              onClose();
            },
            onError: () => void latest.refetch(),
          },
        )
      }
      conflict={
        <Notice tone="caution" action={<Button onPress={onClose}>Show the present one</Button>}>
          Somebody else changed this record while you were editing. Nothing of yours was saved.
        </Notice>
      }
    />
  );
}
