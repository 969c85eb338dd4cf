import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

interface Preferences {
  theme: Theme;
  /** How dates and money are written; as the organization or the browser does by default. */
  locale: string;
  isNavCollapsed: boolean;
}

const KEY = "whence.preferences";
const DEFAULTS: Preferences = { theme: "system", locale: "", isNavCollapsed: false };
const listeners = new Set<() => void>();
let current: Preferences = DEFAULTS;
let ofOrganization = "";

/** Reads what this browser remembers, and applies the theme before the first paint. */
export function startPreferences(): void {
  try {
    current = { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as object) };
  } catch {
    current = DEFAULTS;
  }
  applyTheme();
}

export function setPreference<K extends keyof Preferences>(name: K, value: Preferences[K]): void {
  current = { ...current, [name]: value };
  localStorage.setItem(KEY, JSON.stringify(current));
  applyTheme();
  listeners.forEach((listener) => listener());
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** How the organization writes dates and money, where this browser has no choice of its own. */
export function setOrganizationLocale(value: string): void {
  ofOrganization = value;
}

export function locale(): string {
  if (current.locale || ofOrganization) return current.locale || ofOrganization;
  return typeof navigator === "undefined" ? "en-GB" : navigator.language;
}

function applyTheme(): void {
  if (current.theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = current.theme;
}
