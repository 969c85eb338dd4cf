import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { RunQuery } from "@/shared/api/runs";
import { shellRoute } from "@/shared/routing/routes";
import { several } from "@/shared/routing/search";

const LISTS = ["status", "kind", "type", "runType", "lane", "requestedBy"] as const;

const dayOf = (value: unknown): string | undefined =>
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined;

export const runRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/runs",
    validateSearch: (search: Record<string, unknown>): RunQuery => ({
      ...Object.fromEntries(LISTS.map((name) => [name, several(search[name])])),
      from: dayOf(search["from"]),
      to: dayOf(search["to"]),
    }),
    component: lazyRouteComponent(() => import("./RunsPage"), "RunsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/runs/$run",
    validateSearch: (search: Record<string, unknown>): { tab?: string } => ({
      tab: typeof search["tab"] === "string" ? search["tab"] : undefined,
    }),
    component: lazyRouteComponent(() => import("./RunPage"), "RunPage"),
  }),
] as const;
