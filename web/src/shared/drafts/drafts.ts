import { useSyncExternalStore } from "react";

/**
 * What somebody typed and did not send yet: it survives navigation, a reload and a session that
 * ended meanwhile, in this tab alone.  It is kept for each person apart, and forgotten when one
 * signs out.
 */
const PREFIX = "whence.draft.";
const listeners = new Set<() => void>();
const parsed = new Map<string, { raw: string; value: unknown }>();

const nameOf = (person: string, key: string) => `${PREFIX}${person}.${key}`;

export function readDraft<T>(person: string, key: string): T | undefined {
  const name = nameOf(person, key);
  const raw = sessionStorage.getItem(name);
  if (raw === null) return undefined;
  const known = parsed.get(name);
  if (known?.raw === raw) return known.value as T;
  try {
    const value = JSON.parse(raw) as T;
    parsed.set(name, { raw, value });
    return value;
  } catch {
    return undefined;
  }
}

/** Keeps a draft; without a value it is forgotten. */
export function writeDraft(person: string, key: string, value: unknown): void {
  const name = nameOf(person, key);
  if (value === undefined || value === "") sessionStorage.removeItem(name);
  else
    try {
      sessionStorage.setItem(name, JSON.stringify(value));
    } catch {
      // A full storage must not keep anybody from typing.
      parsed.set(name, { raw: "", value });
    }
  listeners.forEach((listener) => listener());
}

/** Forgets every draft of this tab, such as at sign-out. */
export function forgetDrafts(): void {
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  parsed.clear();
  listeners.forEach((listener) => listener());
}

/** A draft and what changes it; `undefined` while nothing was typed. */
export function useStoredDraft<T>(
  person: string,
  key: string,
): [T | undefined, (value: T | undefined) => void] {
  const value = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => readDraft<T>(person, key),
  );
  return [value, (next) => writeDraft(person, key, next)];
}
