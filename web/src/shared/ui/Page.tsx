import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { classes } from "./classes";

/** The head of a page: its title, a line about it, and its actions on the right. */
export function PageHeader({
  title,
  picture,
  about,
  actions,
}: {
  title: string;
  picture?: ReactNode;
  about?: ReactNode;
  actions?: ReactNode;
}) {
  useTitle(title);
  return (
    <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 grow basis-80 items-start gap-3">
        {picture}
        <div className="min-w-0">
          <h1 className="text-title font-semibold tracking-[-0.01em] wrap-anywhere">{title}</h1>
          {about && <div className="mt-0.5 text-muted">{about}</div>}
        </div>
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}

const listeners = new Set<() => void>();
let current = "";

/** The title of the page, in the browser's tab and the trail; undefined leaves it as it is. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return;
    document.title = title ? `${title} · whence` : "whence";
    current = title;
    listeners.forEach((listener) => listener());
  }, [title]);
}

/** The title of the page that is shown. */
export function usePageTitle(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** A card: one subject with a heading. */
export function Card({
  title,
  actions,
  children,
  className,
}: {
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={classes("rounded-ui border border-line bg-raised", className)}>
      {(title || actions) && (
        <header className="flex min-h-11 items-center justify-between gap-3 border-b border-line py-1.5 pr-2 pl-4">
          <h2 className="font-semibold">{title}</h2>
          {actions}
        </header>
      )}
      <div className="p-4">{children}</div>
    </section>
  );
}
