import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/shared/routing/routes";

const frame = createRoute({
  getParentRoute: () => shellRoute,
  id: "settings-frame",
  component: lazyRouteComponent(() => import("./SettingsFrame"), "SettingsFrame"),
});
const text = (value: unknown): string | undefined =>
  typeof value === "string" && value ? value : undefined;

/** What the address of the audit log says: its filters, days as `2026-11-23`. */
export interface AuditSearch {
  user?: string;
  kind?: string;
  action?: string;
  subject?: string;
  from?: string;
  to?: string;
}

/** Settings, each a page of its own beside a list of all. */
export const settingsRoute = frame.addChildren([
  createRoute({
    getParentRoute: () => frame,
    path: "/settings",
    component: lazyRouteComponent(() => import("./SettingsIndex"), "SettingsIndex"),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: "/settings/organization",
    component: lazyRouteComponent(() => import("./OrganizationPage"), "OrganizationPage"),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: "/settings/members",
    component: lazyRouteComponent(() => import("./MembersPage"), "MembersPage"),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: "/settings/tokens",
    component: lazyRouteComponent(() => import("./TokensPage"), "TokensPage"),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: "/settings/models",
    component: lazyRouteComponent(() => import("./ModelsPage"), "ModelsPage"),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: "/settings/sources",
    component: lazyRouteComponent(() => import("./SourcesPage"), "SourcesPage"),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: "/settings/spending",
    validateSearch: (search: Record<string, unknown>): { days?: number } => {
      const days = Number(search["days"]);
      return { days: [7, 30, 90].includes(days) ? days : undefined };
    },
    component: lazyRouteComponent(() => import("./SpendingPage"), "SpendingPage"),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: "/settings/retention",
    component: lazyRouteComponent(() => import("./RetentionPage"), "RetentionPage"),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: "/settings/audit",
    validateSearch: (search: Record<string, unknown>): AuditSearch => ({
      user: text(search["user"]),
      kind: text(search["kind"]),
      action: text(search["action"]),
      subject: text(search["subject"]),
      from: text(search["from"]),
      to: text(search["to"]),
    }),
    component: lazyRouteComponent(() => import("./AuditPage"), "AuditPage"),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: "/settings/packs/$pack/$page",
    component: lazyRouteComponent(() => import("./PackSettingsPage"), "PackSettingsPage"),
  }),
]);
