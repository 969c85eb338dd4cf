import type { DossierProps } from "@/shared/packs/packUi";
import { Demand } from "./Demand";
import { type ItemDossier, WEAK } from "./dossier";
import { Identified } from "./Identified";
import { Marketplaces } from "./Marketplaces";
import { NoPrice } from "./NoPrice";
import { PriceCard } from "./PriceCard";
import { Sharpen } from "./Sharpen";

/** What research concluded about an item: the price first, then what would sharpen it. */
export function ItemConclusion({
  dossier,
  kind,
  record,
  evidence,
}: DossierProps) {
  const body = dossier.body as unknown as ItemDossier;
  const isWeak = body.price !== null && body.price.target.confidence < WEAK;
  const sharpen = (
    <Sharpen missing={body.missing} kind={kind} record={record} />
  );
  return (
    <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:grid-rows-[auto_1fr]">
      <div className="flex min-w-0 flex-col gap-6">
        {isWeak && sharpen}
        {body.price ? (
          <PriceCard price={body.price} />
        ) : (
          <NoPrice why={body.notEnough} />
        )}
        {!isWeak && sharpen}
        <Marketplaces sales={body.marketplaces} />
      </div>
      <div className="flex min-w-0 flex-col gap-6 lg:row-span-2">
        <Demand signals={body.demand} />
        <Identified product={body.identification} />
      </div>
      <div className="min-w-0">{evidence}</div>
    </div>
  );
}
