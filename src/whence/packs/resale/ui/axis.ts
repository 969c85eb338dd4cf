import type { Price } from "./dossier";
import type { Listing } from "./listings";

export interface Scale {
  from: number;
  to: number;
}
export interface Dot {
  listing: Listing;
  /** Percent of the width. */
  x: number;
  /** The place above the line, from 0. */
  row: number;
}

/** A band beside the price's own: what it would be with other listings. */
export interface TriedBand {
  floor: number;
  target: number;
  ceiling: number;
}

/** The band among recomputed figures; undefined where there would be no price. */
export function bandOf(
  figures: readonly { path: string; after: number | null }[] | undefined,
): TriedBand | undefined {
  const amount = (name: string) =>
    figures?.find(({ path }) => path === `price.${name}.amount`)?.after;
  const [floor, target, ceiling] = [
    amount("floor"),
    amount("target"),
    amount("ceiling"),
  ];
  return floor != null && target != null && ceiling != null
    ? { floor, target, ceiling }
    : undefined;
}

const COLUMNS = 48;
const ROWS = 6;

/**
 * From the lowest to the highest of the band and the sales, and what is for sale near them.  An
 * asking price far above would squeeze all others into one place: it stands in the table alone.
 */
export function scaleOfPrice(
  price: Price,
  listings: readonly Listing[],
): Scale {
  const { floor, ceiling } = price;
  const far = ceiling.amount + 2 * (ceiling.amount - floor.amount);
  const counted = listings.filter(
    ({ state, amount }) =>
      state === "sold" || (state !== "excluded" && amount <= far),
  );
  return scaleOf([
    floor.amount,
    ceiling.amount,
    ...counted.map(({ amount }) => amount),
  ]);
}

/** From the lowest to the highest of these amounts, with a little room beside them. */
export function scaleOf(amounts: readonly number[]): Scale {
  const from = Math.min(...amounts);
  const to = Math.max(...amounts);
  const room = Math.max((to - from) * 0.06, to * 0.02, 0.5);
  return { from: Math.max(0, from - room), to: to + room };
}

export const place = (scale: Scale, amount: number): number =>
  ((amount - scale.from) / (scale.to - scale.from)) * 100;

export const isOn = ({ from, to }: Scale, { amount }: Listing): boolean =>
  amount >= from && amount <= to;

/** The dots of a swarm, those with the same place above one another; left to right. */
export function swarm(listings: readonly Listing[], scale: Scale): Dot[] {
  const heights = new Map<number, number>();
  return listings
    .filter((listing) => isOn(scale, listing))
    .toSorted((a, b) => a.amount - b.amount || a.id.localeCompare(b.id))
    .map((listing) => {
      const column = Math.round((place(scale, listing.amount) / 100) * COLUMNS);
      const row = heights.get(column) ?? 0;
      heights.set(column, row + 1);
      return { listing, x: (column / COLUMNS) * 100, row: row % ROWS };
    });
}

/** Three to six round amounts on the axis. */
export function ticks({ from, to }: Scale): number[] {
  const rough = (to - from) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 2.5, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  const first = Math.ceil(from / step) * step;
  return Array.from(
    { length: Math.floor((to - first) / step) + 1 },
    (_, n) => first + n * step,
  );
}
