import { Link, useLocation, useMatches, useNavigate } from "@tanstack/react-router";
import { Button as AriaButton, MenuTrigger, SubmenuTrigger } from "react-aria-components";
import {
  useKind,
  useMe,
  usePacks,
  useRecord,
  useSignOut,
  useSwitchOrganization,
} from "@/shared/api";
import { useFeatures } from "@/shared/feature/feature";
import { inWords, setPreference, type Theme, usePreferences } from "@/shared/format";
import { titleOf } from "@/shared/format/record";
import { packUi } from "@/shared/packs/registry";
import { Icon, IconButton, Kbd, Menu, MenuItem, MenuSection, toastError } from "@/shared/ui";
import { usePageTitle } from "@/shared/ui/Page";

/** Top: the trail, the search, running work, person and organization. */
export function TopBar(props: { onMenu: () => void; onSearch: () => void; onHelp: () => void }) {
  const bars = useFeatures().flatMap((feature) => (feature.TopBar ? [feature] : []));
  return (
    <header className="no-print flex h-12 shrink-0 items-center gap-2 border-b border-line bg-surface px-2 md:px-4">
      <span className="md:hidden">
        <IconButton icon="menu" label="Navigation" onPress={props.onMenu} />
      </span>
      <Trail />
      <AriaButton
        onPress={props.onSearch}
        className="flex h-8 touch-44 items-center gap-2 rounded-ui border border-line bg-raised px-2 text-muted data-hovered:bg-hover sm:w-56"
      >
        <Icon name="search" />
        <span className="grow text-left max-sm:sr-only">Search</span>
        <span className="max-sm:hidden">
          <Kbd>Ctrl K</Kbd>
        </span>
      </AriaButton>
      {bars.map(({ id, TopBar: Bar }) => Bar && <Bar key={id} />)}
      <PersonMenu onHelp={props.onHelp} />
    </header>
  );
}

/** Where this page is: pack, kind, record. */
function Trail() {
  const last = useMatches().at(-1);
  const params = (last?.params ?? {}) as {
    kind?: string;
    id?: string;
    pack?: string;
    page?: string;
  };
  const about = useKind(params.kind ?? "");
  const packs = usePacks();
  const named = packs.data?.find((pack) => pack.id === params.pack);
  const pack = about?.pack ?? named;
  const isSettings = useLocation({ select: ({ pathname }) => pathname.startsWith("/settings/") });
  const page = params.page && titleOfPage(params.pack ?? "", params.page);
  return (
    <nav aria-label="Trail" className="flex min-w-0 grow items-center gap-1.5 text-muted">
      {(isSettings || (!pack && !params.kind)) && <FeatureTrail />}
      {pack && !isSettings && pack.title !== inWords(params.kind ?? "") && (
        <>
          <span className="truncate max-sm:hidden">{pack.title}</span>
          <Slash className="max-sm:hidden" />
        </>
      )}
      {params.kind && (
        <>
          <Link
            to="/records/$kind"
            params={{ kind: params.kind }}
            className="shrink-0 hover:text-text hover:underline"
          >
            {inWords(params.kind)}
          </Link>
        </>
      )}
      {params.kind && params.id && <RecordCrumb kind={params.kind} id={params.id} />}
      {page && !isSettings && (
        <>
          <span className="truncate">{page}</span>
        </>
      )}
    </nav>
  );
}

/** A page of a feature: its entry of the navigation, and what is shown of it. */
function FeatureTrail() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const title = usePageTitle();
  const entry = useFeatures()
    .flatMap((feature) => feature.nav ?? [])
    .find(({ to }) => path === to || path.startsWith(`${to}/`));
  if (!entry) return null;
  if (path === entry.to)
    return (
      <span className="truncate text-text" aria-current="page">
        {entry.label}
      </span>
    );
  return (
    <>
      <Link to={entry.to} className="hover:text-text hover:underline">
        {entry.label}
      </Link>
      {title && title !== entry.label && (
        <>
          <Slash />
          <span className="truncate text-text" aria-current="page">
            {title}
          </span>
        </>
      )}
    </>
  );
}

function titleOfPage(pack: string, page: string): string | undefined {
  const { pages, settings } = packUi(pack);
  return (pages?.[page] ?? settings?.[page])?.title;
}

function RecordCrumb({ kind, id }: { kind: string; id: string }) {
  const about = useKind(kind);
  const record = useRecord(kind, id);
  return (
    <>
      <Slash />
      <span className="truncate text-text" aria-current="page">
        {about && record.data ? titleOf(about.kind, record.data) : "…"}
      </span>
    </>
  );
}

const Slash = ({ className }: { className?: string }) => (
  <span aria-hidden="true" className={className}>
    /
  </span>
);

const THEMES: [Theme, string][] = [
  ["system", "As this device"],
  ["light", "Light"],
  ["dark", "Dark"],
];
const LOCALES: [string, string][] = [
  ["", "As the organization"],
  ["en-GB", "23 November 2026 (UK)"],
  ["en-US", "November 23, 2026 (US)"],
];

function PersonMenu({ onHelp }: { onHelp: () => void }) {
  const me = useMe().data;
  const { theme, locale } = usePreferences();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const switchTo = useSwitchOrganization();
  if (!me) return null;
  const initial = (me.name || me.email).charAt(0).toUpperCase();
  return (
    <MenuTrigger>
      <AriaButton className="flex h-8 touch-44 items-center gap-2 rounded-ui px-1 data-hovered:bg-hover">
        <span
          aria-hidden="true"
          className="flex size-6 items-center justify-center rounded-full bg-accent-soft text-small font-semibold text-accent"
        >
          {initial}
        </span>
        <span className="sr-only">{me.name} of </span>
        <span className="max-w-40 truncate max-lg:sr-only">{me.organization}</span>
        <Icon name="down" className="text-muted max-lg:hidden" />
      </AriaButton>
      <Menu label="Person and organization">
        <MenuSection title={`${me.name} · ${me.role}`}>
          {me.organizations.map((each) => (
            <MenuItem
              key={each.id}
              id={`organization-${each.id}`}
              textValue={each.name}
              isCurrent={each.id === me.organizationId}
              onAction={() =>
                each.id !== me.organizationId && switchTo.mutate(each.id, { onError: toastError })
              }
            >
              {each.name}
            </MenuItem>
          ))}
        </MenuSection>
        <MenuSection title="This browser">
          <SubmenuTrigger>
            <MenuItem icon={theme === "dark" ? "moon" : "sun"} textValue="Theme">
              Theme
            </MenuItem>
            <Menu label="Theme">
              {THEMES.map(([value, label]) => (
                <MenuItem
                  key={value}
                  textValue={label}
                  isCurrent={theme === value}
                  onAction={() => setPreference("theme", value)}
                >
                  {label}
                </MenuItem>
              ))}
            </Menu>
          </SubmenuTrigger>
          <SubmenuTrigger>
            <MenuItem icon="calendar" textValue="Dates and money">
              Dates and money
            </MenuItem>
            <Menu label="Dates and money">
              {LOCALES.map(([value, label]) => (
                <MenuItem
                  key={value}
                  textValue={label}
                  isCurrent={locale === value}
                  onAction={() => setPreference("locale", value)}
                >
                  {label}
                </MenuItem>
              ))}
            </Menu>
          </SubmenuTrigger>
          <MenuItem icon="keyboard" onAction={onHelp} textValue="Shortcuts">
            Shortcuts
          </MenuItem>
        </MenuSection>
        <MenuSection title="Session">
          <MenuItem
            icon="person"
            onAction={() => void navigate({ to: "/account" })}
            textValue="Your account"
          >
            Your account
          </MenuItem>
          <MenuItem
            icon="out"
            onAction={() => signOut.mutate(undefined, { onError: toastError })}
            textValue="Sign out"
          >
            Sign out
          </MenuItem>
        </MenuSection>
      </Menu>
    </MenuTrigger>
  );
}
