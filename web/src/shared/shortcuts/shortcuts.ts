import { useEffect, useRef, useSyncExternalStore } from "react";

export interface Shortcut {
  /** Keys as `KeyboardEvent.key` names them: `j`, `?`, `Mod+k`, or two in a row: `g i`. */
  keys: string;
  label: string;
  group: string;
}

interface Registered extends Shortcut {
  run: (event: KeyboardEvent) => void;
}

const registered = new Set<Registered>();
const listeners = new Set<() => void>();
let listed: readonly Shortcut[] = [];
let before = "";
let timer: ReturnType<typeof setTimeout> | undefined;
const CHORD_MS = 900;

/** A key of this page, as long as it is shown; the sheet of shortcuts lists it. */
export function useShortcut(shortcut: Shortcut, run: (event: KeyboardEvent) => void, on = true) {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  const { keys, label, group } = shortcut;
  useEffect(() => {
    if (!on) return;
    const entry = { keys, label, group, run: (event: KeyboardEvent) => latest.current(event) };
    registered.add(entry);
    changed();
    return () => {
      registered.delete(entry);
      changed();
    };
  }, [keys, label, group, on]);
}

/** Every shortcut that works now. */
export function useShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => listed,
  );
}

/** Listens for the whole window; once, in the shell. */
export function useShortcutKeys(): void {
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

function changed(): void {
  listed = [...registered];
  listeners.forEach((listener) => listener());
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  const isModified = event.ctrlKey || event.metaKey;
  if (!isModified && (isTyping(event.target) || isDialogOpen() || isPressing(event))) return;
  const key = isModified ? `Mod+${event.key.toLowerCase()}` : event.key;
  const chord = before ? `${before} ${key}` : key;
  // The page that came last knows best.
  const match = [...registered].reverse().find((each) => each.keys === chord || each.keys === key);
  clearTimeout(timer);
  before = "";
  if (match) {
    event.preventDefault();
    match.run(event);
  } else if ([...registered].some((each) => each.keys.startsWith(`${key} `))) {
    before = key;
    timer = setTimeout(() => (before = ""), CHORD_MS);
  }
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
    !(target instanceof HTMLInputElement && target.type === "checkbox")
  );
}

/** Enter and the space bar press the link or button that has the focus. */
function isPressing({ key, target }: KeyboardEvent): boolean {
  return (
    (key === "Enter" || key === " ") &&
    target instanceof Element &&
    target.closest('a, button, summary, input, [role="button"], [role="tab"]') !== null
  );
}

const isDialogOpen = (): boolean =>
  document.querySelector('[role="dialog"],[role="menu"],[role="listbox"]') !== null;
