import type { NodeStatus, RunStatus } from "@/shared/events/run";
import type { IconName, Tone } from "@/shared/ui";

/** A state as people read it, with its tone. */
export const RUN_STATES: Record<RunStatus, { word: string; tone: Tone }> = {
  pending: { word: "Waiting", tone: "neutral" },
  running: { word: "Running", tone: "accent" },
  paused: { word: "Paused", tone: "caution" },
  success: { word: "Done", tone: "positive" },
  error: { word: "Failed", tone: "negative" },
  cancelled: { word: "Cancelled", tone: "excluded" },
};

export const NODE_STATES: Record<NodeStatus, { word: string; icon: IconName; look: string }> = {
  running: { word: "running", icon: "refresh", look: "text-accent animate-turn" },
  success: { word: "done", icon: "check", look: "text-positive" },
  error: { word: "failed", icon: "close", look: "text-negative" },
  paused: { word: "paused", icon: "history", look: "text-caution" },
  interrupted: { word: "interrupted", icon: "stop", look: "text-muted" },
  skipped: { word: "skipped", icon: "right", look: "text-muted" },
};
