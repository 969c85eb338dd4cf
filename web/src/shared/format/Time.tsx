import { useEffect, useReducer } from "react";
import { fullTime, relativeTime } from "./format";

const MINUTE = 60_000;

/** A time as a reader says it, with the full date on hover. */
export function Time({ at }: { at: string | null | undefined }) {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, MINUTE);
    return () => clearInterval(timer);
  }, []);
  if (!at) return <span className="text-muted">never</span>;
  return (
    <time dateTime={at} title={fullTime(at)} className="figures whitespace-nowrap">
      {relativeTime(at)}
    </time>
  );
}
