import { fetchWithSession } from "@/shared/api/client";
import { connection as overall } from "./connection";
import { eventReader, type ServerEvent } from "./sse";

export type Connection = "connecting" | "live" | "lost" | "ended";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
/** The server sends a comment every 15 seconds; without any for this long, nobody is there. */
const SILENCE_MS = 40_000;

interface Followed {
  path: string;
  /** The number of the last event that counts, to go on from; null for a snapshot first. */
  cursor: () => number | null;
  onEvent: (event: ServerEvent) => void;
  onConnection: (connection: Connection) => void;
}

/**
 * Follows an event log until it is stopped: it renews the session, connects again after a cut, and
 * asks from the last event that counts.  `EventSource` can do neither of the first two.
 */
export function follow({ path, cursor, onEvent, onConnection }: Followed) {
  let stopped = false;
  let pause = FIRST_PAUSE_MS;
  let attempt = new AbortController();
  let wake: () => void = () => {};
  const key = Symbol(path);

  async function once(): Promise<"again" | "over"> {
    attempt = new AbortController();
    const last = cursor();
    const response = await fetchWithSession(
      new Request(new URL(path, location.origin), {
        headers: last === null ? {} : { "Last-Event-ID": String(last) },
        signal: attempt.signal,
        cache: "no-store",
      }),
    );
    if (response.status === 204 || response.status === 404 || response.status === 403)
      return "over";
    if (!response.ok || !response.body) return "again";
    onConnection("live");
    pause = FIRST_PAUSE_MS;
    const newest = Number(response.headers.get("Last-Seq") ?? 0);
    let isBehind = true;
    const catchUp = () => {
      if (!isBehind || (cursor() ?? 0) < newest) return;
      isBehind = false;
      overall.send({ type: "stream_caught_up", stream: key });
    };
    catchUp();
    let isOver = false;
    const read = eventReader((event) => {
      if (stopped) return;
      if (event.type === "access_ended") isOver = isGone(event.data);
      else onEvent(event);
    });
    const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const silence = setTimeout(() => attempt.abort(), SILENCE_MS);
      const { done, value } = await pieces.read().finally(() => clearTimeout(silence));
      if (done) return isOver ? "over" : "again";
      read(value);
      catchUp();
    }
  }

  async function run() {
    while (!stopped) {
      onConnection("connecting");
      const end = await once().catch(() => "again" as const);
      if (stopped) return;
      if (end === "over") {
        overall.send({ type: "stream_closed", stream: key });
        return onConnection("ended");
      }
      overall.send({ type: "stream_lost", stream: key });
      onConnection("lost");
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, pause);
      });
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  }

  const onOnline = () => wake();
  window.addEventListener("online", onOnline);
  void run();
  return {
    stop() {
      stopped = true;
      overall.send({ type: "stream_closed", stream: key });
      window.removeEventListener("online", onOnline);
      attempt.abort();
      wake();
    },
    /** Ends this connection and asks again from the cursor: events are missing. */
    again: () => attempt.abort(),
  };
}

/** Whether what was followed is gone for good, and not just the session's time. */
function isGone(problem: string): boolean {
  try {
    return (JSON.parse(problem) as { status?: number }).status === 404;
  } catch {
    return false;
  }
}
