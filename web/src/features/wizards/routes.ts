import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/shared/routing/routes";

export const wizardRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/wizards",
    component: lazyRouteComponent(() => import("./WizardsPage"), "WizardsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/wizards/$wizard/$run",
    validateSearch: (search: Record<string, unknown>): { step?: string } =>
      typeof search["step"] === "string" ? { step: search["step"] } : {},
    component: lazyRouteComponent(() => import("./RunPage"), "RunPage"),
  }),
] as const;
