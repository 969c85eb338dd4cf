import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/shared/routing/routes";

export const scheduleRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/schedules",
    component: lazyRouteComponent(() => import("./SchedulesPage"), "SchedulesPage"),
  }),
] as const;
