import type { PackView } from "@/shared/api";
import { useIsOwner } from "@/shared/api";
import { packUi } from "@/shared/packs/registry";

/** A page of the settings. */
export interface Section {
  to: string;
  title: string;
  about: string;
  /** It is about people, money or secrets. */
  isForOwners?: boolean;
}

export interface SectionGroup {
  title: string;
  entries: Section[];
}

const PEOPLE: SectionGroup = {
  title: "Organization",
  entries: [
    {
      to: "/settings/organization",
      title: "Profile",
      about: "What the organization does, and how it writes dates and money",
    },
    {
      to: "/settings/members",
      title: "Members",
      about: "Roles, invitations, and where people are signed in",
      isForOwners: true,
    },
    {
      to: "/settings/tokens",
      title: "API tokens",
      about: "For programs that act in your name",
    },
  ],
};
const RESEARCH: Section[] = [
  {
    to: "/settings/models",
    title: "Models",
    about: "Which model does what, whether it answers, and what rules do without it",
    isForOwners: true,
  },
  {
    to: "/settings/sources",
    title: "Sources",
    about: "Outside systems that are asked, and whether they answer",
    isForOwners: true,
  },
  {
    to: "/settings/spending",
    title: "Spending",
    about: "What was spent by day, and what is left of each limit",
    isForOwners: true,
  },
];
const DATA: SectionGroup = {
  title: "Data",
  entries: [
    {
      to: "/settings/retention",
      title: "Retention",
      about: "What is kept for how long, and erasing a person's data",
      isForOwners: true,
    },
    {
      to: "/settings/audit",
      title: "Audit log",
      about: "Who changed what, when, from which value to which",
      isForOwners: true,
    },
  ],
};

/** The groups of pages that this person may open; packs add their own. */
export function useSections(packs: readonly PackView[]): SectionGroup[] {
  const isOwner = useIsOwner();
  const ofPacks = packs.flatMap((pack) =>
    Object.entries(packUi(pack.id).settings ?? {}).map(([page, { title, about }]) => ({
      to: `/settings/packs/${pack.id}/${page}`,
      title,
      about: about ?? pack.title,
    })),
  );
  return [PEOPLE, { title: "Research", entries: [...RESEARCH, ...ofPacks] }, DATA]
    .map(({ title, entries }) => ({
      title,
      entries: entries.filter((entry: Section) => isOwner || !entry.isForOwners),
    }))
    .filter(({ entries }) => entries.length > 0);
}
