import { lazy } from "react";
import type { Feature } from "@/shared/feature/feature";

export const feature: Feature = {
  id: "records",
  recordTabs: [
    {
      id: "details",
      title: "Details",
      order: 20,
      appliesTo: () => true,
      Content: lazy(() => import("./Details").then((m) => ({ default: m.DetailsTab }))),
    },
  ],
  sheets: {
    record: {
      title: () => "Preview",
      Content: lazy(() => import("./Preview").then((m) => ({ default: m.RecordPreview }))),
    },
  },
};
