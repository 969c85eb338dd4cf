import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useMayWrite } from "@/shared/api";
import {
  type ImportChoice,
  type ImportPreview,
  type StoredImport,
  useDiscardImport,
  useImporters,
  useImportPreview,
  useStartImport,
} from "@/shared/api/imports";
import { number, Time } from "@/shared/format";
import {
  Button,
  Checkbox,
  ErrorState,
  Notice,
  SkeletonLines,
  toast,
  toastError,
} from "@/shared/ui";
import { Card } from "@/shared/ui/Page";
import { Columns } from "./Columns";
import { ImportHeader } from "./ImportPage";
import { FirstRows, Refusals } from "./Rows";
import { choose, counted } from "./words";

const LINK = "font-medium text-accent hover:underline";
const route = getRouteApi("/shell/imports/$id");

/** A stored file before its import: its columns, its first rows, and what would be refused. */
export function Draft({ stored }: { stored: StoredImport }) {
  const search = route.useSearch();
  const { columns = {}, clear = false } = search;
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const choice: ImportChoice = { mapping: columns, clearEmpty: clear };
  const preview = useImportPreview(stored.id, choice, mayWrite);
  const start = useStartImport(stored.id);
  const discard = useDiscardImport();
  const importer = useImporters()?.find((each) => each.name === stored.name);
  const shown = preview.data;

  const set = (next: { columns?: Record<string, string>; clear?: boolean }) =>
    void navigate({
      to: "/imports/$id",
      params: { id: stored.id },
      replace: true,
      search: { ...search, ...next },
    });
  const canStart = Boolean(shown && !shown.missing.length && shown.rows.length) && !preview.error;
  const actions = mayWrite && (
    <>
      <Button
        look="quiet"
        isPending={discard.isPending}
        onPress={() =>
          discard.mutate(stored.id, {
            onSuccess: () => {
              toast("Discarded");
              void navigate({ to: "/imports" });
            },
            onError: toastError,
          })
        }
      >
        Discard
      </Button>
      <Button
        look="primary"
        isDisabled={!canStart || preview.isPlaceholderData}
        isPending={start.isPending}
        onPress={() => start.mutate(choice, { onError: toastError })}
      >
        {shown ? `Import ${rowsToImport(shown)}` : "Import"}
      </Button>
    </>
  );
  if (!mayWrite)
    return (
      <>
        <ImportHeader stored={stored} />
        <Notice>
          This file was not imported yet. Somebody who may change records can start it.
        </Notice>
      </>
    );
  if (preview.error && !shown)
    return (
      <>
        <ImportHeader stored={stored} actions={actions} />
        <ErrorState
          error={preview.error}
          retry={
            Object.keys(columns).length
              ? () => set({ columns: undefined })
              : () => void preview.refetch()
          }
        />
      </>
    );
  if (!shown)
    return (
      <>
        <ImportHeader stored={stored} actions={actions} />
        <SkeletonLines lines={12} />
      </>
    );
  return (
    <>
      <ImportHeader stored={stored} actions={actions} />
      <div className="flex flex-col gap-4" aria-busy={preview.isPlaceholderData}>
        {preview.error ? (
          <Notice
            tone="negative"
            action={<Button onPress={() => set({ columns: undefined })}>Start over</Button>}
          >
            {preview.error.message}
          </Notice>
        ) : (
          <Summary shown={shown} />
        )}
        <Earlier shown={shown} chosen={columns} onChoose={(next) => set({ columns: next })} />
        <Columns
          shown={shown}
          chosen={columns}
          onChoose={(header, field) =>
            set({ columns: choose(columns, header, field, shown.fields) })
          }
          onReset={() => set({ columns: undefined })}
        />
        <FirstRows shown={shown} kind={importer?.kind ?? null} />
        {shown.refused.length > 0 && (
          <Card
            title={
              shown.refusedCount > shown.refused.length
                ? `The first ${number(shown.refused.length)} of ${counted(shown.refusedCount, "refused row")}`
                : `Refused rows (${number(shown.refusedCount)})`
            }
          >
            <p className="mb-3 text-muted">
              These stay out. Correct them in the file and import it again: what is in already is
              recognised.
            </p>
            <Refusals rows={shown.refused} fields={shown.fields} />
          </Card>
        )}
        <Card title="Records that are there already">
          <p className="mb-2 max-w-[72ch] text-muted">
            A record is recognised by its ID. Only what the file says is changed; a column that is
            missing here leaves its field alone.
          </p>
          <Checkbox isSelected={clear} onChange={(on) => set({ clear: on || undefined })}>
            Empty cells clear their fields
          </Checkbox>
        </Card>
        {shown.notes.length > 0 && (
          <Card title="Notes on the file">
            <ul className="list-disc pl-4">
              {shown.notes.map((note) => (
                <li key={note} className="wrap-anywhere">
                  {note}
                </li>
              ))}
            </ul>
          </Card>
        )}
      </div>
    </>
  );
}

/** That this file, or one with the same columns, was imported before. */
function Earlier({
  shown: { sameFile, sameColumns },
  chosen,
  onChoose,
}: {
  shown: ImportPreview;
  chosen: Readonly<Record<string, string>>;
  onChoose: (columns: Record<string, string>) => void;
}) {
  const isOffered = sameColumns && Object.keys(chosen).length === 0;
  return (
    <>
      {sameFile && (
        <Notice>
          You imported this very file <Time at={sameFile.at} />.{" "}
          <Link to="/imports/$id" params={{ id: sameFile.id }} className={LINK}>
            See what it did
          </Link>
          . Importing it again changes only what differs.
        </Notice>
      )}
      {isOffered && (
        <Notice
          action={<Button onPress={() => onChoose(sameColumns.mapping)}>Choose them again</Button>}
        >
          For <bdi>{sameColumns.filename}</bdi>, which has the same columns, you chose what{" "}
          {counted(Object.keys(sameColumns.mapping).length, "column")} mean.
        </Notice>
      )}
    </>
  );
}

const rowsToImport = (shown: ImportPreview): string =>
  shown.isWhole ? counted(shown.read - shown.refusedCount, "row") : "all rows";

/** What would happen, in one line. */
function Summary({ shown }: { shown: ImportPreview }) {
  if (shown.missing.length) {
    const names = shown.missing.map(
      (name) => shown.fields.find((each) => each.name === name)?.label ?? name,
    );
    return (
      <Notice tone="caution">
        Choose the column that holds the {names.join(", the ").toLowerCase()}; every record needs
        it.
      </Notice>
    );
  }
  const good = shown.read - shown.refusedCount;
  if (!good)
    return (
      <Notice tone="caution">
        {shown.read ? "Every row would be refused. Do the columns fit?" : "The file has no rows."}
      </Notice>
    );
  const { added = 0, updated = 0, unchanged = 0 } = shown.outcomes;
  const parts = [
    added && `${number(added)} new`,
    updated && `${number(updated)} changed`,
    unchanged && `${number(unchanged)} already the same`,
  ].filter(Boolean);
  const scope = shown.tried < good ? `Of the first ${number(shown.tried)}: ` : "";
  return (
    <p role="status" className="figures flex flex-wrap gap-x-6 gap-y-1">
      <span>
        <strong className="font-semibold">{counted(good, "row")}</strong>
        {shown.isWhole ? "" : ` of the first ${number(shown.read)}`} can be imported
      </span>
      {parts.length > 0 && (
        <span className="text-muted">
          {scope}
          {parts.join(", ")}
        </span>
      )}
      {shown.refusedCount > 0 && (
        <span className="text-negative">{counted(shown.refusedCount, "row")} refused</span>
      )}
      <span className="text-muted">Nothing is written yet</span>
    </p>
  );
}
