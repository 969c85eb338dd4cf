import { useEffect } from "react";
import {
  Button as AriaButton,
  DropZone,
  type FileDropItem,
  FileTrigger,
} from "react-aria-components";
import { useMayWrite } from "@/shared/api";
import { type RecordFile, useFiles } from "@/shared/api/files";
import type { RecordTabProps } from "@/shared/feature/feature";
import { number } from "@/shared/format";
import { useSheet } from "@/shared/routing/sheet";
import { Button, ErrorState, Icon, IconButton, Progress, Skeleton } from "@/shared/ui";
import { Card } from "@/shared/ui/Page";
import { Picture } from "./Picture";
import { type Upload, useUploads } from "./useUploads";

const GRID = "grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-3";

/** The files of a record: dropped, pasted, chosen or photographed. */
export function FilesCard({ kind, record }: RecordTabProps) {
  const files = useFiles(kind.kind, record.id);
  const mayWrite = useMayWrite();
  const { uploads, add, dismiss } = useUploads(kind.kind, record.id);
  const all = files.data?.pages.flatMap((page) => page.items) ?? [];

  useEffect(() => {
    if (!mayWrite) return;
    const onPaste = (event: ClipboardEvent) => {
      const pasted = [...(event.clipboardData?.files ?? [])];
      if (!pasted.length || isTyping(event.target)) return;
      event.preventDefault();
      add(pasted);
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, [mayWrite, add]);

  const content = files.error ? (
    <ErrorState error={files.error} retry={() => void files.refetch()} />
  ) : files.isPending ? (
    <div role="status" aria-label="Loading" className={GRID}>
      {[0, 1, 2].map((each) => (
        <Skeleton key={each} className="aspect-square" />
      ))}
    </div>
  ) : (
    <>
      {all.length + uploads.length > 0 && (
        <ul className={GRID}>
          {all.map((file) => (
            <FileTile key={file.digest} kind={kind.kind} id={record.id} file={file} />
          ))}
          {uploads.map((each) => (
            <UploadTile key={each.key} upload={each} onDismiss={() => dismiss(each.key)} />
          ))}
        </ul>
      )}
      {files.hasNextPage && (
        <Button
          className="mt-3"
          isPending={files.isFetchingNextPage}
          onPress={() => void files.fetchNextPage()}
        >
          Show more
        </Button>
      )}
      {!mayWrite && all.length === 0 && <p className="text-muted">There are no pictures.</p>}
    </>
  );
  return (
    <div className="mt-4">
      <Card
        title={all.length ? `Pictures and files (${number(all.length)})` : "Pictures and files"}
      >
        {mayWrite ? (
          <DropZone
            aria-label="Pictures and files"
            getDropOperation={() => "copy"}
            onDrop={(event) => {
              const items = event.items.filter(
                (each): each is FileDropItem => each.kind === "file",
              );
              void Promise.all(items.map((each) => each.getFile())).then(add);
            }}
            className="-m-2 rounded-ui border border-dashed border-transparent p-2 data-drop-target:border-accent data-drop-target:bg-accent-soft"
          >
            {content}
            <Adder isEmpty={all.length + uploads.length === 0} onFiles={add} />
          </DropZone>
        ) : (
          content
        )}
      </Card>
    </div>
  );
}

/** The ways to add a picture, in words. */
function Adder({ isEmpty, onFiles }: { isEmpty: boolean; onFiles: (files: File[]) => void }) {
  const chosen = (files: FileList | null) => onFiles([...(files ?? [])]);
  return (
    <div
      className={
        isEmpty
          ? "flex min-h-28 flex-wrap items-center justify-center gap-3 rounded-ui border border-dashed border-line-strong p-4"
          : "mt-3 flex flex-wrap items-center gap-3"
      }
    >
      <FileTrigger allowsMultiple onSelect={chosen}>
        <Button icon="plus">Choose files</Button>
      </FileTrigger>
      <span className="hidden pointer-coarse:block">
        <FileTrigger acceptedFileTypes={["image/*"]} defaultCamera="environment" onSelect={chosen}>
          <Button>Take a photograph</Button>
        </FileTrigger>
      </span>
      <span className="text-table text-muted pointer-coarse:hidden">
        or drop them here, or paste a picture
      </span>
    </div>
  );
}

function FileTile({ kind, id, file }: { kind: string; id: string; file: RecordFile }) {
  const { open, stack } = useSheet();
  const isShown = stack.at(-1)?.view === "file" && stack.at(-1)?.args[2] === file.digest;
  return (
    <li className="min-w-0">
      <AriaButton
        aria-label={`Look at ${file.caption || file.name}`}
        onPress={() => open("file", kind, id, file.digest)}
        className={`block aspect-square w-full overflow-hidden rounded-ui border bg-sunken ${isShown ? "border-accent" : "border-line"} data-hovered:border-line-strong`}
      >
        <Picture file={file} className="size-full object-cover" />
      </AriaButton>
      <p className="mt-1 truncate text-small text-muted" title={file.caption || file.name}>
        <bdi>{file.caption || file.name}</bdi>
      </p>
    </li>
  );
}

/** A file on its way; a refused one says why, at its place. */
function UploadTile({ upload, onDismiss }: { upload: Upload; onDismiss: () => void }) {
  return (
    <li className="min-w-0" aria-label={upload.name}>
      <div
        className={`relative flex aspect-square flex-col justify-end overflow-hidden rounded-ui border bg-sunken ${upload.error ? "border-negative" : "border-line"}`}
      >
        {upload.preview && !upload.error && (
          <img
            src={upload.preview}
            alt=""
            className="absolute inset-0 size-full object-cover opacity-50"
          />
        )}
        {upload.error ? (
          <div
            role="alert"
            className="flex grow flex-col gap-1 overflow-auto bg-negative-soft p-2 text-small text-negative"
          >
            <span className="flex items-start justify-between gap-1">
              <Icon name="warning" className="mt-2" />
              <IconButton icon="close" label={`Dismiss ${upload.name}`} onPress={onDismiss} />
            </span>
            <span className="wrap-anywhere">{upload.error}</span>
          </div>
        ) : (
          <div className="relative bg-raised p-2">
            <Progress label="Sending" share={upload.share} />
          </div>
        )}
      </div>
      <p className="mt-1 truncate text-small text-muted">
        <bdi>{upload.name}</bdi>
      </p>
    </li>
  );
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ["INPUT", "TEXTAREA"].includes(target.tagName));
