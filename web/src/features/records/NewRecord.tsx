import { useNavigate } from "@tanstack/react-router";
import { type Kind, useCreateRecord } from "@/shared/api";
import { RecordForm } from "@/shared/form/RecordForm";
import { Dialog } from "@/shared/ui";

/** A new record, by hand. */
export function NewRecord({
  kind,
  isOpen,
  onClose,
}: {
  kind: Kind;
  isOpen: boolean;
  onClose: () => void;
}) {
  const create = useCreateRecord(kind.kind);
  const navigate = useNavigate();
  return (
    <Dialog
      title={`New ${kind.title.toLowerCase()}`}
      isOpen={isOpen}
      onClose={onClose}
      size="large"
    >
      <RecordForm
        kind={kind}
        submitLabel="Add"
        isPending={create.isPending}
        error={create.error}
        onCancel={onClose}
        onSubmit={(fields) =>
          create.mutate(fields, {
            onSuccess: (record) => {
              onClose();
              void navigate({
                to: "/records/$kind/$id",
                params: { kind: kind.kind, id: record.id },
              });
            },
          })
        }
      />
    </Dialog>
  );
}
