import { lazy } from "react";
import type { Feature } from "@/shared/feature/feature";

export const feature: Feature = {
  id: "files",
  recordDetails: [
    {
      id: "files",
      appliesTo: (kind) => kind.takesFiles,
      Content: lazy(() => import("./FilesCard").then((m) => ({ default: m.FilesCard }))),
    },
  ],
  sheets: {
    file: {
      title: () => "Picture",
      Content: lazy(() => import("./FileSheet").then((m) => ({ default: m.FileSheet }))),
    },
  },
};
