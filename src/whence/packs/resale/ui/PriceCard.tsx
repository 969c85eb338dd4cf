import {
  ClaimDoor,
  Confidence,
  useDossierContext,
} from "@/shared/claims/ClaimDoor";
import { ChoiceButton } from "@/shared/claims/ChoiceButton";
import { useTriedFigures } from "@/shared/api/evidenceChoices";
import { money, number } from "@/shared/format";
import { useSheet } from "@/shared/routing/sheet";
import { classes } from "@/shared/ui";
import { bandOf, isOn, scaleOfPrice } from "./axis";
import { type Band, type Price, WEAK } from "./dossier";
import { type Listing, type ListingState, useListings } from "./listings";
import { Mark, PriceAxis, STATE_WORDS } from "./PriceAxis";

const SHOWN: ListingState[] = [
  "sold",
  "active",
  "ended",
  "unknown",
  "excluded",
];

/** Floor, target and ceiling on an axis with the listings that they come from. */
export function PriceCard({ price }: { price: Price }) {
  const { kind, id, dossier } = useDossierContext();
  const { open } = useSheet();
  const listings = useListings(kind, id, dossier.type, price);
  const scale = scaleOfPrice(price, listings);
  const beyond = listings.filter((each) => !isOn(scale, each)).length;
  const tried = bandOf(useTriedFigures(kind, id, dossier.id));
  const isWeak = price.target.confidence < WEAK;
  const openEvidence = (evidenceId: string) =>
    open("evidence", kind, id, evidenceId);
  return (
    <section
      aria-label="Price"
      className="rounded-ui border border-line bg-raised p-4"
    >
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <div>
          <p className="text-muted">Target price</p>
          <p
            className={classes(
              "figures font-semibold tracking-tight",
              isWeak ? "text-title text-muted" : "text-figure",
            )}
          >
            <BandDoor
              name="target"
              band={price.target}
              currency={price.currency}
            />
          </p>
          <Confidence value={price.target.confidence} />
        </div>
        <div className="flex gap-8">
          <Edge
            title="Floor"
            hint="for a quick sale"
            name="floor"
            price={price}
          />
          <Edge
            title="Ceiling"
            hint="if it can wait"
            name="ceiling"
            price={price}
          />
        </div>
      </div>
      <PriceAxis
        price={price}
        listings={listings}
        tried={tried}
        onOpen={openEvidence}
      />
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 px-2 text-small text-muted">
        {SHOWN.map((state) => ({
          state,
          n: listings.filter((l) => l.state === state).length,
        }))
          .filter(({ n }) => n > 0)
          .map(({ state, n }) => (
            <li key={state} className="inline-flex items-center gap-1.5">
              <Mark state={state} /> {n} {STATE_WORDS[state]}
            </li>
          ))}
        {beyond > 0 && <li>{beyond} beyond this axis, in the table</li>}
      </ul>
      <p className="mt-4 max-w-[72ch] text-table text-muted">
        {price.target.reasoning}
      </p>
      <details className="mt-3">
        <summary className="cursor-default text-table text-accent">
          {listings.length} listings as a table
        </summary>
        <ListingTable
          kind={kind}
          id={id}
          listings={listings}
          currency={price.currency}
          onOpen={openEvidence}
        />
      </details>
    </section>
  );
}

function BandDoor({
  name,
  band,
  currency,
}: {
  name: string;
  band: Band;
  currency: string;
}) {
  const { claims } = useDossierContext();
  return (
    <ClaimDoor claim={claims.get(`price.${name}.amount`)}>
      {money(band.amount, currency)}
    </ClaimDoor>
  );
}

function Edge({
  title,
  hint,
  name,
  price,
}: {
  title: string;
  hint: string;
  name: "floor" | "ceiling";
  price: Price;
}) {
  return (
    <div>
      <p className="text-muted">{title}</p>
      <p className="figures text-title font-semibold">
        <BandDoor name={name} band={price[name]} currency={price.currency} />
      </p>
      <p className="text-small text-muted">
        {hint} · {number(price[name].confidence, 2)}
      </p>
    </div>
  );
}

function ListingTable({
  kind,
  id: recordId,
  listings,
  currency,
  onOpen,
}: {
  kind: string;
  id: string;
  listings: readonly Listing[];
  currency: string;
  onOpen: (evidenceId: string) => void;
}) {
  return (
    <div className="mt-2 max-h-96 overflow-auto rounded-ui border border-line">
      <table className="w-full text-table">
        <thead className="sticky top-0 bg-sunken text-left text-muted">
          <tr>
            <th
              className="px-3 py-1.5 text-right font-medium"
              title="With shipping, and adjusted to the item's condition"
            >
              Counts as, {currency}
            </th>
            <th className="px-3 py-1.5 text-right font-medium">Listed at</th>
            <th className="px-3 py-1.5 font-medium">State</th>
            <th className="px-3 py-1.5 font-medium">Listing</th>
            <th className="py-1.5 pr-1">
              <span className="sr-only">Choice</span>
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {listings
            .toSorted((a, b) => a.amount - b.amount)
            .map(({ id, amount, listed, state, title, reason, role, included }) => (
              <tr
                key={id}
                className={state === "excluded" ? "text-muted" : undefined}
              >
                <td className="figures px-3 py-1.5 text-right align-top">
                  {state === "excluded" ? "—" : number(amount, 2)}
                </td>
                <td className="figures px-3 py-1.5 text-right align-top text-muted">
                  {listed === null ? "—" : number(listed, 2)}
                </td>
                <td className="px-3 py-1.5 align-top whitespace-nowrap">
                  <span className="inline-flex items-center gap-1.5">
                    <Mark state={state} /> {STATE_WORDS[state]}
                  </span>
                </td>
                <td className="px-3 py-1.5">
                  <button
                    type="button"
                    onClick={() => onOpen(id)}
                    className="text-left underline decoration-dotted underline-offset-4 hover:decoration-accent"
                  >
                    {title || "Evidence"}
                  </button>
                  {reason && <span className="block text-muted">{reason}</span>}
                </td>
                <td className="py-0.5 pr-1 text-right align-top">
                  <ChoiceButton
                    kind={kind}
                    id={recordId}
                    evidence={{ id, role, included, title }}
                  />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
