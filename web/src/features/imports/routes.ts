import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/shared/routing/routes";

/** Choices of columns in the address, so that a reload keeps them. */
function columns(value: unknown): Record<string, string> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const pairs = Object.entries(value).filter(([, field]) => typeof field === "string");
  return pairs.length ? Object.fromEntries(pairs) : undefined;
}

export const importRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/imports",
    validateSearch: (search: Record<string, unknown>): { of?: string } =>
      typeof search["of"] === "string" ? { of: search["of"] } : {},
    component: lazyRouteComponent(() => import("./ImportsPage"), "ImportsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/imports/$id",
    validateSearch: (
      search: Record<string, unknown>,
    ): { tab?: string; columns?: Record<string, string>; clear?: boolean } => ({
      tab: typeof search["tab"] === "string" ? search["tab"] : undefined,
      columns: columns(search["columns"]),
      clear: search["clear"] === true || undefined,
    }),
    component: lazyRouteComponent(() => import("./ImportPage"), "ImportPage"),
  }),
] as const;
