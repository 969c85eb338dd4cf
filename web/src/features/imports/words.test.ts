import { describe, expect, it } from "vitest";
import { bytes, choose, understood } from "./words";

const FIELDS = [
  { name: "title", label: "Title", isRequired: true, many: false },
  { name: "photos", label: "Photos", isRequired: false, many: true },
];

describe("choosing columns", () => {
  it("gives a field that takes one column to the column chosen last", () => {
    expect(choose({ A: "title" }, "B", "title", FIELDS)).toEqual({ B: "title" });
  });
  it("lets several columns feed a field that takes many", () => {
    expect(choose({ A: "photos" }, "B", "photos", FIELDS)).toEqual({ A: "photos", B: "photos" });
  });
  it("leaves out several columns", () => {
    expect(choose({ A: "ignore" }, "B", "ignore", FIELDS)).toEqual({ A: "ignore", B: "ignore" });
  });
  it("takes a choice back", () => {
    expect(choose({ A: "title", B: "ignore" }, "A", null, FIELDS)).toEqual({ B: "ignore" });
  });
});

it("writes sizes as people do", () => {
  expect([bytes(1), bytes(999), bytes(2_400), bytes(2_400_000)]).toEqual([
    "1 byte",
    "999 bytes",
    "2 kB",
    "2.4 MB",
  ]);
});

it("does not call a column understood that is only kept", () => {
  const columns = (...fields: (string | null)[]) => ({
    columns: fields.map((field) => ({ header: "A", field, samples: [] })),
  });
  expect(understood(columns("title", "id"))).toBe("Every column was understood.");
  expect(understood(columns("title", "attr:A", null))).toBe(
    "1 of 3 columns understood, 1 kept as attributes, 1 not read.",
  );
});
