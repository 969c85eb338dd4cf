import { expect, test } from "vitest";
import { formatChoices, parseChoices } from "./choices";

test("choices survive their address", () => {
  const choices = new Map([
    ["5f0c-1", false],
    ["81aa-2", true],
  ]);
  expect(parseChoices(formatChoices(choices))).toEqual(choices);
});

test("no choice has no address, and nonsense is no choice", () => {
  expect(formatChoices(new Map())).toBeUndefined();
  expect(parseChoices(undefined).size).toBe(0);
  expect(parseChoices("out,up.1,.2,in.").size).toBe(0);
});
