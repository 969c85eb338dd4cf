import { lazy, Suspense } from "react";
import { useShortcut } from "@/shared/shortcuts/shortcuts";
import { classes, Icon } from "@/shared/ui";
import { setDock, useDock } from "./dock";
import { useLooking } from "./subject";

// What a conversation needs is loaded with the first one.
const OpenDock = lazy(() => import("./Dock").then((m) => ({ default: m.OpenDock })));

/** The chat beside every page, while it is open. */
export function Dock() {
  const { isOpen } = useDock();
  const looking = useLooking();
  useShortcut({ keys: "c", label: "Chat about this page", group: "Everywhere" }, () =>
    setDock({ isOpen: true }),
  );
  if (!isOpen || !looking || looking.isInTab) return null;
  return (
    <Suspense fallback={null}>
      <OpenDock looking={looking} />
    </Suspense>
  );
}

/** Opens and closes the dock. */
export function DockButton() {
  const { isOpen } = useDock();
  const looking = useLooking();
  if (looking?.isInTab) return null;
  return (
    <button
      type="button"
      aria-pressed={isOpen}
      title="Chat about this page (c)"
      onClick={() => setDock({ isOpen: !isOpen })}
      className={classes(
        "flex h-8 touch-44 items-center gap-1.5 rounded-ui px-2 font-medium hover:bg-hover",
        isOpen ? "bg-accent-soft text-accent" : "text-muted hover:text-text",
      )}
    >
      <Icon name="chat" />
      <span className="max-sm:sr-only">Chat</span>
    </button>
  );
}
