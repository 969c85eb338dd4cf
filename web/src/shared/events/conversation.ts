/**
 * What is known of a conversation, folded from its events.
 *
 * Events are numbered without gaps.  One that came before changes nothing; one that comes too early
 * waits for those before it; `chat_status` starts anew from its number.  So two tabs, and a client
 * that lost its connection, end at the same place.
 */
import type { MessageAnswer } from "@/shared/api/schema";
import type {
  ChatEvent,
  Conversation,
  Decision,
  LoggedEvent,
  Message,
  ResearchStep,
  ToolCall,
} from "./chatEvents";

export interface ConversationState {
  /** The number of the last event that counts; null before the first `chat_status`. */
  lastSeq: number | null;
  session: Conversation | null;
  /** Oldest first. */
  messages: readonly Message[];
  /** Whether there are none before the first of `messages`. */
  isWhole: boolean;
  /** The turn whose answer is being written. */
  turnId: string | null;
  /** Progress of research that was started here, by its job. */
  research: Readonly<Record<string, readonly ResearchStep[]>>;
  /** Decisions on an answer's changes, by `messageId:index`; its `message` may come after them. */
  decisions: Readonly<Record<string, Decision>>;
  /** Events that came before those that precede them. */
  early: Readonly<Record<number, LoggedEvent>>;
  /** The cursor could not be followed; `chat_status` comes next. */
  isLost: boolean;
}

export const NEW_CONVERSATION: ConversationState = {
  lastSeq: null,
  session: null,
  messages: [],
  isWhole: false,
  turnId: null,
  research: {},
  decisions: {},
  early: {},
  isLost: false,
};

/** Whether events are missing between those that arrived: ask again from `lastSeq`. */
export const hasHole = (state: ConversationState): boolean => Object.keys(state.early).length > 0;

/** The state after one more event, in whatever order they arrive. */
export function reduceConversation(state: ConversationState, event: ChatEvent): ConversationState {
  switch (event.type) {
    case "gap":
      return { ...state, isLost: true };
    case "chat_status":
      return fromStatus(state, event);
    case "renamed":
      return { ...state, session: state.session && { ...state.session, title: event.title } };
    case "earlier":
      return withEarlier(state, event.messages, event.isAll);
    default:
      return inOrder(state, event);
  }
}

function inOrder(state: ConversationState, event: LoggedEvent): ConversationState {
  if (state.lastSeq !== null && event.seq <= state.lastSeq) return state;
  return released({ ...state, early: { ...state.early, [event.seq]: event } });
}

/** Applies the events that wait, as far as they follow without a hole. */
function released(state: ConversationState): ConversationState {
  if (state.lastSeq === null) return state;
  let next = state;
  let seq = state.lastSeq;
  for (let event = next.early[seq + 1]; event; event = next.early[seq + 1]) {
    next = apply(next, event);
    seq += 1;
  }
  const waiting = Object.entries(next.early).filter(([each]) => Number(each) > seq);
  return { ...next, lastSeq: seq, early: Object.fromEntries(waiting) };
}

function fromStatus(
  state: ConversationState,
  event: Extract<ChatEvent, { type: "chat_status" }>,
): ConversationState {
  const isOld = state.lastSeq !== null && event.lastSeq < state.lastSeq;
  if (isOld && !state.isLost) return state;
  const { type: _, lastSeq, messages, ...session } = event;
  const first = messages[0]?.ordinal ?? 1;
  const before = state.messages.filter((message) => message.ordinal < first);
  // Older messages stay only where they join those of the snapshot.
  const joins = before.at(-1)?.ordinal === first - 1;
  return released({
    ...state,
    lastSeq,
    session,
    messages: [...(joins ? before : []), ...messages],
    isWhole: first === 1 || (joins && state.isWhole),
    turnId: session.turnId,
    decisions: {},
    isLost: false,
  });
}

function withEarlier(
  state: ConversationState,
  messages: MessageAnswer[],
  isAll: boolean,
): ConversationState {
  const first = state.messages[0]?.ordinal ?? Infinity;
  const older = messages.filter((message) => message.ordinal < first);
  older.sort((one, other) => one.ordinal - other.ordinal);
  return { ...state, messages: [...older, ...state.messages], isWhole: isAll };
}

function apply(state: ConversationState, event: LoggedEvent): ConversationState {
  switch (event.type) {
    case "message": {
      const { type: _, seq: __, ...message } = event;
      return {
        ...state,
        messages: superseding(
          replacing(placed(state.messages, decided(message, state.decisions)), message),
          message,
        ),
      };
    }
    case "answer_started":
      return {
        ...state,
        turnId: event.turnId,
        messages: superseding(placed(state.messages, begunAnswer(state, event)), {
          id: event.messageId,
          replyTo: event.replyTo,
        }),
      };
    case "token":
      return changed(state, event.messageId, (message) =>
        message.status === "streaming"
          ? { ...message, content: message.content + event.token }
          : message,
      );
    case "tool_call":
      return changed(state, event.messageId, (message) => ({
        ...message,
        toolCalls:
          message.status === "streaming" ? withCall(message.toolCalls, event) : message.toolCalls,
      }));
    case "research_progress": {
      const { jobId, node, status, message } = event;
      const steps = [...(state.research[jobId] ?? []), { node, status, message }];
      return { ...state, research: { ...state.research, [jobId]: steps } };
    }
    case "action_applied": {
      if (!event.success || !event.status) return state;
      const decisions = {
        ...state.decisions,
        [`${event.messageId}:${event.actionIndex}`]: event.status,
      };
      return changed({ ...state, decisions }, event.messageId, (message) =>
        decided(message, decisions),
      );
    }
    case "error":
      return changed(state, event.messageId, (message) => ({ ...message, trouble: event.message }));
    case "turn_ended":
      return changed(
        { ...state, turnId: state.turnId === event.turnId ? null : state.turnId },
        event.messageId,
        (message) => ({ ...message, status: event.status }),
      );
    default:
      // An event of a newer server: its number counts, its content does not.
      return state;
  }
}

function begunAnswer(
  state: ConversationState,
  event: Extract<LoggedEvent, { type: "answer_started" }>,
): Message {
  return {
    id: event.messageId,
    sessionId: state.session?.id ?? "",
    ordinal: event.ordinal,
    role: "assistant",
    content: "",
    clientMessageId: null,
    turnId: event.turnId,
    replyTo: event.replyTo,
    supersededBy: null,
    status: "streaming",
    intent: null,
    method: null,
    citations: [],
    toolCalls: [],
    actions: [],
    meta: {},
    createdAt: "",
    completedAt: null,
  };
}

/** The messages with this one at its place; an answer that comes again replaces itself. */
function placed(messages: readonly Message[], message: Message): readonly Message[] {
  const at = messages.findIndex((each) => each.id === message.id);
  if (at >= 0) return messages.with(at, { trouble: messages[at]!.trouble, ...message });
  const next = [...messages, message];
  return next.sort((one, other) => one.ordinal - other.ordinal);
}

/** The branch that an edited message replaces, marked as replaced by it. */
function replacing(messages: readonly Message[], newer: Message): readonly Message[] {
  const first = messages.find((message) => message.id === newer.meta["replaces"])?.ordinal;
  if (first === undefined) return messages;
  return messages.map((message) =>
    message.ordinal >= first && message.ordinal < newer.ordinal && !message.supersededBy
      ? { ...message, supersededBy: newer.id }
      : message,
  );
}

/** Earlier answers to the same message, marked as replaced by this one. */
function superseding(
  messages: readonly Message[],
  answer: Pick<Message, "id" | "replyTo"> & { ordinal?: number },
): readonly Message[] {
  if (!answer.replyTo) return messages;
  const own = messages.find((message) => message.id === answer.id)?.ordinal ?? 0;
  return messages.map((message) =>
    message.replyTo === answer.replyTo && message.ordinal < own && !message.supersededBy
      ? { ...message, supersededBy: answer.id }
      : message,
  );
}

function changed(
  state: ConversationState,
  id: string,
  change: (message: Message) => Message,
): ConversationState {
  return {
    ...state,
    messages: state.messages.map((message) => (message.id === id ? change(message) : message)),
  };
}

function decided(message: Message, decisions: ConversationState["decisions"]): Message {
  if (!message.actions.length) return message;
  const actions = message.actions.map((action, index) => {
    const status = decisions[`${message.id}:${index}`];
    return status ? { ...action, status, applied: status === "applied" } : action;
  });
  return { ...message, actions };
}

function withCall(calls: readonly ToolCall[], event: ToolCall): ToolCall[] {
  const { callId, name, status, summary, durationMs } = event;
  const call = { callId, name, arguments: event.arguments, status, summary, durationMs };
  const at = calls.findIndex((each) => each.callId === callId);
  return at < 0 ? [...calls, call] : calls.with(at, call);
}
