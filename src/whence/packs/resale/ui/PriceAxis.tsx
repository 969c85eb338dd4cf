import { useRef, useState } from "react";
import { money } from "@/shared/format";
import { classes, MarkButton } from "@/shared/ui";
import {
  type Dot,
  place,
  type Scale,
  scaleOfPrice,
  swarm,
  ticks,
  type TriedBand,
} from "./axis";
import type { Price } from "./dossier";
import type { Listing, ListingState } from "./listings";

const LOOKS: Record<ListingState, string> = {
  sold: "rounded-full bg-positive",
  active: "rounded-full border-2 border-accent bg-raised",
  ended:
    "rounded-full border-2 border-muted bg-[linear-gradient(135deg,transparent_42%,var(--muted)_42%_58%,transparent_58%)]",
  unknown: "bg-muted",
  excluded: "rounded-full border border-dashed border-excluded",
};
export const STATE_WORDS: Record<ListingState, string> = {
  sold: "sold",
  active: "for sale",
  ended: "ended unsold",
  unknown: "state unknown",
  excluded: "not counted",
};
const ROW = 13;

export function Mark({ state }: { state: ListingState }) {
  return (
    <span
      aria-hidden="true"
      className={classes("inline-block size-2.5", LOOKS[state])}
    />
  );
}

/** The listings as dots over the band from floor to ceiling; arrow keys go from dot to dot. */
export function PriceAxis({
  price,
  listings,
  tried,
  onOpen,
}: {
  price: Price;
  listings: readonly Listing[];
  /** The band that other listings would give. */
  tried?: TriedBand;
  onOpen: (evidenceId: string) => void;
}) {
  const scale = scaleOfPrice(price, listings);
  const dots = swarm(listings, scale);
  const height = (Math.max(2, ...dots.map((dot) => dot.row)) + 1) * ROW + 10;
  const [current, choose] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const move = (by: number) => {
    const next = Math.max(0, Math.min(dots.length - 1, current + by));
    choose(next);
    list.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div className="px-2">
      <div className="relative" style={{ height }}>
        <div
          aria-hidden="true"
          className="absolute inset-y-0 rounded-[3px] bg-accent-soft"
          style={{
            left: `${place(scale, price.floor.amount)}%`,
            width: `${place(scale, price.ceiling.amount) - place(scale, price.floor.amount)}%`,
          }}
        />
        <div
          aria-hidden="true"
          className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-accent"
          style={{ left: `${place(scale, price.target.amount)}%` }}
        />
        {tried && <TriedMark scale={scale} band={tried} />}
        <ul
          ref={list}
          aria-label="Listings by price"
          className="absolute inset-0"
          onKeyDown={(event) => {
            const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            if (by) {
              event.preventDefault();
              move(by);
            }
          }}
        >
          {dots.map((dot, index) => (
            <DotButton
              key={dot.listing.id}
              dot={dot}
              currency={price.currency}
              isStop={index === current}
              onFocus={() => choose(index)}
              onOpen={() => onOpen(dot.listing.id)}
            />
          ))}
        </ul>
      </div>
      <div
        aria-hidden="true"
        className="relative h-6 border-t border-line-strong"
      >
        {ticks(scale).map((amount) => (
          <span
            key={amount}
            className="figures absolute top-1 -translate-x-1/2 text-small text-muted"
            style={{ left: `${place(scale, amount)}%` }}
          >
            {money(amount, price.currency).replace(/[.,]00$/, "")}
          </span>
        ))}
      </div>
    </div>
  );
}

function TriedMark({ scale, band }: { scale: Scale; band: TriedBand }) {
  const at = (amount: number) =>
    Math.max(0, Math.min(100, place(scale, amount)));
  return (
    <>
      <div
        aria-hidden="true"
        className="absolute inset-y-0 rounded-[3px] border border-dashed border-accent"
        style={{
          left: `${at(band.floor)}%`,
          width: `${at(band.ceiling) - at(band.floor)}%`,
        }}
      />
      <div
        aria-hidden="true"
        className="absolute inset-y-0 -translate-x-1/2 border-l-2 border-dashed border-accent"
        style={{ left: `${at(band.target)}%` }}
      />
    </>
  );
}

function DotButton({
  dot,
  currency,
  isStop,
  onFocus,
  onOpen,
}: {
  dot: Dot;
  currency: string;
  isStop: boolean;
  onFocus: () => void;
  onOpen: () => void;
}) {
  const { amount, state, title, reason } = dot.listing;
  const words = [money(amount, currency), STATE_WORDS[state], title, reason]
    .filter(Boolean)
    .join(" · ");
  return (
    <li
      className="absolute -translate-x-1/2"
      style={{ left: `${dot.x}%`, bottom: dot.row * ROW + 4 }}
    >
      <MarkButton
        label={words}
        excludeFromTabOrder={!isStop}
        onFocus={onFocus}
        onPress={onOpen}
        className={classes("size-2.5 data-hovered:scale-150", LOOKS[state])}
      />
    </li>
  );
}
