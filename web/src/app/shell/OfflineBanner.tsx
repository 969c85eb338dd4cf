import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { Icon } from "@/shared/ui";

const isOnline = () => navigator.onLine;
function watch(changed: () => void) {
  window.addEventListener("online", changed);
  window.addEventListener("offline", changed);
  return () => {
    window.removeEventListener("online", changed);
    window.removeEventListener("offline", changed);
  };
}

/** Says that what is shown may be old; everything is read again once the network is back. */
export function OfflineBanner() {
  const online = useSyncExternalStore(watch, isOnline);
  const queries = useQueryClient();
  useEffect(() => {
    if (!online) return () => void queries.invalidateQueries();
    return undefined;
  }, [online, queries]);
  if (online) return null;
  return (
    <p
      role="status"
      className="flex items-center gap-2 bg-caution-soft px-4 py-1.5 text-table text-caution"
    >
      <Icon name="warning" /> No network. What you see may be old; it is read again once you are
      back.
    </p>
  );
}
