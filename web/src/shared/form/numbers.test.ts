import { expect, test } from "vitest";
import { readNumber } from "./numbers";

test.each([
  ["145", 145],
  ["145.5", 145.5],
  ["145,50", 145.5],
  ["1,145", 1145],
  ["1,145.50", 1145.5],
  ["1.145,50", 1145.5],
  ["1 145", 1145],
  ["1,234,567", 1234567],
  ["1.234.567", 1234567],
  ["$1,145", 1145],
  ["145 USD", 145],
  ["€ 12,99", 12.99],
  ["0.999", 0.999],
  ["-3", -3],
])("%s is %d", (text, value) => {
  expect(readNumber(text)).toBe(value);
});

test.each(["", "abc", "145 obo", "1,2,3", "1.2.3", "12-13", "$"])("%s is no number", (text) => {
  expect(readNumber(text)).toBeUndefined();
});
