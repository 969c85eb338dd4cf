import { useSyncExternalStore } from "react";

/** How the dock stands in this browser; the conversation is that of this tab, through reloads. */
interface DockState {
  isOpen: boolean;
  width: number;
  /** The conversation that stays through navigation; without one the dock follows the page. */
  pinned: string | null;
  /** A new conversation was asked for, in place of the record's last one. */
  isNew: boolean;
}

export const NARROWEST = 320;
export const WIDEST = 720;
const KEY = "whence.chat.dock";
const listeners = new Set<() => void>();
const SHOWN = "whence.chat.shown";
let state: DockState = { ...read(), pinned: sessionStorage.getItem(SHOWN), isNew: false };

function read(): Pick<DockState, "isOpen" | "width"> {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<DockState>;
    return { isOpen: stored.isOpen === true, width: clamped(stored.width ?? 400) };
  } catch {
    return { isOpen: false, width: 400 };
  }
}

function clamped(width: number): number {
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
}

export function setDock(change: Partial<DockState>): void {
  state = { ...state, ...change };
  state.width = clamped(state.width);
  localStorage.setItem(KEY, JSON.stringify({ isOpen: state.isOpen, width: state.width }));
  if (state.pinned) sessionStorage.setItem(SHOWN, state.pinned);
  else sessionStorage.removeItem(SHOWN);
  listeners.forEach((listener) => listener());
}

export function useDock(): DockState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
