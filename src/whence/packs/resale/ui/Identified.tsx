import {
  ClaimDoor,
  Confidence,
  useDossierContext,
} from "@/shared/claims/ClaimDoor";
import type { Identification } from "./dossier";

const FIELDS = [
  ["brand", "Brand"],
  ["model", "Model"],
  ["mpn", "Part number"],
  ["gtin", "Barcode"],
  ["category", "Category"],
] as const;

/** What the item is, and how that is known. */
export function Identified({ product }: { product: Identification }) {
  const { claims } = useDossierContext();
  const facts: [string, string, string][] = [
    ...FIELDS.flatMap(([name, label]): [string, string, string][] => {
      const value = product[name];
      return value ? [[name, label, value]] : [];
    }),
    ...Object.entries(product.variant).map(
      ([name, value]): [string, string, string] => ["variant", name, value],
    ),
  ];
  return (
    <section>
      <h3 className="mb-2 text-read font-semibold">What it is</h3>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1">
        {facts.map(([name, label, value]) => (
          <div key={`${name}/${label}`} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0 wrap-anywhere">
              <ClaimDoor claim={claims.get(`identification.${name}`)}>
                {value}
              </ClaimDoor>
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-2">
        <Confidence value={product.confidence} />
      </p>
      <p className="text-table text-muted">{product.reason}</p>
    </section>
  );
}
