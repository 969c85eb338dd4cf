/**
 * Whether the server can be reached, and whether everything shown has caught up after it could not.
 *
 * Event logs go on from the last event that each has; everything else is read again.
 */
export interface ConnectionState {
  /** Why nobody can be reached; null: the server can. */
  lost: "network" | "server" | null;
  /** Whether the end of a cut has not been told yet. */
  wasLost: boolean;
  /** Whether what is shown has to be read again. */
  isStale: boolean;
  /** Event logs that lack events since they were cut. */
  behind: ReadonlySet<symbol>;
}

export type ConnectionEvent =
  | { type: "lost"; why: "network" | "server" }
  | { type: "back" }
  | { type: "read_again" }
  | { type: "told" }
  | { type: "stream_lost" | "stream_caught_up" | "stream_closed"; stream: symbol };

export const CONNECTED: ConnectionState = {
  lost: null,
  wasLost: false,
  isStale: false,
  behind: new Set(),
};

export function reduceConnection(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  switch (event.type) {
    case "lost":
      return { ...state, lost: event.why, wasLost: true, isStale: true };
    case "back":
      return { ...state, lost: null };
    case "read_again":
      // What was read before the network went again is as old as before.
      return state.lost ? state : { ...state, isStale: false };
    case "told":
      return phaseOf(state) === "caught_up" ? { ...state, wasLost: false } : state;
    case "stream_lost":
      return state.behind.has(event.stream)
        ? state
        : { ...state, behind: new Set([...state.behind, event.stream]) };
    case "stream_caught_up":
    case "stream_closed": {
      if (!state.behind.has(event.stream)) return state;
      const behind = new Set(state.behind);
      behind.delete(event.stream);
      return { ...state, behind };
    }
  }
}

export type Phase = "connected" | "offline" | "catching_up" | "caught_up";

export function phaseOf({ lost, wasLost, isStale, behind }: ConnectionState): Phase {
  if (lost) return "offline";
  if (!wasLost) return "connected";
  return isStale || behind.size > 0 ? "catching_up" : "caught_up";
}

const PROBE_MS = 2_000;
const PROBE_WAIT_MS = 10_000;

/** The connection of this tab. */
class Connection {
  state = CONNECTED;
  private readonly listeners = new Set<() => void>();
  private isChecking = false;

  readonly read = () => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  send(event: ConnectionEvent): void {
    const next = reduceConnection(this.state, event);
    if (next === this.state) return;
    this.state = next;
    this.listeners.forEach((listener) => listener());
  }

  /** Follows the browser's own word for as long as the page is open. */
  watch(): void {
    window.addEventListener("offline", () => this.send({ type: "lost", why: "network" }));
    window.addEventListener("online", () => this.check());
    if (!navigator.onLine) this.send({ type: "lost", why: "network" });
  }

  /** A request found nobody: asks again until there is an answer. */
  check(): void {
    if (this.isChecking) return;
    this.isChecking = true;
    void this.probe().finally(() => (this.isChecking = false));
  }

  private async probe(): Promise<void> {
    while (!(await isAnswered())) {
      this.send({ type: "lost", why: navigator.onLine ? "server" : "network" });
      await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
    }
    this.send({ type: "back" });
  }
}

async function isAnswered(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_WAIT_MS);
    return (await fetch("/healthz", { cache: "no-store", signal })).ok;
  } catch {
    return false;
  }
}

export const connection = new Connection();
