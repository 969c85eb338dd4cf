import { Link } from "@tanstack/react-router";
import { useKind } from "@/shared/api";
import { type StoredImport, useImportChanges, useImporters } from "@/shared/api/imports";
import type { RecordChangeAnswer } from "@/shared/api/schema";
import { inWords } from "@/shared/format";
import type { Schema } from "@/shared/schema/schema";
import { Value } from "@/shared/schema/Value";
import { ErrorState, Icon, SkeletonLines, StateChip } from "@/shared/ui";
import { More } from "./Problems";

/** What the import wrote: each record, and each changed field before and after. */
export function Changes({ stored }: { stored: StoredImport }) {
  const hasAny = stored.added + stored.updated > 0;
  const changes = useImportChanges(stored.id, hasAny);
  const importer = useImporters()?.find((each) => each.name === stored.name);
  if (!hasAny) return <p className="text-muted">Nothing was written.</p>;
  if (changes.error && !changes.data)
    return <ErrorState error={changes.error} retry={() => void changes.refetch()} />;
  if (!changes.data) return <SkeletonLines lines={6} />;
  const rows = changes.data.pages.flatMap((page) => page.items);
  if (!rows.length)
    return <p className="text-muted">The rows were removed after their days of keeping.</p>;
  return (
    <>
      <ul className="-mt-2 text-table">
        {rows.map((row) => (
          <Change key={row.externalId} row={row} kind={importer?.kind ?? null} />
        ))}
      </ul>
      <More query={changes} />
    </>
  );
}

function Change({ row, kind: name }: { row: RecordChangeAnswer; kind: string | null }) {
  const kind = useKind(name ?? "")?.kind;
  const root = (kind?.record ?? {}) as Schema;
  const field = (each: string) => {
    const wire = camel(each);
    return {
      label: kind?.fields.find((one) => one.name === wire)?.label ?? inWords(each),
      schema: root.properties?.[wire],
    };
  };
  const isGone = row.undone?.result === "deleted";
  return (
    <li className="border-b border-line py-2 last:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="figures w-16 text-muted">Line {row.line}</span>
        {kind && !isGone ? (
          <Link
            to="/records/$kind/$id"
            params={{ kind: kind.kind, id: row.recordId }}
            className="font-medium text-accent wrap-anywhere underline"
          >
            {row.externalId}
          </Link>
        ) : (
          <span className="font-medium wrap-anywhere">{row.externalId}</span>
        )}
        {row.outcome === "added" ? (
          <StateChip tone="positive">New</StateChip>
        ) : (
          <StateChip tone="accent">Changed</StateChip>
        )}
        {row.undone && <Undone undone={row.undone} />}
      </div>
      {row.fields.length > 0 && (
        <dl className="mt-1.5 grid grid-cols-[minmax(6rem,10rem)_1fr] gap-x-4 gap-y-1 pl-19 max-sm:pl-0">
          {row.fields.map((change) => {
            const { label, schema } = field(change.field);
            return (
              <div key={change.field} className="contents">
                <dt className="text-muted">{label}</dt>
                <dd className="flex min-w-0 flex-wrap items-baseline gap-x-2">
                  <span className="text-muted line-through decoration-1">
                    <Value value={change.before} schema={schema} root={root} />
                  </span>
                  <Icon name="right" size={12} className="self-center text-muted" />
                  <span className="sr-only">becomes</span>
                  <span className="min-w-0">
                    <Value value={change.after} schema={schema} root={root} />
                  </span>
                </dd>
              </div>
            );
          })}
        </dl>
      )}
    </li>
  );
}

function Undone({ undone }: { undone: NonNullable<RecordChangeAnswer["undone"]> }) {
  const word = { deleted: "Deleted again", restored: "Set back", kept: "Kept" }[undone.result];
  return (
    <>
      <StateChip tone={undone.result === "kept" ? "caution" : "excluded"}>{word}</StateChip>
      {undone.reason && <span className="text-muted">{undone.reason}</span>}
      {undone.fields.length > 0 && (
        <span className="text-muted">
          These fields stay: {undone.fields.map(inWords).join(", ").toLowerCase()}.
        </span>
      )}
    </>
  );
}

const camel = (name: string): string =>
  name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
