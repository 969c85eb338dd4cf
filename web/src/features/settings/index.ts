import { useNavigate } from "@tanstack/react-router";
import { usePacks } from "@/shared/api";
import type { Feature } from "@/shared/feature/feature";
import { useSections } from "./sections";

/** The pages of the settings, by name in the palette. */
function useCommands() {
  const navigate = useNavigate();
  const sections = useSections(usePacks().data ?? []);
  return sections.flatMap(({ entries }) =>
    entries.map(({ to, title }) => ({
      id: `settings ${to}`,
      label: `Settings: ${title}`,
      icon: "settings" as const,
      run: () => void navigate({ to }),
    })),
  );
}

export const feature: Feature = {
  id: "settings",
  nav: [{ to: "/settings", label: "Settings", icon: "settings", place: "foot", key: "s" }],
  useCommands,
};
