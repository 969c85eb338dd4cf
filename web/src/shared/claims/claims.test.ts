import { expect, test } from "vitest";
import { claimInWords } from "./claims";

test.each([
  ["price.ceiling.amount", "Price ceiling"],
  ["price.target.amount", "Price target"],
  ["demand.sell_through", "Demand sell through"],
  ["marketplaces[0].net", "Marketplaces 1 net"],
  ["amount", "Amount"],
])("the claim at %s is called %s", (path, words) => {
  expect(claimInWords(path)).toBe(words);
});
