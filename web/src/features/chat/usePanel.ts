import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Conversation, Subject, WizardInput } from "@/shared/api/chat";
import { useRegenerate, useSendMessage, useStopAnswer } from "@/shared/api/chat";
import { useMe } from "@/shared/api";
import { useStoredDraft } from "@/shared/drafts/drafts";
import { callAttention } from "@/shared/ui/attention";
import type { ChatEvent } from "@/shared/events/chatEvents";
import { conversation as opened } from "@/shared/events/openConversation";

/** A message that the server has not confirmed yet. */
export interface Outgoing {
  clientMessageId: string;
  content: string;
  wizardInput?: WizardInput;
  replaces?: string;
  error: unknown;
}

/** Sends a message, with input for a form where it has some. */
export type Send = (content: string, wizardInput?: WizardInput, replaces?: string) => void;

const subjectKey = (subject: Subject) =>
  "kind" in subject ? `${subject.kind}/${subject.id}` : subject.page;

/** What is written and not sent yet, by what it is about: it stays through navigation and reloads. */
export function useDraft(id: string | null, subject: Subject): [string, (text: string) => void] {
  const key = id ?? subjectKey(subject);
  const person = useMe().data?.userId ?? "";
  const [draft = "", keep] = useStoredDraft<string>(person, `chat.${key}`);
  return [draft, keep];
}

let sentAt = -Infinity;
const JUST_MS = 30_000;

/** Whether this tab sent a message a moment ago: then what comes is what its person waits for. */
export const wasJustSent = (): boolean => Date.now() - sentAt < JUST_MS;

/** Sends, stops and answers again; what is on its way is shown at once. */
export function useTalk(
  shown: Conversation | { id: string; kind: string | null; subjectId: string | null } | null,
  subject: Subject,
  onConversation: (id: string) => void,
) {
  const [outgoing, setOutgoing] = useState<readonly Outgoing[]>([]);
  const { mutate: post } = useSendMessage();
  const stop = useStopAnswer();
  const again = useRegenerate();

  function attempt(message: Omit<Outgoing, "error">) {
    const { clientMessageId } = message;
    sentAt = Date.now();
    setOutgoing((all) => [
      ...all.filter((each) => each.clientMessageId !== clientMessageId),
      { ...message, error: null },
    ]);
    post(
      { conversation: shown, subject, ...message },
      {
        onSuccess: onConversation,
        onError: (error) =>
          setOutgoing((all) =>
            all.map((each) =>
              each.clientMessageId === clientMessageId ? { ...each, error } : each,
            ),
          ),
      },
    );
  }

  const send: Send = (content, wizardInput, replaces) =>
    attempt({
      content,
      wizardInput,
      replaces,
      clientMessageId: crypto.randomUUID?.() ?? fallbackId(),
    });

  return {
    outgoing,
    send,
    retry: ({ error: _, ...message }: Outgoing) => attempt(message),
    discard: (one: Outgoing) =>
      setOutgoing((all) => all.filter((each) => each.clientMessageId !== one.clientMessageId)),
    stop,
    again,
  };
}

/** Without a secure context (a plain-http address) there is no `randomUUID`. */
function fallbackId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Keeps other pages right: a decision changes a record, a turn changes the list. */
export function useFollowUps(id: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    const store = opened(id);
    const watcher = (event: ChatEvent) => {
      if (event.type === "action_applied") {
        void queries.invalidateQueries({ queryKey: ["records"] });
        void queries.invalidateQueries({ queryKey: ["inbox"] });
      } else if (event.type === "turn_ended") {
        callAttention();
        void queries.invalidateQueries({ queryKey: ["chat", "sessions"] });
        void queries.invalidateQueries({ queryKey: ["inbox"] });
      } else if (event.type === "message" && event.role === "notice") {
        callAttention();
        void queries.invalidateQueries({ queryKey: ["records"] });
      }
    };
    store.watchers.add(watcher);
    return () => void store.watchers.delete(watcher);
  }, [id, queries]);
}

/** Keeps the end of a growing list in view, unless the reader has scrolled away from it. */
export function useStickToEnd(content: unknown) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const [hasNew, setHasNew] = useState(false);
  useEffect(() => {
    const node = box.current;
    if (!node) return;
    if (isAtEnd.current) node.scrollTop = node.scrollHeight;
    else setHasNew(true);
  }, [content]);
  useEffect(() => {
    const node = box.current;
    if (!node) return;
    // What is loaded late grows; what somebody is working in does not move.
    const growing = new ResizeObserver(() => {
      if (isAtEnd.current && !node.contains(document.activeElement))
        node.scrollTop = node.scrollHeight;
    });
    for (const child of node.children) growing.observe(child);
    return () => growing.disconnect();
  }, []);
  return {
    box,
    hasNew,
    onScroll: () => {
      const node = box.current;
      if (!node) return;
      isAtEnd.current = node.scrollHeight - node.scrollTop - node.clientHeight < 48;
      if (isAtEnd.current) setHasNew(false);
    },
    toEnd: () => {
      isAtEnd.current = true;
      setHasNew(false);
      box.current?.scrollTo({ top: box.current.scrollHeight });
    },
  };
}
