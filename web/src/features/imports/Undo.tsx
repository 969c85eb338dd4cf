import { isUndoing, type StoredImport, useUndoImport } from "@/shared/api/imports";
import { number, Time } from "@/shared/format";
import { Button, Dialog, Notice, Progress, toastError } from "@/shared/ui";
import { Card } from "@/shared/ui/Page";
import { counted } from "./words";

/** How far the undo of an import is, or how it ended. */
export function UndoState({ stored }: { stored: StoredImport }) {
  const undo = stored.undo;
  if (!undo) return null;
  const result = `${number(undo.deleted)} deleted, ${number(undo.restored)} set back, ${number(undo.kept)} kept`;
  if (isUndoing(stored))
    return (
      <Card>
        <Progress
          label={undo.state === "waiting" ? "The undo waits for a worker" : "Undoing"}
          share={undo.total ? (undo.total - undo.left) / undo.total : 0}
          about={`${result}, ${number(undo.left)} left`}
        />
        <p className="mt-2 text-table text-muted">
          You may leave this page; the undo goes on, also after a restart of the server.
        </p>
      </Card>
    );
  if (undo.state === "done")
    return (
      <Notice>
        Undone {stored.undoneAt && <Time at={stored.undoneAt} />}: {result}. What was changed after
        the import stays; the list below names it.
      </Notice>
    );
  return (
    <Notice tone="caution">
      <strong className="font-medium">Undone in part:</strong> {result}, {number(undo.left)} left.{" "}
      {undo.error}
    </Notice>
  );
}

/** Asks before an import is undone, or before its undo goes on. */
export function UndoDialog(props: { stored: StoredImport; isOpen: boolean; onClose: () => void }) {
  const { stored, isOpen, onClose } = props;
  const undo = useUndoImport(stored.id);
  return (
    <Dialog
      title={stored.undo ? "Go on with the undo?" : "Undo this import?"}
      isOpen={isOpen}
      onClose={onClose}
    >
      <p>
        {stored.undo ? (
          `${counted(stored.undo.left, "record")} of ${number(stored.undo.total)} are left. `
        ) : (
          <>
            {stored.added > 0 && `${counted(stored.added, "new record")} will be deleted. `}
            {stored.updated > 0 && `${counted(stored.updated, "record")} will be as before. `}
          </>
        )}
        What was changed since the import stays as it is.
      </p>
      <div className="mt-4 flex gap-2">
        <Button
          look="danger"
          isPending={undo.isPending}
          onPress={() => undo.mutate(undefined, { onSuccess: onClose, onError: toastError })}
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
