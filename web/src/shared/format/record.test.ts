import { expect, test } from "vitest";
import type { Kind, RecordData } from "@/shared/api/records";
import { stateOf, subtitleOf, unitIn } from "./record";

const KIND = {
  display: { state: "status", subtitle: "reason", tones: { sold: "success", gone: "failed" } },
  record: { properties: { reason: { "x-labels": { family_care: "Care for a relative" } } } },
} as unknown as Kind;
const record = (fields: object) => fields as RecordData;

test("a state has its word and what the pack says that it means", () => {
  expect(stateOf(KIND, record({ status: "sold" }))).toEqual({ word: "Sold", tone: "positive" });
  expect(stateOf(KIND, record({ status: "gone" }))).toEqual({ word: "Gone", tone: "negative" });
  expect(stateOf(KIND, record({ status: "on_hold" }))).toEqual({
    word: "On hold",
    tone: "neutral",
  });
  expect(stateOf(KIND, record({ status: null }))).toBeUndefined();
});

test("a choice under a title is called as people call it", () => {
  expect(subtitleOf(KIND, record({ reason: "family_care" }))).toBe("Care for a relative");
  expect(subtitleOf(KIND, record({ reason: " as it is " }))).toBe("as it is");
});

test("a value's unit is its own, or what the record says", () => {
  expect(unitIn({ currency: "EUR" }, { unit: "", unitField: "currency" })).toBe("EUR");
  expect(unitIn({}, { unit: "kg", unitField: null })).toBe("kg");
  expect(unitIn({}, { unit: "", unitField: "currency" })).toBeUndefined();
});
