import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { usePacks } from "@/shared/api";
import { classes, Icon, Skeleton } from "@/shared/ui";
import { useSections } from "./sections";

/** The settings: a list of pages beside the chosen one; where it is narrow, the list comes first. */
export function SettingsFrame() {
  const isIndex = useLocation({ select: ({ pathname }) => /^\/settings\/?$/.test(pathname) });
  return (
    <div className="grid gap-x-8 md:grid-cols-[168px_minmax(0,1fr)]">
      <div className="max-md:hidden">
        <SideList />
      </div>
      <div className="min-w-0 max-w-[960px]">
        {!isIndex && (
          <Link
            to="/settings"
            className="-ml-1 mb-2 inline-flex touch-44 items-center gap-1 text-muted hover:text-text md:hidden"
          >
            <Icon name="left" /> Settings
          </Link>
        )}
        <Outlet />
      </div>
    </div>
  );
}

function SideList() {
  const packs = usePacks();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const groups = useSections(packs.data ?? []);
  const isIndex = /^\/settings\/?$/.test(path);
  return (
    <nav aria-label="Settings" className="sticky top-0 flex flex-col gap-4">
      {!packs.data && <Skeleton className="h-5" />}
      {groups.map((group) => (
        <div key={group.title}>
          <h2 className="px-2 pb-1 text-small font-medium text-muted">{group.title}</h2>
          <ul className="flex flex-col gap-px">
            {group.entries.map(({ to, title }) => {
              const isCurrent = path === to || (isIndex && to === "/settings/organization");
              return (
                <li key={to}>
                  <Link
                    to={to}
                    aria-current={isCurrent ? "page" : undefined}
                    className={classes(
                      "flex min-h-8 touch-44 items-center rounded-ui px-2 hover:bg-hover hover:text-text",
                      isCurrent ? "bg-hover font-medium text-text" : "text-muted",
                    )}
                  >
                    {title}
                  </Link>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </nav>
  );
}
