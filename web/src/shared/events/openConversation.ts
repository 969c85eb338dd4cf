import { useSyncExternalStore } from "react";
import type { ChatEvent } from "./chatEvents";
import {
  type ConversationState,
  hasHole,
  NEW_CONVERSATION,
  reduceConversation,
} from "./conversation";
import { type Connection, follow } from "./follow";

/** How long a tab that nobody sees keeps its connection: a browser has only six for a server. */
const HIDDEN_MS = 20_000;
/** How long a conversation stays connected after the last part of the page that showed it. */
const LEAVING_MS = 1_000;

type Listener = (event: ChatEvent) => void;

/** One conversation of this tab, shared by everything that shows it. */
export class OpenConversation {
  state = NEW_CONVERSATION;
  connection: Connection = "connecting";
  snapshot: Readonly<{ state: ConversationState; connection: Connection }> = {
    state: this.state,
    connection: this.connection,
  };
  private readonly listeners = new Set<() => void>();
  readonly watchers = new Set<Listener>();
  private stream: ReturnType<typeof follow> | undefined;
  private leaving: ReturnType<typeof setTimeout> | undefined;
  private hiding: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly id: string) {}

  /** Connects with the first listener; without any, the connection ends after a moment. */
  readonly subscribe = (listener: () => void): (() => void) => {
    clearTimeout(this.leaving);
    if (!this.stream) this.start();
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.leaving = setTimeout(() => this.stop(), LEAVING_MS);
    };
  };
  readonly read = () => this.snapshot;

  private start(): void {
    document.addEventListener("visibilitychange", this.onVisibility);
    this.connect();
  }

  private stop(): void {
    document.removeEventListener("visibilitychange", this.onVisibility);
    clearTimeout(this.hiding);
    this.stream?.stop();
    this.stream = undefined;
  }

  dispatch(event: ChatEvent): void {
    this.state = reduceConversation(this.state, event);
    this.changed();
    this.watchers.forEach((watcher) => watcher(event));
    if (hasHole(this.state) && this.state.lastSeq !== null) this.stream?.again();
  }

  private connect(): void {
    this.stream ??= follow({
      path: `/api/chat/sessions/${encodeURIComponent(this.id)}/events`,
      cursor: () => this.state.lastSeq,
      onEvent: ({ type, data }) =>
        this.dispatch({ ...(JSON.parse(data) as object), type } as ChatEvent),
      onConnection: (connection) => {
        this.connection = connection;
        this.changed();
      },
    });
  }

  private readonly onVisibility = (): void => {
    clearTimeout(this.hiding);
    if (!document.hidden) return this.connect();
    this.hiding = setTimeout(() => {
      this.stream?.stop();
      this.stream = undefined;
    }, HIDDEN_MS);
  };

  private changed(): void {
    this.snapshot = { state: this.state, connection: this.connection };
    this.listeners.forEach((listener) => listener());
  }
}

const open = new Map<string, OpenConversation>();

export function conversation(id: string): OpenConversation {
  let found = open.get(id);
  if (!found) open.set(id, (found = new OpenConversation(id)));
  return found;
}

/** A conversation as it goes on, from its event log, through every lost connection. */
export function useConversation(id: string) {
  const store = conversation(id);
  return useSyncExternalStore(store.subscribe, store.read);
}
