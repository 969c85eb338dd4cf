import { Suspense, useEffect, useRef } from "react";
import { useFeatures } from "@/shared/feature/feature";
import { useSheet } from "@/shared/routing/sheet";
import { useShortcut } from "@/shared/shortcuts/shortcuts";
import { EmptyState, Icon, IconButton, SkeletonLines } from "@/shared/ui";

/** Right: everything secondary, beside the page, which stays usable. */
export function SideSheet() {
  const { stack, backTo, pop, close } = useSheet();
  const features = useFeatures();
  const views = Object.assign(
    {},
    ...features.map((feature) => feature.sheets ?? {}),
  ) as NonNullable<(typeof features)[number]["sheets"]>;
  const panel = useRef<HTMLElement>(null);
  const opener = useRef<Element | null>(null);
  const isOpen = stack.length > 0;
  const top = stack.at(-1);
  useShortcut({ keys: "Escape", label: "Close the side sheet", group: "Everywhere" }, pop, isOpen);
  useEffect(() => {
    if (!isOpen) return;
    opener.current = document.activeElement;
    panel.current?.focus();
    return () => {
      if (opener.current instanceof HTMLElement && opener.current.isConnected)
        opener.current.focus();
    };
  }, [isOpen]);

  if (!top) return null;
  const view = views[top.view];
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label="Details"
      className="no-print flex w-[440px] shrink-0 flex-col border-l border-line bg-raised outline-none max-xl:fixed max-xl:inset-y-0 max-xl:right-0 max-xl:z-20 max-xl:max-w-full max-xl:shadow-over"
    >
      <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line pr-2 pl-4">
        <nav aria-label="Trail of the side sheet" className="flex min-w-0 grow items-center gap-1">
          {stack.map((entry, index) => {
            const { title: titleOf, Title } = views[entry.view] ?? {};
            const name = titleOf?.(entry.args) ?? entry.view;
            const title = Title ? (
              <Suspense fallback={name}>
                <Title args={entry.args} />
              </Suspense>
            ) : (
              name
            );
            return index < stack.length - 1 ? (
              <span key={index} className="flex min-w-0 items-center gap-1 text-muted">
                <button
                  type="button"
                  onClick={() => backTo(index)}
                  className="truncate hover:text-text hover:underline"
                >
                  {title}
                </button>
                <Icon name="right" size={12} />
              </span>
            ) : (
              <h2 key={index} className="truncate font-semibold">
                {title}
              </h2>
            );
          })}
        </nav>
        {stack.length > 1 && <IconButton icon="left" label="Back" onPress={pop} />}
        <IconButton icon="close" label="Close" hint="Esc" onPress={close} />
      </header>
      <div className="min-h-0 grow overflow-auto p-4">
        {view ? (
          <Suspense fallback={<SkeletonLines lines={6} />}>
            <view.Content key={top.args.join("/")} args={top.args} />
          </Suspense>
        ) : (
          <EmptyState icon="search" title="There is nothing at this address">
            The address may come from a newer version, or from a pack that is not installed.
          </EmptyState>
        )}
      </div>
    </aside>
  );
}
