import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { connection, phaseOf } from "@/shared/events/connection";
import { classes, Icon } from "@/shared/ui";

/** How long the banner says that everything is up to date. */
const TOLD_MS = 5_000;

const WORDS = {
  network: "No network. What you see may be old; it catches up once you are back.",
  server: "The server does not answer. What you see may be old; it catches up once it is back.",
  catching_up: "Back again. Catching up…",
  caught_up: "Back again. Everything is up to date.",
};

/** Says that what is shown may be old, that it catches up, and that it has. */
export function OfflineBanner() {
  const state = useSyncExternalStore(connection.subscribe, connection.read);
  const queries = useQueryClient();
  const phase = phaseOf(state);
  const isToRead = phase === "catching_up" && state.isStale;
  useEffect(() => {
    if (!isToRead) return;
    // Event logs go on from their cursors; a form that is being filled in stays as it is.
    const all = { predicate: ({ meta }: { meta?: Record<string, unknown> }) => !meta?.["isTyped"] };
    void queries.invalidateQueries(all).then(() => connection.send({ type: "read_again" }));
  }, [isToRead, queries]);
  useEffect(() => {
    if (phase !== "caught_up") return;
    const timer = setTimeout(() => connection.send({ type: "told" }), TOLD_MS);
    return () => clearTimeout(timer);
  }, [phase]);
  const isOffline = phase === "offline";
  return (
    <p
      role="status"
      className={classes(
        phase !== "connected" && "flex items-center gap-2 px-4 py-1.5 text-table",
        isOffline ? "bg-caution-soft text-caution" : "bg-sunken text-muted",
      )}
    >
      {phase !== "connected" && (
        <>
          <Icon
            name={isOffline ? "warning" : phase === "caught_up" ? "check" : "refresh"}
            className={phase === "catching_up" ? "animate-turn" : ""}
          />
          {WORDS[isOffline ? (state.lost ?? "network") : phase]}
        </>
      )}
    </p>
  );
}
