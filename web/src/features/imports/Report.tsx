import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useMayWrite } from "@/shared/api";
import {
  isActive,
  type StoredImport,
  useCancelImport,
  useImporters,
  useResumeImport,
  useUndoImport,
} from "@/shared/api/imports";
import { number, Time } from "@/shared/format";
import { Button, Dialog, Notice, Progress, Tabs, toast, toastError } from "@/shared/ui";
import { Card } from "@/shared/ui/Page";
import { Changes } from "./Changes";
import { ImportHeader } from "./ImportPage";
import { RefusedTab, WarningsTab } from "./Problems";
import { counted, shareOf } from "./words";

const route = getRouteApi("/shell/imports/$id");

/** An import that was started: how far it is, and what it did. */
export function Report({ stored }: { stored: StoredImport }) {
  const { tab } = route.useSearch();
  const navigate = useNavigate();
  const tabs = [
    {
      id: "changes",
      title: `Records (${number(stored.added + stored.updated)})`,
      content: <Changes stored={stored} />,
    },
    {
      id: "refused",
      title: `Refused rows (${number(stored.refused)})`,
      content: <RefusedTab stored={stored} />,
    },
    {
      id: "warnings",
      title: `Warnings (${number(stored.warnings)})`,
      content: <WarningsTab stored={stored} />,
    },
    { id: "columns", title: "Columns", content: <ReadAs stored={stored} /> },
  ];
  const first = stored.refused > 0 ? "refused" : "changes";
  return (
    <>
      <ImportHeader stored={stored} actions={<Actions stored={stored} />} />
      <div className="mb-5 flex flex-col gap-4">
        {isActive(stored) && <Running stored={stored} />}
        {stored.error && (
          <Notice tone="negative">
            <strong className="font-medium">It failed.</strong> {stored.error}
          </Notice>
        )}
        {stored.undoneAt && (
          <Notice>
            Undone <Time at={stored.undoneAt} />. What was changed after the import stays; the list
            below names it.
          </Notice>
        )}
        <Counts stored={stored} />
        {stored.notes.length > 0 && (
          <ul className="flex list-disc flex-col gap-1 pl-4 text-muted">
            {stored.notes.map((note) => (
              <li key={note} className="wrap-anywhere">
                {note}
              </li>
            ))}
          </ul>
        )}
      </div>
      {!isActive(stored) && (
        <Tabs
          label="Parts of the report"
          selected={tabs.some((each) => each.id === tab) ? tab! : first}
          onSelect={(next) =>
            void navigate({
              to: ".",
              replace: true,
              search: (old: object) => ({ ...old, tab: next }),
            })
          }
          tabs={tabs}
        />
      )}
    </>
  );
}

function Running({ stored }: { stored: StoredImport }) {
  return (
    <Card>
      <Progress
        label={stored.status === "waiting" ? "Waiting for a worker" : "Importing"}
        share={stored.status === "waiting" ? 0 : shareOf(stored)}
        about={counted(stored.rows, "row")}
      />
      <p className="mt-2 text-table text-muted">
        You may leave this page; the import goes on, also after a restart of the server.
      </p>
    </Card>
  );
}

function Counts({ stored }: { stored: StoredImport }) {
  const figures: [string, number, string?][] = [
    ["New", stored.added],
    ["Changed", stored.updated],
    ["The same", stored.unchanged],
    ["Repeated", stored.repeated],
    ["Refused", stored.refused, stored.refused ? "text-negative" : ""],
  ];
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-ui border border-line bg-line sm:grid-cols-5">
      {figures.map(([name, count, look]) => (
        <div key={name} className="flex flex-col bg-raised px-4 py-3 max-sm:last:col-span-2">
          <dt className="text-table text-muted">{name}</dt>
          <dd className={`figures text-title font-semibold ${look ?? ""}`}>{number(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Actions({ stored }: { stored: StoredImport }) {
  const mayWrite = useMayWrite();
  const cancel = useCancelImport(stored.id);
  const resume = useResumeImport(stored.id);
  const importer = useImporters()?.find((each) => each.name === stored.name);
  const [isUndoing, askToUndo] = useState(false);
  if (!mayWrite) return null;
  const hasWritten = stored.added + stored.updated > 0;
  const canUndo = hasWritten && !isActive(stored) && !stored.undoneAt && importer?.canUndo;
  return (
    <>
      {isActive(stored) && (
        <Button
          icon="stop"
          isPending={cancel.isPending}
          onPress={() => cancel.mutate(undefined, { onError: toastError })}
        >
          Cancel
        </Button>
      )}
      {canUndo && <Button onPress={() => askToUndo(true)}>Undo…</Button>}
      {stored.canResume && (
        <Button
          look="primary"
          icon="refresh"
          isPending={resume.isPending}
          onPress={() => resume.mutate(undefined, { onError: toastError })}
        >
          Resume
        </Button>
      )}
      <UndoDialog stored={stored} isOpen={isUndoing} onClose={() => askToUndo(false)} />
    </>
  );
}

function UndoDialog(props: { stored: StoredImport; isOpen: boolean; onClose: () => void }) {
  const { stored, isOpen, onClose } = props;
  const undo = useUndoImport(stored.id);
  return (
    <Dialog title="Undo this import?" isOpen={isOpen} onClose={onClose}>
      <p>
        {stored.added > 0 && `${counted(stored.added, "new record")} will be deleted. `}
        {stored.updated > 0 && `${counted(stored.updated, "record")} will be as before. `}
        What was changed since the import stays as it is.
      </p>
      <div className="mt-4 flex gap-2">
        <Button
          look="danger"
          isPending={undo.isPending}
          onPress={() =>
            undo.mutate(undefined, {
              onSuccess: (done) => {
                const { deleted, restored, kept } = done as {
                  deleted: number;
                  restored: number;
                  kept: number;
                };
                toast(
                  `Undone: ${number(deleted)} deleted, ${number(restored)} set back, ${number(kept)} kept`,
                );
                onClose();
              },
              onError: toastError,
            })
          }
        >
          Undo it
        </Button>
        <Button look="quiet" onPress={onClose}>
          Keep it
        </Button>
      </div>
    </Dialog>
  );
}

/** Which column was read as what; what a person chose is marked. */
function ReadAs({ stored }: { stored: StoredImport }) {
  const rows = [
    ...Object.entries(stored.mapping),
    ...stored.ignored.map((header): [string, null] => [header, null]),
  ];
  if (!rows.length) return <p className="text-muted">Nothing of the file was read.</p>;
  return (
    <>
      <table className="w-full max-w-3xl border-collapse text-table">
        <thead>
          <tr className="border-b border-line text-left text-muted">
            <th className="py-1.5 pr-4 font-medium">In the file</th>
            <th className="py-1.5 pr-4 font-medium">Read as</th>
            <th className="py-1.5 font-medium">Understood by</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([header, field]) => (
            <tr key={header} className="border-b border-line last:border-0">
              <th scope="row" className="py-2 pr-4 text-left font-medium wrap-anywhere">
                {header}
              </th>
              <td className="py-2 pr-4 wrap-anywhere">
                {field === null ? (
                  <span className="text-muted">Not read</span>
                ) : (
                  fieldInWords(field)
                )}
              </td>
              <td className="py-2 text-muted">
                {header in stored.chosen ? "Your choice" : field === null ? "—" : "Its name"}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-3 text-table text-muted">
        {stored.encoding && `Read as ${stored.encoding}. `}
        {stored.clearEmpty
          ? "Empty cells cleared their fields."
          : "Empty cells left their fields alone."}
      </p>
    </>
  );
}

const fieldInWords = (field: string): string =>
  field.startsWith("attr:")
    ? `Attribute “${field.slice(5)}”`
    : field === "id"
      ? "ID"
      : field.charAt(0).toUpperCase() + field.slice(1).replaceAll("_", " ");
