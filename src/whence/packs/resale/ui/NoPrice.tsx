import { StateChip } from "@/shared/ui";
import type { ItemDossier } from "./dossier";

/** A refusal is a result: why there is no price, and what would give one. */
export function NoPrice({ why }: { why: ItemDossier["notEnough"] }) {
  return (
    <section
      aria-label="Price"
      className="rounded-ui border border-line bg-sunken p-4"
    >
      <StateChip tone="caution">Not enough evidence for a price</StateChip>
      {why && <p className="mt-2 max-w-[72ch] text-read">{why.reason}</p>}
      {why && why.wouldSettle.length > 0 && (
        <>
          <p className="mt-3 font-medium">This would settle it</p>
          <ul className="list-disc pl-4">
            {why.wouldSettle.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
