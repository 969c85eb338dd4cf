import { Link } from "@tanstack/react-router";
import { usePacks } from "@/shared/api";
import { Icon } from "@/shared/ui";
import { OrganizationPage } from "./OrganizationPage";
import { useSections } from "./sections";

/** The first page of the settings; where it is narrow, the list of all. */
export function SettingsIndex() {
  const groups = useSections(usePacks().data ?? []);
  return (
    <>
      <div className="max-md:hidden">
        <OrganizationPage />
      </div>
      <nav aria-label="All settings" className="flex flex-col gap-5 md:hidden">
        <p role="heading" aria-level={1} className="text-title font-semibold">
          Settings
        </p>
        {groups.map((group) => (
          <section key={group.title}>
            <h2 className="pb-1.5 text-small font-medium text-muted">{group.title}</h2>
            <ul className="divide-y divide-line rounded-ui border border-line bg-raised">
              {group.entries.map(({ to, title, about }) => (
                <li key={to}>
                  <Link to={to} className="flex min-h-14 items-center gap-3 px-3 py-2">
                    <span className="min-w-0 grow">
                      <span className="block font-medium">{title}</span>
                      <span className="block text-table text-muted">{about}</span>
                    </span>
                    <Icon name="right" className="text-muted" />
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </>
  );
}
