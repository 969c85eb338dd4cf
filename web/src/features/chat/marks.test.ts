import { expect, test } from "vitest";
import { partsOf, spoken } from "./marks";

test("references are parts of their own", () => {
  expect(partsOf("It is worth 40 USD [1][12].")).toEqual([
    { type: "text", text: "It is worth 40 USD" },
    { type: "cite", number: 1 },
    { type: "cite", number: 12 },
    { type: "text", text: "." },
  ]);
});

test("a figure that is not in its source is underlined alone, with its unit", () => {
  expect(partsOf("It sold for 1,250.50 EUR (not in its source) in May [2].")).toEqual([
    { type: "text", text: "It sold for " },
    { type: "unsupported", text: "1,250.50 EUR", note: "not in its source" },
    { type: "text", text: " in May" },
    { type: "cite", number: 2 },
    { type: "text", text: "." },
  ]);
});

test("a sentence without a source is underlined as a whole, and the one before it is not", () => {
  expect(partsOf("It has 2.5 stars [1]. It is rare (no source).")).toEqual([
    { type: "text", text: "It has 2.5 stars" },
    { type: "cite", number: 1 },
    { type: "text", text: ". " },
    { type: "unsupported", text: "It is rare", note: "no source" },
    { type: "text", text: "." },
  ]);
});

test("a mark that stands alone is kept, and other brackets are text", () => {
  expect(partsOf("(no source)")).toEqual([{ type: "unsupported", text: "", note: "no source" }]);
  expect(partsOf("[a] (b) [1234]")).toEqual([{ type: "text", text: "[a] (b) [1234]" }]);
});

test("what is read aloud has no signs", () => {
  expect(spoken("**Worth** about `40` [1]. [See](https://example.org)")).toBe(
    "Worth about 40. See",
  );
  expect(spoken("one two three", 9)).toBe("one two …");
});
