import { expect, test } from "vitest";
import { groupedBySource } from "./evidenceOrder";

const piece = (title: string, source: string, price: number | null, observedAt: string | null) => ({
  title,
  source,
  price,
  observedAt,
  reason: "",
});
const ALL = [
  piece("Lamp, black", "library", 30, "2026-01-02"),
  piece("Fees", "fees", null, null),
  piece("Lamp, white", "library", 20, "2026-03-01"),
  piece("Lamp without a price", "library", null, "2026-02-01"),
];
const titles = (groups: ReturnType<typeof groupedBySource>) =>
  groups.map(({ items }) => items.map(({ title }) => title));

test("sources keep the order of their first piece, and pieces that of the server", () => {
  const groups = groupedBySource(ALL, "relevance");
  expect(groups.map(({ source }) => source)).toEqual(["library", "fees"]);
  expect(titles(groups)[0]).toEqual(["Lamp, black", "Lamp, white", "Lamp without a price"]);
});

test("what has no price comes after what has one", () => {
  expect(titles(groupedBySource(ALL, "price"))[0]).toEqual([
    "Lamp, white",
    "Lamp, black",
    "Lamp without a price",
  ]);
});

test("all words must occur, in any order", () => {
  expect(titles(groupedBySource(ALL, "newest", "white LAMP"))).toEqual([["Lamp, white"]]);
  expect(groupedBySource(ALL, "newest", "nothing")).toEqual([]);
});
