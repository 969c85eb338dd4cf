import { useState } from "react";
import { useMayWrite } from "@/shared/api";
import { type RecordFile, useChangeFile, useFiles, useRemoveFile } from "@/shared/api/files";
import { number, Time } from "@/shared/format";
import { useSheet } from "@/shared/routing/sheet";
import { useShortcut } from "@/shared/shortcuts/shortcuts";
import {
  Button,
  buttonLook,
  EmptyState,
  ErrorState,
  Field,
  IconButton,
  Skeleton,
  toast,
  toastError,
} from "@/shared/ui";
import { Picture } from "./Picture";

/** One picture large, with its caption, its place among the others, and the way to remove it. */
export function FileSheet({ args }: { args: string[] }) {
  const [kind = "", id = "", digest = ""] = args;
  const files = useFiles(kind, id);
  if (files.error) return <ErrorState error={files.error} retry={() => void files.refetch()} />;
  if (!files.data) return <Skeleton className="aspect-square" />;
  const all = files.data.pages.flatMap((page) => page.items);
  const at = all.findIndex((each) => each.digest === digest);
  const file = all[at];
  if (!file)
    return (
      <EmptyState icon="search" title="This file is not there any more">
        Somebody may have removed it.
      </EmptyState>
    );
  return <Viewer key={digest} kind={kind} id={id} file={file} all={all} at={at} />;
}

function Viewer(props: {
  kind: string;
  id: string;
  file: RecordFile;
  all: readonly RecordFile[];
  at: number;
}) {
  const { kind, id, file, all, at } = props;
  const { open, close } = useSheet();
  const mayWrite = useMayWrite();
  const change = useChangeFile(kind, id);
  const remove = useRemoveFile(kind, id);
  const [caption, setCaption] = useState(file.caption);
  const show = (step: number) => {
    const other = all[at + step];
    if (other) open("file", kind, id, other.digest);
  };
  useShortcut({ keys: "ArrowLeft", label: "Previous picture", group: "Pictures" }, () => show(-1));
  useShortcut({ keys: "ArrowRight", label: "Next picture", group: "Pictures" }, () => show(1));
  const move = (step: number) =>
    change.mutate({ digest: file.digest, position: at + step }, { onError: toastError });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex max-h-[60vh] min-h-48 items-center justify-center overflow-hidden rounded-ui border border-line bg-sunken">
        <Picture file={file} className="max-h-[60vh] max-w-full object-contain" />
      </div>
      <div className="flex items-center justify-between gap-2">
        <IconButton
          icon="left"
          label="Previous picture"
          isDisabled={at === 0}
          onPress={() => show(-1)}
        />
        <span className="figures text-table text-muted" role="status">
          {number(at + 1)} of {number(all.length)}
        </span>
        <IconButton
          icon="right"
          label="Next picture"
          isDisabled={at === all.length - 1}
          onPress={() => show(1)}
        />
      </div>
      <div>
        <p className="font-medium wrap-anywhere">
          <bdi>{file.name}</bdi>
        </p>
        <p className="text-table text-muted">
          {file.mediaType} · {number(file.size / 1000, 0)} kB · added <Time at={file.addedAt} />
        </p>
      </div>
      {mayWrite ? (
        <>
          <form
            className="flex flex-col gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              change.mutate(
                { digest: file.digest, caption },
                { onSuccess: () => toast("Saved"), onError: toastError },
              );
            }}
          >
            <Field label="Caption" isRequired={false} value={caption} onChange={setCaption} />
            {caption !== file.caption && (
              <span>
                <Button type="submit" look="primary" isPending={change.isPending}>
                  Save the caption
                </Button>
              </span>
            )}
          </form>
          <div className="flex flex-wrap gap-2 border-t border-line pt-4">
            <Button icon="left" isDisabled={at === 0} onPress={() => move(-1)}>
              Move forward
            </Button>
            <Button icon="right" isDisabled={at === all.length - 1} onPress={() => move(1)}>
              Move back
            </Button>
            <a href={file.url} target="_blank" rel="noreferrer" className={buttonLook("quiet")}>
              Original
            </a>
            <Button
              look="danger"
              isPending={remove.isPending}
              onPress={() =>
                remove.mutate(file.digest, {
                  onSuccess: () => {
                    toast("Removed");
                    close();
                  },
                  onError: toastError,
                })
              }
            >
              Remove
            </Button>
          </div>
        </>
      ) : (
        file.caption && <p className="wrap-anywhere">{file.caption}</p>
      )}
    </div>
  );
}
