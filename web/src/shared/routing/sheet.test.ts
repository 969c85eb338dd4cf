import { expect, test } from "vitest";
import { formatSheet, parseSheet } from "./sheet";

test("a stack survives its address, whatever its arguments contain", () => {
  const stack = [
    { view: "claim", args: ["items", "n/1|x", "pricing.target"] },
    { view: "evidence", args: ["items", "a:b", ""] },
  ];
  expect(parseSheet(formatSheet(stack))).toEqual(stack);
});

test("an empty stack has no address, and nonsense is an empty stack", () => {
  expect(formatSheet([])).toBeUndefined();
  expect(parseSheet("")).toEqual([]);
  expect(parseSheet("|:|")).toEqual([]);
});
