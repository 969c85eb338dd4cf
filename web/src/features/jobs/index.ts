import type { Feature } from "@/shared/feature/feature";

export const feature: Feature = {
  id: "jobs",
  nav: [{ to: "/jobs", label: "Jobs", icon: "jobs", place: "work", key: "j" }],
};
