import { lazy } from "react";
import type { Feature } from "@/shared/feature/feature";
import { Dock, DockButton } from "./Beside";
import { setDock } from "./dock";

export const feature: Feature = {
  id: "chat",
  recordTabs: [
    {
      id: "chat",
      title: "Chat",
      order: 30,
      appliesTo: (kind) => kind.chat !== null,
      Content: lazy(() => import("./ChatTab").then((m) => ({ default: m.ChatTab }))),
    },
  ],
  sheets: {
    source: {
      title: () => "Source",
      Content: lazy(() => import("./Sheets").then((m) => ({ default: m.SourceSheet }))),
    },
    turn: {
      title: () => "What the agent saw",
      Content: lazy(() => import("./Sheets").then((m) => ({ default: m.TurnSheet }))),
    },
  },
  useCommands: () => [
    {
      id: "chat",
      label: "Chat about this page",
      icon: "chat",
      run: () => setDock({ isOpen: true }),
    },
  ],
  TopBar: DockButton,
  Dock,
};
