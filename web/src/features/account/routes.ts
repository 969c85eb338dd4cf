import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "@/shared/routing/routes";

export const accountRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/sign-in",
    validateSearch: (search: Record<string, unknown>): { next?: string } => ({
      // Only a path of our own: never another site.
      next:
        typeof search["next"] === "string" && /^\/(?![/\\])/.test(search["next"])
          ? search["next"]
          : undefined,
    }),
    component: lazyRouteComponent(() => import("./SignInPage"), "SignInPage"),
  }),
] as const;
