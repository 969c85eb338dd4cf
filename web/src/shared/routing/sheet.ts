import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import type { SharedSearch } from "./routes";

/** One view of the side sheet: a view's name and what it is about. */
export interface SheetEntry {
  view: string;
  args: string[];
}

/** `claim:items/12/pricing.target|evidence:items/12/7`: the stack as it stands in the address. */
export function parseSheet(text: string | undefined): SheetEntry[] {
  if (!text) return [];
  return text.split("|").flatMap((each) => {
    const [view, rest = ""] = split(each, ":");
    return view ? [{ view, args: rest ? rest.split("/").map(decodeURIComponent) : [] }] : [];
  });
}

export function formatSheet(stack: readonly SheetEntry[]): string | undefined {
  if (!stack.length) return undefined;
  return stack
    .map(({ view, args }) => `${view}:${args.map((arg) => encodeSheetArg(arg)).join("/")}`)
    .join("|");
}

function encodeSheetArg(text: string): string {
  return encodeURIComponent(text);
}

function split(text: string, at: string): [string, string?] {
  const place = text.indexOf(at);
  return place < 0 ? [text] : [text.slice(0, place), text.slice(place + 1)];
}

/** The side sheet: it stacks, has an address, and closes one by one. */
export function useSheet() {
  const search = useSearch({ strict: false }) as SharedSearch;
  const { sheet } = search;
  const navigate = useNavigate();
  const stack = useMemo(() => parseSheet(sheet), [sheet]);
  const show = useCallback(
    (next: readonly SheetEntry[], replace = false) =>
      navigate({
        to: ".",
        search: (old: object) => ({ ...old, sheet: formatSheet(next) }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  return useMemo(
    () => ({
      stack,
      /** Shows this alone. */
      open: (view: string, ...args: string[]) => void show([{ view, args }]),
      /** Shows this over what is shown, with the way back in the trail. */
      push: (view: string, ...args: string[]) => void show([...stack, { view, args }]),
      /** Goes back to the entry at `index`. */
      backTo: (index: number) => void show(stack.slice(0, index + 1)),
      pop: () => void show(stack.slice(0, -1)),
      close: () => void show([]),
    }),
    [stack, show],
  );
}
