import type { DossierProps } from "@/shared/packs/packUi";
import { Demand } from "./Demand";
import { type ItemDossier, WEAK } from "./dossier";
import { Identified } from "./Identified";
import { Marketplaces } from "./Marketplaces";
import { NoPrice } from "./NoPrice";
import { PriceCard } from "./PriceCard";
import { Sharpen } from "./Sharpen";

/** What research concluded about an item: the price first, then what would sharpen it. */
export function ItemConclusion({ dossier, kind, record }: DossierProps) {
  const body = dossier.body as unknown as ItemDossier;
  const isWeak = body.price !== null && body.price.target.confidence < WEAK;
  const sharpen = (
    <Sharpen missing={body.missing} kind={kind} record={record} />
  );
  return (
    <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[2fr_1fr]">
      <div className="flex min-w-0 flex-col gap-6">
        {isWeak && sharpen}
        {body.price ? (
          <PriceCard price={body.price} />
        ) : (
          <NoPrice why={body.notEnough} />
        )}
        {!isWeak && sharpen}
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        <Demand signals={body.demand} />
        <Marketplaces sales={body.marketplaces} />
        <Identified product={body.identification} />
      </div>
    </div>
  );
}
