import { useState } from "react";
import { useMe } from "@/shared/api";
import { useStoredDraft } from "@/shared/drafts/drafts";
import type { Message } from "@/shared/events/chatEvents";
import { classes, Button, Field } from "@/shared/ui";
import type { Send } from "./usePanel";

/** What a person wrote, as written. */
export function PersonsMessage({ content, isWaiting }: { content: string; isWaiting?: boolean }) {
  return (
    <div className="flex justify-end pl-12">
      <Bubble content={content} isWaiting={isWaiting} />
    </div>
  );
}

function Bubble({ content, isWaiting }: { content: string; isWaiting?: boolean }) {
  return (
    <div
      className={classes(
        "min-w-0 rounded-ui bg-accent-soft px-3 py-2 whitespace-pre-wrap wrap-anywhere",
        isWaiting && "opacity-70",
      )}
    >
      <span className="sr-only">You: </span>
      <bdi>{content}</bdi>
    </div>
  );
}

/** A sent message, which its person may word anew: the conversation then goes on from it. */
export function OwnMessage({
  message,
  isBusy,
  onSend,
}: {
  message: Message;
  isBusy: boolean;
  onSend: Send;
}) {
  const [isEditing, edit] = useState(false);
  const mayEdit = !message.supersededBy && !("wizardInput" in message.meta);
  if (isEditing)
    return (
      <Editor
        message={message}
        isBusy={isBusy}
        onCancel={() => edit(false)}
        onSend={(content) => {
          edit(false);
          onSend(content, undefined, message.id);
        }}
      />
    );
  return (
    <div className="group/own flex flex-row-reverse items-center gap-1 pl-2">
      <Bubble content={message.content} />
      {mayEdit && (
        <button
          type="button"
          disabled={isBusy}
          onClick={() => edit(true)}
          className="min-h-6 shrink-0 touch-44 px-1 text-small text-muted opacity-0 group-focus-within/own:opacity-100 group-hover/own:opacity-100 hover:text-text hover:underline focus-visible:opacity-100 [@media(hover:none)]:opacity-100"
        >
          Edit
        </button>
      )}
    </div>
  );
}

function Editor({
  message,
  isBusy,
  onCancel,
  onSend,
}: {
  message: Message;
  isBusy: boolean;
  onCancel: () => void;
  onSend: (content: string) => void;
}) {
  const person = useMe().data?.userId ?? "";
  const [draft, keep] = useStoredDraft<string>(person, `chat.edit.${message.id}`);
  const text = draft ?? message.content;
  const stop = (then: () => void) => () => {
    keep(undefined);
    then();
  };
  return (
    <form
      className="ml-auto flex w-[85%] flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() && !isBusy) stop(() => onSend(text.trim()))();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        stop(onCancel)();
      }}
    >
      <Field label="Edit your message" rows={3} value={text} onChange={keep} autoFocus />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" look="primary" isDisabled={isBusy || !text.trim()}>
          Send
        </Button>
        <Button look="quiet" onPress={stop(onCancel)}>
          Cancel
        </Button>
        <span className="text-small text-muted">What followed stays as an earlier version.</span>
      </div>
    </form>
  );
}
