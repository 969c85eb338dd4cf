import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { classes, IconButton } from "@/shared/ui";

const LONGEST = 20_000;

/** Where a message is written: Enter sends it, Shift+Enter begins a line. */
export function Composer({
  draft,
  onDraft,
  onSend,
  onStop,
  isAnswering,
  placeholder,
  focusOn,
  start,
}: {
  draft: string;
  onDraft: (text: string) => void;
  onSend: (content: string) => void;
  onStop?: () => void;
  isAnswering: boolean;
  placeholder: string;
  /** Takes the focus whenever this changes. */
  focusOn?: unknown;
  /** Before the text. */
  start?: ReactNode;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (focusOn) field.current?.focus();
  }, [focusOn]);
  useEffect(() => {
    const node = field.current;
    if (!node) return;
    node.style.height = "auto";
    node.style.height = `${Math.min(node.scrollHeight, 200)}px`;
  }, [draft]);
  const canSend = draft.trim() !== "" && !isAnswering && draft.length <= LONGEST;

  function submit() {
    if (!canSend) return;
    onSend(draft.trim());
    onDraft("");
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  }
  return (
    <div
      className={classes(
        "flex items-end gap-1 rounded-ui border border-line-strong bg-raised p-1",
        "focus-within:border-accent focus-within:outline-1 focus-within:outline-accent",
      )}
    >
      {start}
      <textarea
        ref={field}
        rows={1}
        value={draft}
        aria-label="Message"
        placeholder={placeholder}
        onChange={(event) => onDraft(event.target.value)}
        onKeyDown={onKeyDown}
        className="max-h-50 min-h-8 min-w-0 grow resize-none bg-transparent px-2 py-1.5 outline-none placeholder:text-muted"
      />
      {draft.length > LONGEST && (
        <span role="alert" className="self-center text-small text-negative">
          {draft.length - LONGEST} too many
        </span>
      )}
      {isAnswering && onStop ? (
        <IconButton icon="stop" label="Stop the answer" onPress={onStop} />
      ) : (
        <IconButton
          icon="up"
          label="Send"
          hint="Enter"
          isDisabled={!canSend}
          onPress={submit}
          className={
            canSend ? "bg-accent text-on-accent! data-hovered:bg-accent-strong!" : undefined
          }
        />
      )}
    </div>
  );
}
