import { useCallback, useRef, useState } from "react";
import { attachFile, useFilesChanged } from "@/shared/api/files";
import { describeError } from "@/shared/ui";

/** A file that is on its way, or was refused. */
export interface Upload {
  key: number;
  name: string;
  /** What the browser shows until the server has it. */
  preview: string | undefined;
  share: number;
  error?: string;
}

/** Sends files one after another, so that they keep their order. */
export function useUploads(kind: string, id: string) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const next = useRef(0);
  const queue = useRef(Promise.resolve());
  const changed = useFilesChanged(kind);

  const dismiss = useCallback((key: number) => {
    setUploads((all) => {
      const gone = all.find((each) => each.key === key);
      if (gone?.preview) URL.revokeObjectURL(gone.preview);
      return all.filter((each) => each.key !== key);
    });
  }, []);

  const add = useCallback(
    (files: readonly File[]) => {
      const set = (key: number, change: Partial<Upload>) =>
        setUploads((all) => all.map((each) => (each.key === key ? { ...each, ...change } : each)));
      for (const file of files) {
        const key = next.current++;
        const preview = file.type.startsWith("image/") ? URL.createObjectURL(file) : undefined;
        setUploads((all) => [...all, { key, name: file.name, preview, share: 0 }]);
        queue.current = queue.current.then(async () => {
          try {
            await attachFile(kind, id, file, { onProgress: (share) => set(key, { share }) });
            await changed();
            dismiss(key);
          } catch (error) {
            set(key, { error: describeError(error).detail });
          }
        });
      }
    },
    [kind, id, changed, dismiss],
  );
  return { uploads, add, dismiss };
}
