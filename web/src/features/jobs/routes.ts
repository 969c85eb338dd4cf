import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { JobQuery } from "@/shared/api/jobs";
import { shellRoute } from "@/shared/routing/routes";
import { several } from "@/shared/routing/search";

export const jobRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/jobs",
    validateSearch: (search: Record<string, unknown>): JobQuery => ({
      status: several(search["status"]),
      type: several(search["type"]),
    }),
    component: lazyRouteComponent(() => import("./JobsPage"), "JobsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/jobs/$job",
    component: lazyRouteComponent(() => import("./JobPage"), "JobPage"),
  }),
] as const;
