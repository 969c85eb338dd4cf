import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Conversation, Subject } from "@/shared/api/chat";
import { useRegenerate, useSendMessage, useStopAnswer } from "@/shared/api/chat";
import type { ChatEvent } from "@/shared/events/chatEvents";
import { conversation as opened } from "@/shared/events/openConversation";

/** A message that the server has not confirmed yet. */
export interface Outgoing {
  clientMessageId: string;
  content: string;
  error: unknown;
}

const subjectKey = (subject: Subject) =>
  "kind" in subject ? `${subject.kind}/${subject.id}` : subject.page;
const drafts = new Map<string, string>();

/** What is written and not sent yet; it stays through navigation, by what it is about. */
export function useDraft(id: string | null, subject: Subject): [string, (text: string) => void] {
  const key = id ?? subjectKey(subject);
  const [, changed] = useState(0);
  return [
    drafts.get(key) ?? "",
    (text) => {
      drafts.set(key, text);
      changed((count) => count + 1);
    },
  ];
}

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

  function attempt(content: string, clientMessageId: string) {
    setOutgoing((all) => [
      ...all.filter((each) => each.clientMessageId !== clientMessageId),
      { clientMessageId, content, error: null },
    ]);
    post(
      { conversation: shown, subject, content, clientMessageId },
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

  return {
    outgoing,
    send: (content: string) => attempt(content, crypto.randomUUID?.() ?? fallbackId()),
    retry: (one: Outgoing) => attempt(one.content, one.clientMessageId),
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
        void queries.invalidateQueries({ queryKey: ["chat", "sessions"] });
        void queries.invalidateQueries({ queryKey: ["inbox"] });
      } else if (event.type === "message" && event.role === "notice") {
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
