/**
 * Tells of what happened while nobody looked at this tab: a dot in its title and on its icon, until
 * it is looked at.
 */
const DOT = "● ";
const ICON = "/favicon.svg";
const ICON_WITH_DOT = "/favicon-new.svg";
let isCalling = false;

/** Something ended, or waits for a person; nothing happens while the tab is looked at. */
export function callAttention(): void {
  if (!document.hidden || isCalling) return;
  isCalling = true;
  show();
}

/** Looks after the title, which pages change, and stops once the tab is looked at. */
export function startAttention(): void {
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || !isCalling) return;
    isCalling = false;
    document.title = document.title.replace(DOT, "");
    setIcon(ICON);
  });
  const title = document.querySelector("title");
  if (title) new MutationObserver(show).observe(title, { childList: true });
}

function show(): void {
  if (!isCalling) return;
  if (!document.title.startsWith(DOT)) document.title = DOT + document.title;
  setIcon(ICON_WITH_DOT);
}

function setIcon(href: string): void {
  document.querySelector<HTMLLinkElement>("link[rel=icon]")?.setAttribute("href", href);
}
