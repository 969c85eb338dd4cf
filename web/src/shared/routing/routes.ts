import { createRootRoute, createRoute } from "@tanstack/react-router";

/** What every address may carry: the stack of the side sheet, and evidence that is being chosen. */
export interface SharedSearch {
  sheet?: string;
  choices?: string;
}
const SHARED = ["sheet", "choices"] as const;

/** The parents of every route; `app/router.tsx` gives them their components. */
export const rootRoute = createRootRoute({
  validateSearch: (search: Record<string, unknown>): SharedSearch =>
    Object.fromEntries(
      SHARED.flatMap((name) => (typeof search[name] === "string" ? [[name, search[name]]] : [])),
    ),
});

/** Pages within the frame, for signed-in people. */
export const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: "shell" });
