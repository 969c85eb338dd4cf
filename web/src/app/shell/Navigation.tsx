import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { usePacks } from "@/shared/api";
import { type NavEntry, useFeatures } from "@/shared/feature/feature";
import { inWords, setPreference, usePreferences } from "@/shared/format";
import { packUi } from "@/shared/packs/registry";
import { useShortcut } from "@/shared/shortcuts/shortcuts";
import { classes, Icon, IconButton, type IconName, Skeleton } from "@/shared/ui";

/** Left: the features' own entries and every pack with its kinds and pages. */
export function Navigation({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { isNavCollapsed } = usePreferences();
  const entries = useFeatures().flatMap((feature) => feature.nav ?? []);
  const at = (place: NavEntry["place"]) => entries.filter((entry) => entry.place === place);
  return (
    <>
      {isOpen && (
        <div
          aria-hidden="true"
          onClick={onClose}
          className="fixed inset-0 z-20 bg-veil md:hidden"
        />
      )}
      <nav
        aria-label="Main"
        className={classes(
          "no-print group/nav flex min-h-0 flex-col border-r border-line bg-sunken px-2 py-3 max-md:fixed max-md:inset-y-0 max-md:left-0 max-md:z-30 max-md:w-64",
          !isOpen && "max-md:hidden",
          isNavCollapsed && "md:[&_.nav-word]:sr-only",
        )}
      >
        <div className="mb-3 flex h-8 items-center justify-between gap-2 pl-2">
          <Link
            to="/"
            className="flex items-center gap-2 font-semibold"
            aria-label="whence: first page"
          >
            <img src="/favicon.svg" alt="" className="size-5" />
            <span className="nav-word">whence</span>
          </Link>
          <span className="md:hidden">
            <IconButton icon="close" label="Close the navigation" onPress={onClose} />
          </span>
        </div>
        <div className="flex min-h-0 grow flex-col gap-4 overflow-y-auto">
          <Group>
            {at("top").map((entry) => (
              <Entry key={entry.to} entry={entry} />
            ))}
          </Group>
          <Packs />
          <Group>
            {at("work").map((entry) => (
              <Entry key={entry.to} entry={entry} />
            ))}
          </Group>
        </div>
        <Group>
          {at("foot").map((entry) => (
            <Entry key={entry.to} entry={entry} />
          ))}
          <li className="max-md:hidden">
            <button
              type="button"
              onClick={() => setPreference("isNavCollapsed", !isNavCollapsed)}
              className={ROW}
              title={isNavCollapsed ? "Show the words" : undefined}
            >
              <Icon name="panel" />
              <span className="nav-word">{isNavCollapsed ? "Expand" : "Collapse"}</span>
            </button>
          </li>
        </Group>
      </nav>
    </>
  );
}

const ROW =
  "flex min-h-8 touch-44 w-full items-center gap-2.5 rounded-ui px-2 text-ui text-muted hover:bg-hover hover:text-text";
const CURRENT = { className: "bg-hover text-text font-medium" };

function Packs() {
  const packs = usePacks();
  if (!packs.data)
    return (
      <div className="flex flex-col gap-2 px-2">
        {[0, 1, 2, 3].map((line) => (
          <Skeleton key={line} className="h-5" />
        ))}
      </div>
    );
  const kinds = packs.data.flatMap((pack) => pack.kinds.map((kind) => kind.kind));
  return packs.data.map((pack) => (
    <Group key={pack.id} title={pack.title}>
      {pack.kinds.map(({ kind }) => (
        <KindEntry key={kind} kind={kind} place={kinds.indexOf(kind) + 1} />
      ))}
      {Object.entries(packUi(pack.id).pages ?? {}).map(([page, { title }]) => (
        <li key={page}>
          <Link
            to="/packs/$pack/$page"
            params={{ pack: pack.id, page }}
            className={ROW}
            activeProps={CURRENT}
            title={title}
          >
            <Icon name="page" />
            <span className="nav-word truncate">{title}</span>
          </Link>
        </li>
      ))}
    </Group>
  ));
}

/** The list of a kind; `g 1` to `g 9` lead to the first nine. */
function KindEntry({ kind, place }: { kind: string; place: number }) {
  const navigate = useNavigate();
  const title = inWords(kind);
  const to = { to: "/records/$kind", params: { kind } } as const;
  useShortcut(
    { keys: `g ${place}`, label: `Go to ${title}`, group: "Go to" },
    () => void navigate(to),
    place < 10,
  );
  return (
    <li>
      <Link {...to} className={ROW} activeProps={CURRENT} title={title}>
        <Icon name="table" />
        <span className="nav-word truncate">{title}</span>
      </Link>
    </li>
  );
}

function Group({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <div>
      {title && (
        <h2 className="nav-word truncate px-2 pb-1 text-small font-medium text-muted">{title}</h2>
      )}
      <ul className="flex flex-col gap-px">{children}</ul>
    </div>
  );
}

function Entry({ entry }: { entry: NavEntry }) {
  const navigate = useNavigate();
  const keys = entry.key ? `g ${entry.key}` : "";
  useShortcut(
    { keys, label: `Go to ${entry.label}`, group: "Go to" },
    () => void navigate({ to: entry.to }),
    Boolean(keys),
  );
  return (
    <li>
      <Link to={entry.to} className={ROW} activeProps={CURRENT} title={entry.label}>
        <Icon name={entry.icon as IconName} />
        <span className="nav-word grow truncate">{entry.label}</span>
        {entry.Count && <entry.Count />}
      </Link>
    </li>
  );
}
