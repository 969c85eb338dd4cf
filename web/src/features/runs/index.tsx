import { lazy } from "react";
import type { Feature } from "@/shared/feature/feature";
import { inWords } from "@/shared/format";
import { RunningWork } from "./RunningWork";

export const feature: Feature = {
  id: "runs",
  nav: [{ to: "/runs", label: "Runs", icon: "runs", place: "work", key: "r" }],
  TopBar: RunningWork,
  sheets: {
    node: {
      title: ([, node = ""]) => inWords(node),
      Title: lazy(() => import("./NodeSheet").then((m) => ({ default: m.NodeTitle }))),
      Content: lazy(() => import("./NodeSheet").then((m) => ({ default: m.NodeSheet }))),
    },
  },
};
