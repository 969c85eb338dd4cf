import { createRouter } from "@tanstack/react-router";
import { accountRoutes } from "@/features/account/routes";
import { accountShellRoutes } from "@/features/account/shellRoutes";
import { homeRoutes } from "@/features/home/routes";
import { importRoutes } from "@/features/imports/routes";
import { inboxRoutes } from "@/features/inbox/routes";
import { jobRoutes } from "@/features/jobs/routes";
import { recordRoutes } from "@/features/records/routes";
import { settingsRoute } from "@/features/settings/routes";
import { runRoutes } from "@/features/runs/routes";
import { scheduleRoutes } from "@/features/schedules/routes";
import { wizardRoutes } from "@/features/wizards/routes";
import { rootRoute, shellRoute } from "@/shared/routing/routes";
import { ErrorState } from "@/shared/ui";
import { NotFound } from "./NotFound";
import { packPageRoute, unknownPageRoute } from "./packPage";
import { Shell } from "./shell/Shell";

shellRoute.update({ component: Shell });

const tree = rootRoute.addChildren([
  ...accountRoutes,
  shellRoute.addChildren([
    ...homeRoutes,
    ...inboxRoutes,
    ...importRoutes,
    ...accountShellRoutes,
    ...recordRoutes,
    ...runRoutes,
    ...jobRoutes,
    ...scheduleRoutes,
    ...wizardRoutes,
    settingsRoute,
    packPageRoute,
    unknownPageRoute,
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: "intent",
  scrollRestoration: true,
  scrollToTopSelectors: ["#page"],
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} retry={reset} />,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
