import type { Feature } from "@/shared/feature/feature";

export const feature: Feature = {
  id: "schedules",
  nav: [{ to: "/schedules", label: "Schedules", icon: "calendar", place: "work", key: "t" }],
};
