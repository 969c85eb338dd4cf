import { type FormEvent, useState } from "react";
import { ApiError, type Scope, useMe } from "@/shared/api";
import { useCreateToken } from "@/shared/api/tokens";
import { Button, Checkbox, describeError, Dialog, Field, Notice, Select } from "@/shared/ui";
import { OnceSecretDialog } from "./OnceSecret";
import { SCOPES } from "./words";

const LIFETIMES = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
  { value: "", label: "Until it is revoked" },
];

/** Creates a token with scopes and an end; its text is shown once. */
export function NewTokenButton() {
  const [isOpen, open] = useState(false);
  return (
    <>
      <Button look="primary" icon="plus" onPress={() => open(true)}>
        New token
      </Button>
      {isOpen && <NewTokenDialog onClose={() => open(false)} />}
    </>
  );
}

function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const mine = useMe().data?.scopes ?? [];
  const create = useCreateToken();
  const [name, setName] = useState("");
  const [days, setDays] = useState("90");
  const [scopes, setScopes] = useState<readonly Scope[]>(["read"]);
  const [isTouched, touch] = useState(false);
  const fields = create.error instanceof ApiError ? create.error.fields : {};
  const offered = SCOPES.filter(({ value }) => mine.includes(value));
  function submit(event: FormEvent) {
    event.preventDefault();
    touch(true);
    if (!name.trim() || !scopes.length) return;
    create.mutate({
      name: name.trim(),
      scopes: [...scopes],
      lifetimeDays: days ? Number(days) : null,
    });
  }
  if (create.data)
    return (
      <OnceSecretDialog
        title="Copy the token now"
        label="Token"
        secret={create.data.token}
        help="It is shown only now. Keep it like a password, and send it as Authorization: Bearer."
        onClose={onClose}
      />
    );
  return (
    <Dialog isOpen onClose={onClose} title="New token">
      <form onSubmit={submit} className="flex flex-col gap-4">
        {create.error && !fields["name"] && (
          <Notice tone="negative">{describeError(create.error).detail}</Notice>
        )}
        <Field
          label="Name"
          help="What uses it, such as “nightly import”."
          autoFocus
          value={name}
          onChange={setName}
          error={fields["name"] ?? (isTouched && !name.trim() ? "Give it a name." : undefined)}
        />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-medium">It may</legend>
          {offered.map(({ value, label, about }) => (
            <Checkbox
              key={value}
              isSelected={scopes.includes(value)}
              onChange={(isOn) =>
                setScopes((old) => [
                  ...old.filter((each) => each !== value),
                  ...(isOn ? [value] : []),
                ])
              }
            >
              <span>
                {label} <span className="text-muted">{about}</span>
              </span>
            </Checkbox>
          ))}
          {isTouched && !scopes.length && (
            <span className="text-small text-negative">Choose at least one.</span>
          )}
        </fieldset>
        <Select label="Valid for" options={LIFETIMES} value={days} onChange={setDays} />
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={create.isPending}>
            Create the token
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
