import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useKind, useMayWrite } from "@/shared/api";
import type { Kind } from "@/shared/api/records";
import { fieldLabel } from "@/shared/proposals/values";
import {
  isActive,
  isUndoing,
  type StoredImport,
  useCancelImport,
  useImporters,
  useResumeImport,
} from "@/shared/api/imports";
import { number } from "@/shared/format";
import { Button, Notice, Progress, Tabs, toastError } from "@/shared/ui";
import { Card } from "@/shared/ui/Page";
import { Changes } from "./Changes";
import { ImportHeader } from "./ImportPage";
import { RefusedTab, WarningsTab } from "./Problems";
import { UndoDialog, UndoState } from "./Undo";
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
        {isActive(stored) && !isUndoing(stored) && <Running stored={stored} />}
        {stored.error && (
          <Notice tone="negative">
            <strong className="font-medium">It failed.</strong> {stored.error}
          </Notice>
        )}
        <UndoState stored={stored} />
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
  const [isAsking, askToUndo] = useState(false);
  if (!mayWrite) return null;
  const hasWritten = stored.added + stored.updated > 0;
  const canUndo =
    hasWritten && !isActive(stored) && stored.undo?.state !== "done" && importer?.canUndo;
  const isStopping = stored.undo?.isStopping ?? false;
  return (
    <>
      {isActive(stored) && (
        <Button
          icon="stop"
          isPending={cancel.isPending || isStopping}
          onPress={() => cancel.mutate(undefined, { onError: toastError })}
        >
          {isUndoing(stored) ? "Stop the undo" : "Cancel"}
        </Button>
      )}
      {canUndo && (
        <Button onPress={() => askToUndo(true)}>{stored.undo ? "Go on undoing…" : "Undo…"}</Button>
      )}
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
      <UndoDialog stored={stored} isOpen={isAsking} onClose={() => askToUndo(false)} />
    </>
  );
}

/** Which column was read as what; what a person chose is marked. */
function ReadAs({ stored }: { stored: StoredImport }) {
  const importer = useImporters()?.find((each) => each.name === stored.name);
  const kind = useKind(importer?.kind ?? "")?.kind;
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
                  fieldInWords(field, kind)
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

/** A column's field with the label that it has in the preview and in forms. */
function fieldInWords(field: string, kind: Kind | undefined): string {
  if (field.startsWith("attr:")) return `Attribute “${field.slice(5)}”`;
  if (field === "id") return "ID";
  const onWire = field.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
  return fieldLabel(kind, onWire);
}
