import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import type { SharedSearch } from "./routes";

/** Evidence by its id: whether it is to count. */
export type Choices = ReadonlyMap<string, boolean>;

/** `out.5f…,in.81…`: the choices that are being tried, as they stand in the address. */
export function parseChoices(text: string | undefined): Choices {
  const choices = new Map<string, boolean>();
  for (const each of text?.split(",") ?? []) {
    const [way, id] = each.split(".");
    if (id && (way === "in" || way === "out")) choices.set(id, way === "in");
  }
  return choices;
}

export function formatChoices(choices: Choices): string | undefined {
  const parts = [...choices].map(([id, included]) => `${included ? "in" : "out"}.${id}`);
  return parts.length ? parts.join(",") : undefined;
}

/** The evidence that is being included or excluded on a record's page, before it is applied. */
export function useChoices(kind: string, id: string) {
  const { choices: text } = useSearch({ strict: false }) as SharedSearch;
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return useMemo(() => {
    const choices = parseChoices(text);
    const isHere = pathname.startsWith(`/records/${encodeURIComponent(kind)}/`);
    const show = (next: Choices) => {
      const search = (old: object) => ({ ...old, choices: formatChoices(next) });
      return isHere
        ? navigate({ to: ".", search, resetScroll: false })
        : navigate({ to: "/records/$kind/$id", params: { kind, id }, search, resetScroll: false });
    };
    return {
      choices,
      choose: (evidenceId: string, included: boolean) =>
        void show(new Map([...choices, [evidenceId, included]])),
      forget: (evidenceId: string) =>
        void show(new Map([...choices].filter(([each]) => each !== evidenceId))),
      clear: () => void show(new Map()),
    };
  }, [text, pathname, navigate, kind, id]);
}
