import { expect, test } from "vitest";
import { setOrganizationLocale } from "@/shared/format/preferences";
import { asTold, valueInWords } from "./values";

test("a file of a history is called by its name", () => {
  const file = { name: "label.jpg", digest: "11212f6e", position: 2 };
  expect(asTold(file)).toBe("label.jpg");
  expect(asTold({ ...file, caption: "The label" })).toEqual({
    name: "label.jpg",
    caption: "The label",
  });
  expect(asTold({ color: "Black" })).toEqual({ color: "Black" });
  expect(asTold("Good")).toBe("Good");
});

test("a time is written as people write it, a code stays as it is", () => {
  setOrganizationLocale("en-GB");
  expect(valueInWords("2026-11-24 10:38:13.078148+00:00")).toMatch(/^24 Nov 2026, \d\d:38$/);
  expect(valueInWords("sample_pack.recount")).toBe("sample_pack.recount");
});
