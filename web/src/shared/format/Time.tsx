import { useSyncExternalStore } from "react";
import { fullTime, relativeTime } from "./format";

const MINUTE = 60_000;
const listeners = new Set<() => void>();
let minute = 0;

/** One clock for every time on the page: a table has a hundred of them. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
if (typeof window !== "undefined")
  setInterval(() => {
    minute += 1;
    listeners.forEach((listener) => listener());
  }, MINUTE);

/** A time as a reader says it, with the full date on hover. */
export function Time({ at, isShort }: { at: string | null | undefined; isShort?: boolean }) {
  useSyncExternalStore(subscribe, () => minute);
  if (!at) return <span className="text-muted">never</span>;
  return (
    <time dateTime={at} title={fullTime(at)} className="figures whitespace-nowrap">
      {relativeTime(at, undefined, isShort ? "short" : "long")}
    </time>
  );
}
