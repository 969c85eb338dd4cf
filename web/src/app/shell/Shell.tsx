import { Outlet, useLocation, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { isSignedOut, useMe } from "@/shared/api";
import { useFeatures } from "@/shared/feature/feature";
import { usePreferences } from "@/shared/format";
import { useShortcut, useShortcutKeys } from "@/shared/shortcuts/shortcuts";
import { classes, ErrorState, Skeleton } from "@/shared/ui";
import { Toasts } from "@/shared/ui/toast";
import { Navigation } from "./Navigation";
import { OfflineBanner } from "./OfflineBanner";
import { Palette } from "./Palette";
import { ShortcutSheet } from "./ShortcutSheet";
import { SideSheet } from "./SideSheet";
import { TopBar } from "./TopBar";

/** The frame of every page: navigation, trail and search, the page, the side sheet, the dock. */
export function Shell() {
  const me = useMe();
  const router = useRouter();
  const signedOut = isSignedOut(me.error);
  useEffect(() => {
    // Read here: on the way to the sign-in page the address changes while this is still shown.
    const next = router.state.location.href;
    if (signedOut) void router.navigate({ to: "/sign-in", search: { next }, replace: true });
  }, [signedOut, router]);

  if (me.data) return <Frame />;
  if (me.error && !signedOut)
    return <ErrorState error={me.error} retry={() => void me.refetch()} />;
  return <FrameSkeleton />;
}

function Frame() {
  const { isNavCollapsed } = usePreferences();
  const [navOpenAt, openNavAt] = useState<string>();
  const [isPaletteOpen, openPalette] = useState(false);
  const [isHelpOpen, openHelp] = useState(false);
  const path = useLocation({ select: (location) => location.pathname });
  useShortcutKeys();
  useShortcut({ keys: "Mod+k", label: "Search and commands", group: "Everywhere" }, () =>
    openPalette(true),
  );
  useShortcut({ keys: "/", label: "Search and commands", group: "Everywhere" }, () =>
    openPalette(true),
  );
  useShortcut({ keys: "?", label: "This list", group: "Everywhere" }, () => openHelp(true));
  const docks = useFeatures().flatMap((feature) => (feature.Dock ? [feature] : []));

  return (
    <div
      className={classes(
        "grid h-full grid-cols-1 print:block",
        isNavCollapsed ? "md:grid-cols-[56px_1fr]" : "md:grid-cols-[216px_1fr]",
      )}
    >
      <a
        href="#page"
        onClick={(event) => {
          // The router would take the address for a new place, and move the focus away.
          event.preventDefault();
          document.getElementById("page")?.focus();
        }}
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-ui bg-raised px-3 py-2 opacity-0 shadow-over focus:translate-y-0 focus:opacity-100"
      >
        Skip to the page
      </a>
      <Navigation isOpen={navOpenAt === path} onClose={() => openNavAt(undefined)} />
      <div className="flex min-h-0 min-w-0 flex-col">
        <TopBar
          onMenu={() => openNavAt(path)}
          onSearch={() => openPalette(true)}
          onHelp={() => openHelp(true)}
        />
        <OfflineBanner />
        <div className="flex min-h-0 grow">
          <main
            id="page"
            tabIndex={-1}
            className="min-w-0 grow overflow-auto p-4 outline-none md:p-6"
          >
            <Outlet />
          </main>
          <SideSheet />
          {docks.map(({ id, Dock }) => Dock && <Dock key={id} />)}
        </div>
      </div>
      <Palette isOpen={isPaletteOpen} onClose={() => openPalette(false)} />
      <ShortcutSheet isOpen={isHelpOpen} onClose={() => openHelp(false)} />
      <Toasts />
    </div>
  );
}

function FrameSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="grid h-full md:grid-cols-[216px_1fr]">
      <div className="hidden border-r border-line bg-sunken md:block" />
      <div className="p-6">
        <Skeleton className="h-7 w-64" />
      </div>
    </div>
  );
}
