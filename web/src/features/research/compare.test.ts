import { expect, test } from "vitest";
import type { Claim } from "@/shared/api/research";
import { changesBetween } from "./compare";

const claim = (path: string, value: number, evidence: string[] = []): Claim => ({
  path,
  statement: `${path} is ${value}`,
  value,
  confidence: 0.8,
  method: "rules:price@1",
  verdict: "supported",
  note: null,
  evidence: evidence.map((evidenceId) => ({
    evidenceId,
    quote: null,
    startsAt: null,
    endsAt: null,
  })),
});

test("claims are added, gone or changed; those that say the same are counted", () => {
  const { changes, same } = changesBetween(
    [claim("price", 10), claim("brand", 1), claim("old", 1)],
    [claim("price", 12), claim("brand", 1), claim("new", 1)],
  );
  expect(changes.map(({ path, what }) => [path, what])).toEqual([
    ["price", "moved"],
    ["new", "added"],
    ["old", "gone"],
  ]);
  expect(same).toBe(1);
});

test("a changed claim says how its evidence changed", () => {
  const { changes } = changesBetween(
    [claim("price", 10, ["a", "b"])],
    [claim("price", 12, ["b", "c", "d"])],
  );
  expect(changes[0]!.why).toEqual([
    "2 pieces of evidence more",
    "1 piece of evidence no longer cited",
  ]);
});

test("the dossier's own order decides, not that of paths", () => {
  const both = [claim("marketplaces.a", 2), claim("price.target", 2)];
  const { changes } = changesBetween([], both, ["price", "marketplaces"]);
  expect(changes.map(({ path }) => path)).toEqual(["price.target", "marketplaces.a"]);
});
