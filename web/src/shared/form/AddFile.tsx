import { FileTrigger } from "react-aria-components";
import { type Kind, type RecordData, useAttachFile } from "@/shared/api";
import { Button, toast, toastError } from "@/shared/ui";

/** Attaches files to a record, one after another; on a phone, from its camera. */
export function AddFile({
  kind,
  record,
  label,
  accept,
}: {
  kind: Kind;
  record: RecordData;
  label: string;
  accept: string;
}) {
  const attach = useAttachFile(kind.kind, record.id);
  async function add(files: FileList | null) {
    for (const file of files ?? []) {
      try {
        await attach.mutateAsync(file);
        toast(`${file.name} added. New research takes it into account.`);
      } catch (error) {
        toastError(error);
      }
    }
  }
  return (
    <div>
      <FileTrigger
        acceptedFileTypes={[accept]}
        allowsMultiple
        onSelect={(files) => void add(files)}
      >
        <Button icon="plus" isPending={attach.isPending}>
          {label}
        </Button>
      </FileTrigger>
    </div>
  );
}
