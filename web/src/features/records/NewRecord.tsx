import { useNavigate } from "@tanstack/react-router";
import { type Kind, type PackView, useCreateRecord, useKind } from "@/shared/api";
import { useFeatures } from "@/shared/feature/feature";
import { RecordForm } from "@/shared/form/RecordForm";
import { Button, Dialog } from "@/shared/ui";

/** The guided way to a new record of a kind; undefined where its plain form is the only one. */
export function useGuided(kind: Kind): (() => void) | undefined {
  const pack = useKind(kind.kind)?.pack;
  const of = { pack: pack ?? NO_PACK, kind };
  return useFeatures()
    .map((feature) => feature.useNewRecord?.(of))
    .find(Boolean);
}

/** The buttons for a new record: the guided way first, where there is one. */
export function NewButtons({
  kind,
  guided,
  onFields,
}: {
  kind: Kind;
  guided: (() => void) | undefined;
  onFields: () => void;
}) {
  return (
    <>
      {guided && (
        <Button look="quiet" onPress={onFields}>
          All fields at once
        </Button>
      )}
      <Button look="primary" icon="plus" onPress={guided ?? onFields}>
        New {kind.title.toLowerCase()}
      </Button>
    </>
  );
}

const NO_PACK = { wizards: [] as unknown } as PackView;

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
        onSubmit={(fields, forget) =>
          create.mutate(fields, {
            onSuccess: (record) => {
              forget();
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
