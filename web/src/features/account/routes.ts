import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "@/shared/routing/routes";

const withToken = (search: Record<string, unknown>): { token?: string } => ({
  token: typeof search["token"] === "string" ? search["token"] : undefined,
});

export const accountRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/sign-in",
    validateSearch: (search: Record<string, unknown>): { next?: string; link?: "used" } => ({
      // The server sends whoever opens a one-time link that does not sign in any more.
      link: search["link"] === "used" ? "used" : undefined,
      // Only a path of our own: never another site.
      next:
        typeof search["next"] === "string" && /^\/(?![/\\])/.test(search["next"])
          ? search["next"]
          : undefined,
    }),
    component: lazyRouteComponent(() => import("./SignInPage"), "SignInPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/accept",
    validateSearch: withToken,
    component: lazyRouteComponent(() => import("./AcceptPage"), "AcceptPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/reset",
    validateSearch: withToken,
    component: lazyRouteComponent(() => import("./ResetPage"), "ResetPage"),
  }),
] as const;
