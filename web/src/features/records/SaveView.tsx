import { type FormEvent, useState } from "react";
import type { Kind } from "@/shared/api";
import { type SavedView, useChangeView, useCreateView } from "@/shared/api/views";
import { Button, Checkbox, describeError, Dialog, Field } from "@/shared/ui";

const LONGEST = 60;

/** Asks for the name of a view; with a view, renames that one. */
export function SaveView({
  kind,
  view,
  parameters,
  onClose,
  onSaved,
}: {
  kind: Kind;
  view: SavedView | undefined;
  parameters: Record<string, string | string[]>;
  onClose: () => void;
  onSaved: (view: SavedView) => void;
}) {
  const [title, write] = useState(view?.title ?? "");
  const [isShared, share] = useState(view?.isShared ?? false);
  const create = useCreateView(kind.kind);
  const change = useChangeView(kind.kind);
  const saving = view ? change : create;
  function submit(event: FormEvent) {
    event.preventDefault();
    const options = {
      onSuccess: (saved: SavedView) => {
        onClose();
        if (!view) onSaved(saved);
      },
    };
    if (view) change.mutate({ id: view.id, title, isShared }, options);
    else create.mutate({ title, parameters, isShared }, options);
  }
  return (
    <Dialog title={view ? "Rename view" : "Save view"} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Name"
          value={title}
          onChange={(text) => write(text.slice(0, LONGEST))}
          error={saving.error ? describeError(saving.error).detail : undefined}
          help={view ? undefined : "Its filters, order and columns become a tab of this list."}
          autoFocus
        />
        <Checkbox isSelected={isShared} onChange={share}>
          Share with everybody in the organization
        </Checkbox>
        <div className="flex justify-end gap-2">
          <Button look="quiet" onPress={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            look="primary"
            isDisabled={!title.trim()}
            isPending={saving.isPending}
          >
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
