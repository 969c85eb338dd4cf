import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import type { ListQuery } from "@/shared/api";

const route = getRouteApi("/shell/records/$kind");

/** What a list shows, as it stands in its address. */
export interface ListState {
  /** What the server gets: filters, search and order. */
  query: ListQuery;
  /** The chosen columns; none: the standard ones. */
  columns: string[];
  /** The saved view that this began with. */
  view: string | undefined;
  isNarrowed: boolean;
  setQuery: (query: ListQuery) => void;
  setColumns: (columns: string[]) => void;
  /** Shows a saved view; without one, everything. */
  show: (view?: { id: string; parameters: ListQuery }) => void;
}

export function useListState(): ListState {
  const { sheet: _, view, columns, ...query } = route.useSearch();
  const navigate = useNavigate();
  const go = useCallback(
    (change: (old: ListQuery) => ListQuery) =>
      void navigate({
        to: ".",
        replace: true,
        search: (old: ListQuery) => change(old),
      }),
    [navigate],
  );
  const setQuery = useCallback(
    (next: ListQuery) => go(({ sheet, view, columns }) => ({ sheet, view, columns, ...next })),
    [go],
  );
  const setColumns = useCallback(
    (next: string[]) => go((old) => ({ ...old, columns: next.length ? next : undefined })),
    [go],
  );
  const show = useCallback(
    (chosen?: { id: string; parameters: ListQuery }) =>
      go(({ sheet }) => ({ sheet, view: chosen?.id, ...chosen?.parameters })),
    [go],
  );
  return {
    query,
    columns: columns === undefined ? [] : [columns].flat(),
    view: typeof view === "string" ? view : undefined,
    isNarrowed: Object.entries(query).some(
      ([name, value]) => name !== "sort" && value !== undefined && value !== "",
    ),
    setQuery,
    setColumns,
    show,
  };
}

/** The parameters in one form, so that the same ones are equal however they were written. */
export function normalized(parameters: ListQuery): string {
  const entries = Object.entries(parameters)
    .map(([name, value]): [string, string[]] => {
      const values = [value].flat().filter((each) => each !== undefined && each !== "");
      // The order of columns is theirs; values of a filter have none.
      return [name, name === "columns" ? (values as string[]) : (values as string[]).toSorted()];
    })
    .filter(([, values]) => values.length > 0);
  return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Parameters without those that say nothing, for saving. */
export function stated(parameters: ListQuery): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) =>
      value === undefined || value.length === 0 ? [] : [[name, value]],
    ),
  );
}
