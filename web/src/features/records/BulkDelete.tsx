import { useState } from "react";
import { type Kind, useDeleteRecord } from "@/shared/api";
import { inWords, number } from "@/shared/format";
import { Button, Dialog, toast } from "@/shared/ui";
import { useInTurn } from "@/shared/ui/useInTurn";

/** Deletes every selected record, after a question. */
export function BulkDelete({
  kind,
  ids,
  onDone,
}: {
  kind: Kind;
  ids: string[];
  onDone: () => void;
}) {
  const [isAsking, ask] = useState(false);
  const remove = useDeleteRecord(kind.kind);
  const { at, forEach } = useInTurn();
  const title = (ids.length === 1 ? kind.title : inWords(kind.kind)).toLowerCase();
  async function all() {
    const deleted = await forEach(ids, (id) => remove.mutateAsync(id));
    toast(`Deleted: ${deleted} of ${ids.length}`);
    ask(false);
    onDone();
  }
  return (
    <>
      <Button onPress={() => ask(true)}>Delete…</Button>
      <Dialog
        title={`Delete ${number(ids.length)} ${title}?`}
        isOpen={isAsking}
        onClose={() => ask(false)}
      >
        <p>They are taken out of every list, and cannot be brought back here.</p>
        <div className="mt-4 flex gap-2">
          <Button look="danger" isPending={at !== undefined} onPress={() => void all()}>
            {at === undefined ? "Delete" : `Deleting ${at + 1} of ${ids.length}`}
          </Button>
          <Button look="quiet" isDisabled={at !== undefined} onPress={() => ask(false)}>
            Keep
          </Button>
        </div>
      </Dialog>
    </>
  );
}
