import { type RecordData, useKind, useMayWrite, useMe } from "@/shared/api";
import { useDecide, useProposals } from "@/shared/api/proposals";
import { Time } from "@/shared/format";
import { Button, Notice, toastError } from "@/shared/ui";

/** One's own choice of evidence that was applied last, as long as it can be undone. */
export function LastChoice({ kind, record }: { kind: string; record: RecordData }) {
  const field = useKind(kind)?.kind.evidenceChoices?.field;
  const mayWrite = useMayWrite();
  const me = useMe().data?.userId;
  const proposals = useProposals(kind, record.id, field !== undefined && mayWrite).data;
  const undo = useDecide();
  const last = proposals?.find(
    (each) => each.status === "applied" && each.subjectVersion + 1 === record.version,
  );
  if (!last || last.userId !== me || !last.changes.some((change) => change.field === field))
    return null;
  return (
    <Notice
      action={
        <Button
          icon="history"
          isPending={undo.isPending}
          onPress={() =>
            undo.mutate({ id: last.id, kind, decision: "undo" }, { onError: toastError })
          }
        >
          Undo
        </Button>
      }
    >
      <span className="wrap-anywhere">{last.reason}</span>{" "}
      <span className="text-muted">
        Applied <Time at={last.appliedAt} />.
      </span>
    </Notice>
  );
}
