import { lazy } from "react";
import type { Feature } from "@/shared/feature/feature";

export const feature: Feature = {
  id: "research",
  recordTabs: [
    {
      id: "research",
      title: "Research",
      order: 10,
      appliesTo: (kind) => kind.flows.length > 0,
      Content: lazy(() => import("./ResearchTab").then((m) => ({ default: m.ResearchTab }))),
    },
    {
      id: "history",
      title: "History",
      order: 90,
      appliesTo: () => true,
      Content: lazy(() => import("./HistoryTab").then((m) => ({ default: m.HistoryTab }))),
    },
  ],
  recordActions: [
    {
      id: "research",
      appliesTo: (kind) => kind.flows.length > 0,
      Bulk: lazy(() => import("./BulkResearch").then((m) => ({ default: m.BulkResearch }))),
    },
  ],
  sheets: {
    claim: {
      title: () => "Why this",
      Content: lazy(() => import("./ClaimSheet").then((m) => ({ default: m.ClaimSheet }))),
    },
    evidence: {
      title: () => "Evidence",
      Content: lazy(() => import("./EvidenceSheet").then((m) => ({ default: m.EvidenceSheet }))),
    },
    dossier: {
      title: () => "Earlier research",
      Content: lazy(() => import("./HistoryTab").then((m) => ({ default: m.DossierSheet }))),
    },
  },
};
