import { createRootRoute, createRoute } from "@tanstack/react-router";

/** What every address may carry: the stack of the side sheet. */
export interface SharedSearch {
  sheet?: string;
}

/** The parents of every route; `app/router.tsx` gives them their components. */
export const rootRoute = createRootRoute({
  validateSearch: (search: Record<string, unknown>): SharedSearch =>
    typeof search["sheet"] === "string" ? { sheet: search["sheet"] } : {},
});

/** Pages within the frame, for signed-in people. */
export const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: "shell" });
