import { type FormEvent, useState } from "react";
import { ApiError, useMayWrite } from "@/shared/api";
import { useOrganization, useSaveOrganization } from "@/shared/api/organization";
import type { OrganizationProfile } from "@/shared/api/schema";
import { day, money, Time } from "@/shared/format";
import {
  Button,
  describeError,
  ErrorState,
  Field,
  Notice,
  Select,
  SkeletonLines,
  toast,
} from "@/shared/ui";
import { Card, PageHeader } from "@/shared/ui/Page";

/** What the organization says of itself, and how it writes dates and money. */
export function OrganizationPage() {
  const organization = useOrganization();
  const mayWrite = useMayWrite();
  const profile = organization.data;
  return (
    <div className="max-w-3xl">
      <PageHeader
        title="Profile"
        about="What the chat should know about your organization when it answers. All of it is optional."
      />
      {organization.error && !profile ? (
        <ErrorState error={organization.error} retry={() => void organization.refetch()} />
      ) : !profile ? (
        <SkeletonLines lines={10} />
      ) : mayWrite ? (
        <Form
          key={profile.version}
          profile={profile}
          onReload={() => void organization.refetch()}
        />
      ) : (
        <Facts profile={profile} />
      )}
    </div>
  );
}

const LISTS = [
  ["sectors", "What you deal with", "Such as cameras or a branch, one a line."],
  ["capabilities", "What you can do", "Such as repairs or shipping, one a line."],
  ["regions", "Where you work", "Countries or regions, one a line."],
] as const;
const TEXTS = [
  ["idealWork", "What you look for", "The work, goods or orders you want most, in your own words."],
  [
    "guidelines",
    "How to answer",
    "Tone and rules for answers, such as “short and polite”. It gives nobody more rights.",
  ],
] as const;
const LOCALES = [
  { value: "", label: "As each person's browser" },
  { value: "en-GB", label: "British: 23 Nov 2026, US$1,240.50" },
  { value: "en-US", label: "American: Nov 23, 2026, $1,240.50" },
];

function Form({ profile, onReload }: { profile: OrganizationProfile; onReload: () => void }) {
  const save = useSaveOrganization();
  const [draft, setDraft] = useState<Record<string, string>>(() => ({
    ...Object.fromEntries(LISTS.map(([name]) => [name, profile[name].join("\n")])),
    ...Object.fromEntries(TEXTS.map(([name]) => [name, profile[name]])),
    locale: profile.locale,
  }));
  const set = (name: string) => (value: string) => setDraft((old) => ({ ...old, [name]: value }));
  const fields = save.error instanceof ApiError ? save.error.fields : {};
  const isStale = save.error instanceof ApiError && save.error.problem.status === 409;
  const words = (name: string) =>
    (draft[name] ?? "")
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);

  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate(
      {
        version: profile.version,
        sectors: words("sectors"),
        capabilities: words("capabilities"),
        regions: words("regions"),
        idealWork: draft["idealWork"] ?? "",
        guidelines: draft["guidelines"] ?? "",
        locale: draft["locale"] as OrganizationProfile["locale"],
      },
      { onSuccess: () => toast("Profile saved") },
    );
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {isStale ? (
        <Notice tone="caution" action={<Button onPress={onReload}>Show the present one</Button>}>
          Somebody else changed the profile while you were editing. Nothing of yours was saved.
        </Notice>
      ) : (
        save.error && <Notice tone="negative">{describeError(save.error).detail}</Notice>
      )}
      <Card title={profile.name}>
        <div className="flex flex-col gap-4">
          <div className="grid gap-4 sm:grid-cols-3">
            {LISTS.map(([name, label, help]) => (
              <Field
                key={name}
                label={label}
                help={help}
                rows={4}
                value={draft[name] ?? ""}
                onChange={set(name)}
                error={fields[name]}
              />
            ))}
          </div>
          {TEXTS.map(([name, label, help]) => (
            <Field
              key={name}
              label={label}
              help={help}
              rows={4}
              value={draft[name] ?? ""}
              onChange={set(name)}
              error={fields[name]}
            />
          ))}
        </div>
      </Card>
      <Card title="Language and region">
        <div className="max-w-sm">
          <Select
            label="Dates and money"
            help="The words are English. Each person can choose otherwise for a browser, in the menu at the top right."
            options={LOCALES}
            value={draft["locale"] ?? ""}
            onChange={set("locale")}
          />
        </div>
      </Card>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" look="primary" isPending={save.isPending}>
          Save profile
        </Button>
        <Written profile={profile} />
      </div>
    </form>
  );
}

function Written({ profile }: { profile: OrganizationProfile }) {
  if (!profile.version) return <p className="text-table text-muted">Nobody has written it yet.</p>;
  return (
    <p className="text-table text-muted">
      Changed <Time at={profile.updatedAt} /> · version {profile.version}
    </p>
  );
}

/** The same to read, for somebody who may not change it. */
function Facts({ profile }: { profile: OrganizationProfile }) {
  const locale = LOCALES.find((each) => each.value === profile.locale)?.label;
  const lists = LISTS.map(([name, label]) => [label, profile[name].join(", ")] as const);
  const texts = TEXTS.map(([name, label]) => [label, profile[name]] as const);
  return (
    <Card title={profile.name}>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-2 max-sm:grid-cols-1">
        {[
          ...lists,
          ...texts,
          ["Dates and money", locale ?? `${day("2026-11-23")}, ${money(1)}`],
        ].map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="whitespace-pre-line wrap-anywhere">
              {value || <span className="text-muted">Not stated</span>}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
