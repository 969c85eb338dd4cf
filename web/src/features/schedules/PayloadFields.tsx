import { usePacks } from "@/shared/api";
import { inWords } from "@/shared/format";
import { choiceInWords } from "@/shared/schema/Value";
import { Field, Select } from "@/shared/ui";
import type { Member } from "./payload";

/** What the job is started with, a control a member. */
export function PayloadFields({
  members,
  draft,
  errors,
  onChange,
}: {
  members: readonly Member[];
  draft: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, string>>;
  onChange: (draft: Record<string, string>) => void;
}) {
  return members.map((member) => (
    <Control
      key={member.name}
      member={member}
      value={draft[member.name] ?? ""}
      error={errors[`payload.${member.name}`]}
      onChange={(value) => onChange({ ...draft, [member.name]: value })}
    />
  ));
}

interface ControlProps {
  member: Member;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

const EMPTY = { value: "", label: "Not stated" };

function Control({ member, value, error, onChange }: ControlProps) {
  const packs = usePacks().data ?? [];
  const common = {
    label: inWords(member.label),
    help: member.help,
    error,
    isRequired: member.isRequired,
    value,
    onChange,
  };
  const optional = member.isRequired ? [] : [EMPTY];
  // A payload names a kind of record by its plural; there is a list of those.
  if (member.name === "kind" && member.control === "text")
    return (
      <Select
        {...common}
        options={[
          ...optional,
          ...packs.flatMap((pack) =>
            pack.kinds.map(({ kind }) => ({ value: kind, label: inWords(kind) })),
          ),
        ]}
      />
    );
  switch (member.control) {
    case "boolean":
      return (
        <Select
          {...common}
          options={[...optional, { value: "true", label: "Yes" }, { value: "false", label: "No" }]}
        />
      );
    case "choice":
      return (
        <Select
          {...common}
          options={[
            ...optional,
            ...member.choices.map((each) => ({ value: each, label: choiceInWords(each) })),
          ]}
        />
      );
    case "number":
      return <Field {...common} inputMode="decimal" />;
    case "list":
      return <Field {...common} rows={3} help={member.help ?? "One a line."} />;
    case "json":
      return <Field {...common} rows={3} help={member.help ?? "One a line, as name=value."} />;
    default:
      return <Field {...common} />;
  }
}
