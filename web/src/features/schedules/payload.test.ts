import { expect, test } from "vitest";
import type { Schema } from "@/shared/schema/schema";
import { draftOf, membersOf, payloadOf } from "./payload";

const SCHEMA: Schema = {
  type: "object",
  required: ["kind"],
  properties: {
    kind: { type: "string", title: "Kind" },
    most: { type: "integer", default: 100 },
    again: { type: "boolean" },
    names: { type: "array", items: { type: "string" } },
    filters: { type: "object", additionalProperties: true },
  },
};

test("a payload is the same after it was opened for editing", () => {
  const members = membersOf(SCHEMA);
  const payload = { kind: "notes", most: 5, again: false, names: ["a", "b"], filters: { x: [1] } };
  expect(payloadOf(members, draftOf(members, payload))).toEqual({ payload, errors: {} });
});

test("what cannot be read is named at its field", () => {
  const draft = { kind: "", most: "many", again: "", names: "", filters: "{" };
  const { payload, errors } = payloadOf(membersOf(SCHEMA), draft);
  expect(Object.keys(errors)).toEqual(["kind", "most", "filters"]);
  expect(payload).toEqual({});
});

test("lines of name=value are an object", () => {
  const draft = { kind: "notes", filters: "state=new\nstate=used\nbrand = A B" };
  expect(payloadOf(membersOf(SCHEMA), draft).payload["filters"]).toEqual({
    state: ["new", "used"],
    brand: "A B",
  });
});
