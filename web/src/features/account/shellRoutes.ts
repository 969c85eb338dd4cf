import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/shared/routing/routes";

/** The pages of the signed-in person. */
export const accountShellRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/account",
    component: lazyRouteComponent(() => import("./AccountPage"), "AccountPage"),
  }),
] as const;
