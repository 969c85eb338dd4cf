import { useState } from "react";
import { recordPath } from "@/shared/api/records";
import { classes } from "@/shared/ui";

/** The picture of evidence, as this server fetched it; a calm mark where it has none. */
export function EvidencePicture({
  kind,
  id,
  evidence,
  flow,
  isLarge,
}: {
  kind: string;
  id: string;
  evidence: { id: string; imageUrl: string | null };
  flow?: string;
  isLarge?: boolean;
}) {
  const [isBroken, setBroken] = useState(false);
  if (!evidence.imageUrl) return null;
  const query = flow ? `?type=${encodeURIComponent(flow)}` : "";
  const box = isLarge ? "max-h-72 min-h-24 w-full object-contain" : "size-12 object-cover";
  if (isBroken)
    return (
      <span
        className={classes(
          "flex shrink-0 items-center justify-center rounded-ui border border-dashed border-line bg-sunken text-small text-muted",
          isLarge ? "h-24 w-full" : "size-12",
        )}
      >
        {isLarge ? "The site does not give this picture." : <span aria-hidden="true">–</span>}
      </span>
    );
  return (
    <img
      src={`${recordPath(kind, id)}/evidence/${evidence.id}/picture${query}`}
      alt=""
      loading="lazy"
      onError={() => setBroken(true)}
      className={classes("shrink-0 rounded-ui border border-line bg-sunken", box)}
    />
  );
}
