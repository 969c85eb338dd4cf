import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/shared/routing/routes";

export const inboxRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/inbox",
    component: lazyRouteComponent(() => import("./InboxPage"), "InboxPage"),
  }),
] as const;
