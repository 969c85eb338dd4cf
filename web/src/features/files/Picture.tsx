import { useState } from "react";
import type { RecordFile } from "@/shared/api/files";
import { Icon } from "@/shared/ui";

/** A file as a picture; what the browser cannot show is a sheet of paper with its type. */
export function Picture({ file, className }: { file: RecordFile; className: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken || !file.mediaType.startsWith("image/"))
    return (
      <span className="flex size-full min-h-24 flex-col items-center justify-center gap-2 text-muted">
        <Icon name="page" size={28} />
        <span className="text-small">{file.mediaType.split("/").at(-1)?.toUpperCase()}</span>
      </span>
    );
  return (
    <img
      src={file.url}
      alt={file.caption || file.name}
      loading="lazy"
      onError={() => setBroken(true)}
      className={className}
    />
  );
}
