import { type ReactNode, useState } from "react";
import { type Conversation, earlierMessages } from "@/shared/api/chat";
import type { Message } from "@/shared/events/chatEvents";
import type { ConversationState } from "@/shared/events/conversation";
import { conversation as opened } from "@/shared/events/openConversation";
import { Button, describeError, Notice, toastError } from "@/shared/ui";
import { entriesOf } from "./branches";
import { MessageView } from "./MessageView";
import { PersonsMessage } from "./OwnMessage";
import { type Outgoing, type Send, useStickToEnd } from "./usePanel";

/** The messages of a conversation, with what is still on its way. */
export function Log({
  state,
  outgoing,
  onRetry,
  onDiscard,
  onRegenerate,
  onSend,
  children,
}: {
  state: ConversationState;
  outgoing: readonly Outgoing[];
  onRetry: (one: Outgoing) => void;
  onDiscard: (one: Outgoing) => void;
  onRegenerate?: () => void;
  onSend: Send;
  /** Shown in place of messages, where there are none. */
  children: ReactNode;
}) {
  const { session, messages, isWhole } = state;
  const stored = new Set(messages.map((message) => message.clientMessageId));
  const waiting = outgoing.filter((each) => !stored.has(each.clientMessageId));
  const { box, hasNew, onScroll, toEnd } = useStickToEnd(messages.at(-1) ?? waiting.length);
  const lastAnswer = messages.findLast((message) => message.role === "assistant");
  const isBusy = state.turnId !== null || waiting.some((one) => !one.error);
  const shown = (message: Message) =>
    session && (
      <MessageView
        key={message.id}
        message={message}
        messages={messages}
        isBusy={isBusy}
        conversation={session}
        onSend={onSend}
        onRegenerate={message.id === lastAnswer?.id && !state.turnId ? onRegenerate : undefined}
      />
    );
  return (
    <div className="relative flex min-h-0 grow flex-col">
      <div
        ref={box}
        onScroll={onScroll}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label="Messages"
        className="min-h-0 grow overflow-y-auto px-4 py-4 outline-offset-[-2px]"
      >
        {!messages.length && !waiting.length && children}
        <div className="mx-auto flex max-w-[76ch] flex-col gap-5">
          {session && !isWhole && <Earlier conversation={session} />}
          {entriesOf(messages).map((entry) =>
            "branch" in entry ? (
              <details key={entry.branch[0]!.id} className="text-table text-muted">
                <summary className="min-h-8 cursor-pointer">
                  An earlier version ({entry.branch.length} messages)
                </summary>
                <div className="mt-1 flex flex-col gap-4 border-l border-line pl-3 text-text">
                  {entry.branch.map((message) => shown(message))}
                </div>
              </details>
            ) : (
              shown(entry)
            ),
          )}
          {waiting.map((one) => (
            <div key={one.clientMessageId} className="flex flex-col gap-2">
              <PersonsMessage content={one.content} isWaiting={!one.error} />
              {Boolean(one.error) && (
                <Notice
                  tone="negative"
                  action={
                    <span className="flex gap-1">
                      <Button onPress={() => onRetry(one)}>Send again</Button>
                      <Button look="quiet" onPress={() => onDiscard(one)}>
                        Discard
                      </Button>
                    </span>
                  }
                >
                  Not sent. {describeError(one.error).detail}
                </Notice>
              )}
            </div>
          ))}
        </div>
      </div>
      {hasNew && (
        <Button
          icon="down"
          onPress={toEnd}
          className="absolute bottom-2 left-1/2 -translate-x-1/2 shadow-over"
        >
          More below
        </Button>
      )}
    </div>
  );
}

/** Reads the messages before those that are shown. */
function Earlier({ conversation }: { conversation: Conversation }) {
  const [cursor, setCursor] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  async function load() {
    setPending(true);
    try {
      const store = opened(conversation.id);
      const before = store.state.messages.length;
      let at = cursor;
      do {
        const page = await earlierMessages(conversation.id, at);
        at = page.nextCursor;
        store.dispatch({ type: "earlier", messages: page.items, isAll: at === null });
        // The first page may be the one that is shown already.
      } while (at !== null && store.state.messages.length === before);
      setCursor(at);
    } catch (error) {
      toastError(error);
    } finally {
      setPending(false);
    }
  }
  return (
    <Button look="quiet" isPending={isPending} onPress={() => void load()}>
      Earlier messages
    </Button>
  );
}
