import { expect, test } from "vitest";
import type { FieldShown, StepPayload } from "@/shared/api";
import { draftOf, responsesOf } from "./values";

const field = (name: string, widget: string, values: FieldShown["choices"] = []): FieldShown => ({
  name,
  label: name,
  help: "",
  widget,
  unit: "",
  required: false,
  choices: values,
});

test("figures are sent as numbers, and what is none as it was typed", () => {
  const typed = { a: "1,250", b: " 37.5 ", c: "1,25", d: "many", e: "" };
  const fields = Object.keys(typed).map((name) => field(name, "number"));
  expect(responsesOf(fields, typed)).toEqual({ a: 1250, b: 37.5, c: "1,25", d: "many", e: null });
});

test("choices keep their own type, and lines of a list that are empty are left out", () => {
  const fields = [
    field("many", "select", [{ value: 2, label: "two" }]),
    field("sure", "yes_no"),
    field("points", "checkboxes"),
  ];
  const draft = { many: "2", sure: "false", points: ["one", " ", "two"] };
  expect(responsesOf(fields, draft)).toEqual({ many: 2, sure: false, points: ["one", "two"] });
});

test("a step shows its values, else its schema's defaults", () => {
  const payload = {
    schema: { properties: { a: { default: 0 }, b: { default: true }, c: {}, d: {} } },
    ui: {
      fields: [
        field("a", "number"),
        field("b", "yes_no"),
        field("c", "text"),
        field("d", "checkboxes"),
      ],
    },
    values: { b: false, c: null },
  } as unknown as StepPayload;
  expect(draftOf(payload)).toEqual({ a: "0", b: "false", c: "", d: [] });
});
