import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { DropZone, type FileDropItem, FileTrigger, Text } from "react-aria-components";
import { type Importer, uploadImport, useImporters } from "@/shared/api/imports";
import { Button, describeError, Icon, Notice, Progress, Select, Skeleton } from "@/shared/ui";
import { bytes } from "./words";

const KINDS = [
  ".csv",
  ".tsv",
  ".txt",
  ".json",
  ".jsonl",
  ".ndjson",
  ".xlsx",
  ".xls",
  ".xlsb",
  ".ods",
];

/** Chooses what a file holds, takes the file, and goes on to its preview. */
export function DropFile({ of }: { of?: string }) {
  const importers = useImporters();
  if (!importers) return <Skeleton className="mb-6 h-44" />;
  if (!importers.length)
    return (
      <div className="mb-6">
        <Notice>No installed pack imports files.</Notice>
      </div>
    );
  return <Chooser importers={importers} of={of} />;
}

function Chooser({ importers, of }: { importers: Importer[]; of?: string }) {
  const navigate = useNavigate();
  const chosen = importers.find((each) => each.name === of) ?? importers[0]!;
  const [sending, setSending] = useState<{ file: File; share: number }>();
  const [error, setError] = useState<unknown>();
  const stop = useRef<AbortController>(undefined);

  async function send(file: File | undefined) {
    if (!file || sending) return;
    setError(undefined);
    setSending({ file, share: 0 });
    stop.current = new AbortController();
    try {
      const { id } = await uploadImport(chosen.name, file, {
        signal: stop.current.signal,
        onProgress: (share) => setSending({ file, share }),
      });
      await navigate({ to: "/imports/$id", params: { id } });
    } catch (problem) {
      if (!(problem instanceof DOMException)) setError(problem);
    } finally {
      setSending(undefined);
    }
  }

  return (
    <section aria-label="Import a file" className="mb-8">
      {importers.length > 1 && (
        <div className="mb-3 max-w-sm">
          <Select
            label="What the file holds"
            value={chosen.name}
            isDisabled={Boolean(sending)}
            onChange={(name) => void navigate({ to: ".", search: { of: name }, replace: true })}
            options={importers.map((each) => ({ value: each.name, label: each.label }))}
          />
        </div>
      )}
      <DropZone
        isDisabled={Boolean(sending)}
        getDropOperation={() => "copy"}
        onDrop={(event) => {
          const item = event.items.find((each): each is FileDropItem => each.kind === "file");
          void item?.getFile().then(send);
        }}
        className="flex min-h-40 flex-col items-center justify-center gap-3 rounded-ui border border-dashed border-line-strong bg-raised p-6 text-center data-drop-target:border-accent data-drop-target:bg-accent-soft"
      >
        {sending ? (
          <div className="w-full max-w-md">
            <Progress
              label={`Sending ${sending.file.name}`}
              share={sending.share}
              about={`${bytes(sending.file.size * sending.share)} of ${bytes(sending.file.size)}`}
            />
            <Button look="quiet" className="mt-3" onPress={() => stop.current?.abort()}>
              Stop
            </Button>
          </div>
        ) : (
          <>
            <span className="flex size-10 items-center justify-center rounded-full bg-sunken text-muted">
              <Icon name="import" size={20} />
            </span>
            <Text slot="label" className="text-read font-medium">
              Drop a file of {lower(chosen.label)} here
            </Text>
            <FileTrigger
              acceptedFileTypes={KINDS}
              onSelect={(files) => void send(files?.[0] ?? undefined)}
            >
              <Button look="primary">Choose a file</Button>
            </FileTrigger>
            <p className="max-w-[60ch] text-table text-muted">
              CSV, JSON or a workbook (Excel, OpenDocument). You choose what each column means, and
              see what would change, before anything is written.
            </p>
          </>
        )}
      </DropZone>
      {error !== undefined && (
        <div className="mt-3">
          <Notice tone="negative">
            <strong className="font-medium">{describeError(error).title}.</strong>{" "}
            {describeError(error).detail}
          </Notice>
        </div>
      )}
    </section>
  );
}

const lower = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1);
