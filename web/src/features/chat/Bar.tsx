import { useState } from "react";
import { MenuTrigger } from "react-aria-components";
import {
  type Conversation,
  exportPath,
  useDeleteConversation,
  useRenameConversation,
} from "@/shared/api/chat";
import { conversation as opened } from "@/shared/events/openConversation";
import { Button, Dialog, Field, IconButton, Menu, MenuItem, toast, toastError } from "@/shared/ui";

/** What can be done with the conversation that is shown. */
export function Bar({
  conversation,
  isHistory,
  onHistory,
  onNew,
  onDeleted,
}: {
  conversation: Conversation | null;
  isHistory: boolean;
  onHistory: (isOpen: boolean) => void;
  onNew: () => void;
  onDeleted: () => void;
}) {
  const [asked, ask] = useState<"rename" | "delete">();
  return (
    <>
      <IconButton icon="plus" label="New conversation" onPress={onNew} />
      <IconButton
        icon="history"
        label={isHistory ? "Back to the conversation" : "Earlier conversations"}
        onPress={() => onHistory(!isHistory)}
        className={isHistory ? "bg-hover text-text" : undefined}
      />
      {conversation && (
        <MenuTrigger>
          <IconButton icon="more" label="More about this conversation" />
          <Menu label="Conversation">
            <MenuItem icon="edit" textValue="Rename" onAction={() => ask("rename")}>
              Rename…
            </MenuItem>
            <MenuItem
              icon="page"
              textValue="Export as Markdown"
              href={exportPath(conversation.id, "md")}
              download
            >
              Export as Markdown
            </MenuItem>
            <MenuItem
              icon="table"
              textValue="Export as JSON"
              href={exportPath(conversation.id, "json")}
              download
            >
              Export as JSON
            </MenuItem>
            <MenuItem
              icon="close"
              textValue="Delete"
              className="text-negative"
              onAction={() => ask("delete")}
            >
              Delete…
            </MenuItem>
          </Menu>
        </MenuTrigger>
      )}
      {conversation && asked === "rename" && (
        <RenameDialog conversation={conversation} onClose={() => ask(undefined)} />
      )}
      {conversation && asked === "delete" && (
        <DeleteDialog
          conversation={conversation}
          onClose={() => ask(undefined)}
          onDeleted={onDeleted}
        />
      )}
    </>
  );
}

function RenameDialog({
  conversation,
  onClose,
}: {
  conversation: Conversation;
  onClose: () => void;
}) {
  const [title, setTitle] = useState(conversation.title);
  const rename = useRenameConversation();
  return (
    <Dialog title="Rename this conversation" isOpen onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate(
            { id: conversation.id, title: title.trim() },
            {
              onSuccess: () => {
                opened(conversation.id).dispatch({ type: "renamed", title: title.trim() });
                onClose();
              },
              onError: toastError,
            },
          );
        }}
      >
        <Field label="Title" value={title} onChange={setTitle} autoFocus isRequired />
        <div className="flex gap-2">
          <Button
            type="submit"
            look="primary"
            isPending={rename.isPending}
            isDisabled={!title.trim()}
          >
            Rename
          </Button>
          <Button look="quiet" onPress={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function DeleteDialog(props: {
  conversation: Conversation;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const remove = useDeleteConversation();
  return (
    <Dialog title="Delete this conversation?" isOpen onClose={props.onClose}>
      <p>All its messages go. Changes that were applied from it stay.</p>
      <div className="mt-4 flex gap-2">
        <Button
          look="danger"
          isPending={remove.isPending}
          onPress={() =>
            remove.mutate(props.conversation.id, {
              onSuccess: () => {
                toast("Conversation deleted");
                props.onClose();
                props.onDeleted();
              },
              onError: toastError,
            })
          }
        >
          Delete
        </Button>
        <Button look="quiet" onPress={props.onClose}>
          Keep it
        </Button>
      </div>
    </Dialog>
  );
}
