import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Conversation } from "@/shared/events/chatEvents";
import { eventReader } from "@/shared/events/sse";
import { fetchWithSession, send } from "./client";
import { ApiError, type Problem } from "./errors";
import { type Page, recordPath } from "./records";
import type { AnswerContext, MessageAnswer, MessageFound, TurnBegun } from "./schema";

export type { Conversation };
/** What a conversation is about: one record, or the pages that a person has open. */
export type Subject = { kind: string; id: string } | { page: string; title: string };

/** Explicit input for a form in a conversation, with a message or instead of one. */
export interface WizardInput {
  action: "init" | "respond" | "resume" | "back" | "change" | "cancel";
  wizardId?: string;
  wizardRunId?: string;
  inputStepId?: string;
  inputResponses?: Record<string, unknown>;
  revision?: number;
}

const HISTORY = ["chat", "sessions"];
const base = (id: string) => `/api/chat/sessions/${encodeURIComponent(id)}`;
const about = (kind: string, id: string) => `${recordPath(kind, id)}/chat/sessions`;

/** The conversation about a record that was used last; null before the first one. */
export function useActiveConversation(kind: string, id: string, isWanted = true) {
  return useQuery({
    queryKey: ["chat", "active", kind, id],
    enabled: isWanted,
    queryFn: async ({ signal }) =>
      (await send<Conversation | null>(`${about(kind, id)}/active`, { signal })).data ?? null,
  });
}

/** One's conversations, the last used first; all of them, or those about one record. */
export function useConversations(record?: { kind: string; id: string }) {
  return useInfiniteQuery({
    queryKey: [...HISTORY, record ?? "all"],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const path = record ? about(record.kind, record.id) : "/api/chat/sessions";
      const query = new URLSearchParams({ limit: "50", ...(pageParam && { cursor: pageParam }) });
      return (await send<Page<Conversation>>(`${path}?${query}`, { signal })).data;
    },
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** Messages of one's conversations that contain every word. */
export function useSearchConversations(words: string) {
  return useQuery({
    queryKey: ["chat", "search", words],
    enabled: words.trim().length > 1,
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ q: words, limit: "30" });
      return (await send<Page<MessageFound>>(`/api/chat/search?${query}`, { signal })).data.items;
    },
    placeholderData: (before) => before,
  });
}

/** A page of a conversation's messages, newest first. */
export async function earlierMessages(
  id: string,
  cursor: string | null,
): Promise<Page<MessageAnswer>> {
  const query = new URLSearchParams({ limit: "50", ...(cursor && { cursor }) });
  return (await send<Page<MessageAnswer>>(`${base(id)}/messages?${query}`)).data;
}

/** What an answer was written from: what a model was sent, or what rules read. */
export function useAnswerContext(id: string, messageId: string) {
  return useQuery({
    queryKey: ["chat", "context", id, messageId],
    queryFn: async ({ signal }) => {
      const path = `${base(id)}/messages/${encodeURIComponent(messageId)}/context`;
      return (await send<AnswerContext>(path, { signal })).data;
    },
    staleTime: Infinity,
  });
}

interface Sent {
  /** The conversation; null begins a new one. */
  conversation: Conversation | { id: string; kind: string | null; subjectId: string | null } | null;
  subject: Subject;
  content: string;
  clientMessageId: string;
  wizardInput?: WizardInput;
  /** One of this person's messages, which this is another wording of. */
  replaces?: string;
}

/** Sends a message; answers the conversation's id.  Sent again with the same id, it has one effect. */
export function useSendMessage() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ conversation, subject, ...message }: Sent) => {
      if (conversation ? conversation.kind === null : "page" in subject)
        return sendOnPage(conversation?.id, subject, message);
      const kind = conversation?.kind ?? ("kind" in subject ? subject.kind : "");
      const record = conversation?.subjectId ?? ("kind" in subject ? subject.id : "");
      const id = conversation?.id ?? (await opened(kind, record));
      await send<TurnBegun>(`${about(kind, record)}/${id}/messages`, {
        method: "POST",
        body: message,
      });
      return id;
    },
    onSuccess: (_, { conversation }) => {
      if (conversation === null) void queries.invalidateQueries({ queryKey: ["chat", "active"] });
      void queries.invalidateQueries({ queryKey: HISTORY });
    },
  });
}

async function opened(kind: string, record: string): Promise<string> {
  const path = about(kind, record);
  return (await send<{ sessionId: string }>(path, { method: "POST" })).data.sessionId;
}

/** Sends from a page.  The answer is read from the conversation's log, like every other. */
async function sendOnPage(
  conversationId: string | undefined,
  subject: Subject,
  message: Pick<Sent, "content" | "clientMessageId" | "wizardInput" | "replaces">,
): Promise<string> {
  const context = "page" in subject ? { page: subject.page } : undefined;
  const stop = new AbortController();
  const response = await fetchWithSession(
    new Request(new URL("/api/agent/chat", location.origin), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        message: message.content,
        clientMessageId: message.clientMessageId,
        wizardInput: message.wizardInput,
        replaces: message.replaces,
        conversationId,
        context,
      }),
      signal: stop.signal,
    }),
  );
  if (!response.ok || !response.body) throw new ApiError((await response.json()) as Problem);
  try {
    return await conversationOf(response.body);
  } finally {
    stop.abort();
  }
}

async function conversationOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let id: string | undefined;
  const read = eventReader(({ data }) => {
    const event = JSON.parse(data) as { conversationId?: string };
    id ??= event.conversationId;
  });
  const pieces = body.pipeThrough(new TextDecoderStream()).getReader();
  while (id === undefined) {
    const { done, value } = await pieces.read();
    if (done) throw new Error("The server ended its answer early. Send the message again.");
    read(value);
  }
  return id;
}

const turnPath = ({ id, kind, subjectId }: Conversation, what: "stop" | "regenerate") =>
  kind && subjectId
    ? `${about(kind, subjectId)}/${id}/${what}`
    : `/api/agent/conversations/${encodeURIComponent(id)}/${what}`;

export function useStopAnswer() {
  return useMutation({
    mutationFn: (conversation: Conversation) =>
      send(turnPath(conversation, "stop"), { method: "POST" }),
  });
}

/** Answers the last message again. */
export function useRegenerate() {
  return useMutation({
    mutationFn: (conversation: Conversation) =>
      send(turnPath(conversation, "regenerate"), { method: "POST" }),
  });
}

export function useRenameConversation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, title }: { id: string; title: string }) =>
      send<Conversation>(base(id), { method: "PATCH", body: { title } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["chat"] }),
  });
}

export function useDeleteConversation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => send(base(id), { method: "DELETE" }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["chat"] }),
  });
}

/** Where a conversation is as a file. */
export const exportPath = (id: string, format: "md" | "json"): string =>
  `${base(id)}/export?format=${format}`;
