import type { Kind } from "@/shared/api";
import { useFeatures } from "@/shared/feature/feature";
import { number } from "@/shared/format";
import { Button } from "@/shared/ui";
import { BulkDelete } from "./BulkDelete";

/** What can be done with the selected rows. */
export function BulkBar({ kind, ids, onDone }: { kind: Kind; ids: string[]; onDone: () => void }) {
  const actions = useFeatures()
    .flatMap((feature) => feature.recordActions ?? [])
    .filter((action) => action.Bulk && action.appliesTo(kind));
  return (
    <div
      role="region"
      aria-label="Selected records"
      className="mt-3 flex flex-wrap items-center gap-3 rounded-ui border border-line bg-raised px-4 py-2 shadow-over"
    >
      <span className="grow font-medium" role="status">
        {number(ids.length)} selected
      </span>
      {actions.map(
        ({ id, Bulk }) => Bulk && <Bulk key={id} kind={kind} ids={ids} onDone={onDone} />,
      )}
      <BulkDelete kind={kind} ids={ids} onDone={onDone} />
      <Button look="quiet" onPress={onDone}>
        Clear
      </Button>
    </div>
  );
}
