import type { FeeTable as Fees, MarketplaceFees } from "@/shared/api/schema";
import { day, inWords, money, number } from "@/shared/format";
import { usePackRoute } from "@/shared/packs/usePackRoute";
import { OutsideLink } from "@/shared/schema/Value";
import { EmptyState, ErrorState, SkeletonLines, StateChip } from "@/shared/ui";
import { Card } from "@/shared/ui/Page";

/** What marketplaces keep of a sale, with the page and the day that each figure was read from. */
export function FeeTable() {
  const fees = usePackRoute<Fees>("resale", "fees");
  if (fees.error && !fees.data)
    return <ErrorState error={fees.error} retry={() => void fees.refetch()} />;
  if (!fees.data) return <SkeletonLines lines={14} />;
  const { marketplaces, isOwn, variable } = fees.data;
  if (!marketplaces.length)
    return (
      <EmptyState title="No marketplace is enabled">
        The file in {variable} disables all of them.
      </EmptyState>
    );
  return (
    <div className="flex flex-col gap-4">
      {marketplaces.map((place) => (
        <Marketplace key={place.id} place={place} />
      ))}
      <p className="text-table text-muted">
        {isOwn
          ? "Figures of your own file replace the shipped ones. "
          : "These are the shipped figures. "}
        <code className="font-mono text-small">{variable}</code> names a TOML
        file with what differs. Sales tax is not counted.
      </p>
    </div>
  );
}

function Marketplace({ place }: { place: MarketplaceFees }) {
  return (
    <Card
      title={place.name}
      actions={
        place.read ? (
          <span className="mr-2">
            <StateChip tone="positive">Read {day(place.read)}</StateChip>
          </span>
        ) : (
          <span className="mr-2">
            <StateChip tone="caution">Not confirmed</StateChip>
          </span>
        )
      }
    >
      <ul className="-mt-2 divide-y divide-line text-table">
        <Line
          name="Everything else"
          rates={rates(place.rates, place.whole, place.currency)}
          fixed={perOrder(place)}
        />
        {place.categories.map((category) => (
          <Line
            key={category.name}
            name={inWords(category.name)}
            words={category.words.join(", ")}
            rates={
              category.rates &&
              rates(category.rates, category.whole, place.currency)
            }
            fixed={
              category.fixed === null
                ? null
                : amount(category.fixed, place.currency)
            }
          />
        ))}
      </ul>
      <ul className="mt-3 flex flex-col gap-0.5 text-table text-muted">
        {notes(place).map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <p className="mt-3 border-t border-line pt-3 text-table text-muted wrap-anywhere">
        In force since {day(place.effective)}. {place.source}
        {place.page && (
          <>
            {" · "}
            <OutsideLink url={place.page}>the page</OutsideLink>
          </>
        )}
      </p>
    </Card>
  );
}

/** The fees of one category; null where they are those of everything else. */
function Line(fees: {
  name: string;
  words?: string;
  rates: string | null;
  fixed: string | null;
}) {
  return (
    <li className="grid gap-x-6 py-1.5 sm:grid-cols-[10rem_minmax(0,1fr)_13rem]">
      <span
        className={fees.words ? undefined : "font-medium"}
        title={fees.words}
      >
        {fees.name}
      </span>
      <span className="figures">
        {fees.rates ?? <span className="text-muted">the same rate</span>}
      </span>
      <span className="figures text-muted sm:text-right">
        {fees.fixed === null ? "the same per order" : `${fees.fixed} per order`}
      </span>
    </li>
  );
}

/** Whole amounts without `.00`. */
const amount = (value: number, currency: string) =>
  money(value, currency).replace(/[.,]00(?=\D*$)/, "");

type Rates = MarketplaceFees["rates"];

function rates(all: Rates, whole: boolean, currency: string): string {
  return all
    .map((rate) => {
      const bound = rate.upTo ?? rate.below;
      const share = `${number(rate.percent)} %`;
      const fixed = perSale(rate.fixed, currency);
      if (bound === null || bound === undefined)
        return all.length === 1
          ? share + fixed
          : whole
            ? `above it ${share}${fixed}`
            : `${share}${fixed} of the rest`;
      const until = rate.below ? "below" : "up to";
      return `${share}${fixed} ${whole ? "if it is " : ""}${until} ${amount(bound, currency)}`;
    })
    .join(", ");
}

/** What one rate has in place of the amount per order. */
function perSale(fixed: number | null | undefined, currency: string): string {
  if (fixed === null || fixed === undefined) return "";
  return fixed === 0
    ? " and nothing per order"
    : ` and ${amount(fixed, currency)} per order`;
}

function perOrder({ fixed, fixedSmall, currency }: MarketplaceFees): string {
  if (!fixedSmall) return amount(fixed, currency);
  return `${amount(fixedSmall.amount, currency)} up to ${amount(fixedSmall.upTo, currency)}, else ${amount(fixed, currency)}`;
}

function notes(place: MarketplaceFees): string[] {
  const { currency } = place;
  const flat = place.flatSmall;
  return [
    flat &&
      `Sales up to ${amount(flat.upTo, currency)}: ${amount(flat.amount, currency)} in all.`,
    place.least > 0 &&
      `The percentage is at least ${amount(place.least, currency)}.`,
    place.onShipping
      ? "Taken on the shipping that the buyer pays, too."
      : "Not taken on the shipping that the buyer pays.",
    place.label !== null &&
      `Its own shipping label costs ${amount(place.label, currency)}.`,
    place.suits.length > 0 && `Only for ${place.suits.join(", ")}.`,
  ].filter((note): note is string => Boolean(note));
}
