import { expect, test } from "vitest";
import { isOn, place, scaleOfPrice, swarm, ticks } from "./axis";
import type { Price } from "./dossier";
import type { Listing, ListingState } from "./listings";

const band = (amount: number) => ({ amount, confidence: 0.9, reasoning: "" });
const PRICE: Price = {
  currency: "USD",
  floor: band(140),
  target: band(155),
  ceiling: band(175),
  used: [],
  trimmed: [],
  leftOut: [],
};
const listing = (
  id: string,
  amount: number,
  state: ListingState = "sold",
): Listing => ({
  id,
  amount,
  listed: amount,
  state,
  title: id,
  reason: null,
  role: "comp",
  included: state !== "excluded",
});

test("the axis holds the band and every sale, and no asking price far above", () => {
  const listings = [
    listing("sold", 120),
    listing("near", 200, "active"),
    listing("far", 900, "active"),
  ];
  const scale = scaleOfPrice(PRICE, listings);
  expect(listings.map((each) => isOn(scale, each))).toEqual([
    true,
    true,
    false,
  ]);
  expect(place(scale, 140)).toBeGreaterThan(0);
  expect(place(scale, 175)).toBeLessThan(100);
});

test("dots of one amount stand above one another, and none is lost", () => {
  const listings = Array.from({ length: 4 }, (_, n) => listing(`${n}`, 150));
  const dots = swarm(listings, scaleOfPrice(PRICE, listings));
  expect(new Set(dots.map(({ x }) => x)).size).toBe(1);
  expect(dots.map(({ row }) => row)).toEqual([0, 1, 2, 3]);
});

test("ticks are round amounts within the axis", () => {
  expect(ticks({ from: 136, to: 243 })).toEqual([150, 200]);
  expect(ticks({ from: 0, to: 1 })).toEqual([0, 0.25, 0.5, 0.75, 1]);
});

test("one listing alone still has an axis", () => {
  const one = { ...PRICE, floor: band(5), target: band(5), ceiling: band(5) };
  const scale = scaleOfPrice(one, [listing("a", 5)]);
  expect(scale.to).toBeGreaterThan(scale.from);
});
