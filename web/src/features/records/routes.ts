import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/shared/routing/routes";

/** What a list's address says: its filters by their parameters, beside `search` and `sort`. */
export type ListSearch = Record<string, string | string[] | undefined>;

const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;

export const recordRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/records/$kind",
    validateSearch: (search: Record<string, unknown>): ListSearch =>
      Object.fromEntries(
        Object.entries(search).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.flatMap((each) => text(each) ?? []) : text(value),
        ]),
      ),
    component: lazyRouteComponent(() => import("./RecordsPage"), "RecordsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/records/$kind/$id",
    validateSearch: (
      search: Record<string, unknown>,
    ): Partial<Record<"tab" | "flow" | "compare" | "evidence" | "order", string>> => ({
      tab: text(search["tab"]),
      flow: text(search["flow"]),
      compare: text(search["compare"]),
      evidence: text(search["evidence"]),
      order: text(search["order"]),
    }),
    component: lazyRouteComponent(() => import("./RecordPage"), "RecordPage"),
  }),
] as const;
