import { expect, test } from "vitest";
import type { ChatEvent } from "./chatEvents";
import {
  type ConversationState,
  hasHole,
  NEW_CONVERSATION,
  reduceConversation,
} from "./conversation";
import recorded from "./recorded/conversation.json";
import { eventReader, type ServerEvent } from "./sse";

/** From a real server: an interrupted answer, another one, a change with its undo, research. */
const LOG = recorded.events as unknown as (ChatEvent & { seq: number })[];
const BEGIN = recorded.first as unknown as ChatEvent;
const MIDDLE = recorded.middle as unknown as ChatEvent;
const LAST = recorded.last as unknown as ChatEvent;

const fold = (events: readonly ChatEvent[], from: ConversationState = NEW_CONVERSATION) =>
  events.reduce(reduceConversation, from);
const END = fold([BEGIN, ...LOG]);

test("a whole log ends at what the server itself says of the conversation", () => {
  const there = fold([LAST]);
  expect(END.lastSeq).toBe(there.lastSeq);
  expect(END.turnId).toBeNull();
  expect(END.isWhole).toBe(true);
  const told = ({ messages }: ConversationState) =>
    messages.map(({ trouble: _, actions, ...message }) => ({
      ...message,
      // The events of decisions have no times.
      actions: actions.map((action) => ({ ...action, appliedAt: null, undoneAt: null })),
    }));
  expect(told(END)).toEqual(told(there));
  expect(END.messages.map(({ role, status }) => [role, status])).toEqual([
    ["user", "complete"],
    ["assistant", "interrupted"],
    ["assistant", "complete"],
    ["user", "complete"],
    ["assistant", "complete"],
    ["user", "complete"],
    ["assistant", "complete"],
    ["notice", "complete"],
  ]);
});

test("a replaced answer, a decision and the progress of research are known", () => {
  expect(END.messages[1]).toMatchObject({ supersededBy: END.messages[2]!.id });
  expect(END.messages[1]!.trouble).toContain("cut off");
  expect(END.messages[4]!.actions[0]).toMatchObject({ status: "undone", applied: false });
  const [steps] = Object.values(END.research);
  expect(steps!.at(-1)!.message).toBe("Persist results: done");
});

test("cut at any event, it goes on from its cursor to the same end, also with events sent twice", () => {
  for (let cut = 0; cut < LOG.length; cut += 1) {
    const before = fold([BEGIN, ...LOG.slice(0, cut)]);
    const sent = LOG.filter(({ seq }) => seq > (before.lastSeq ?? 0));
    expect(fold([...LOG.slice(Math.max(0, cut - 2), cut), ...sent], before)).toEqual(END);
  }
});

test("events that come twice change nothing", () => {
  expect(fold([BEGIN, ...LOG.flatMap((event) => [event, event])])).toEqual(END);
  expect(fold([BEGIN, ...LOG, ...LOG])).toEqual(END);
});

test("any order ends at the same place, also where the snapshot comes late", () => {
  for (let seed = 1; seed <= 200; seed += 1)
    expect(fold(shuffled([BEGIN, ...LOG], seed))).toEqual(END);
});

test("what comes after a hole waits for what is missing", () => {
  const holed = fold([BEGIN, ...LOG.slice(0, 3), ...LOG.slice(4)]);
  expect(holed.lastSeq).toBe(3);
  expect(hasHole(holed)).toBe(true);
  expect(reduceConversation(holed, LOG[3]!)).toEqual(END);
});

test("while an answer is written, its pieces are its text, and the whole answer replaces them", () => {
  const writing = fold([BEGIN, ...LOG.slice(0, 4)]);
  expect(writing.turnId).not.toBeNull();
  expect(writing.messages.at(-1)).toMatchObject({
    status: "streaming",
    content: "It is a **lamp** of brass, dear. It costs 40 USD today. ",
  });
  expect(fold([BEGIN, ...LOG.slice(0, 6)]).messages.at(-1)!.content).toContain("(no source)");
});

test("a reload in the middle of an answer goes on with the pieces after it", () => {
  const writing = fold([BEGIN, ...LOG.slice(0, 3)]);
  const reloaded = fold([
    {
      type: "chat_status",
      ...writing.session!,
      turnId: writing.turnId,
      messages: [...writing.messages] as never,
      lastSeq: 3,
    },
    ...LOG,
  ]);
  expect(reloaded.messages).toEqual(END.messages);
});

test("after a gap the snapshot counts, even where its number is lower", () => {
  const lost = reduceConversation(END, { type: "gap", after: 31, firstSeq: 1, lastSeq: 7 });
  const found = fold([MIDDLE, ...LOG.slice(7)], lost);
  expect(found.isLost).toBe(false);
  expect(found.messages.map((message) => message.id)).toEqual(
    END.messages.map((message) => message.id),
  );
});

test("an old snapshot without a gap changes nothing", () => {
  expect(reduceConversation(END, MIDDLE)).toBe(END);
});

test("a decision counts that is told before the answer it belongs to", () => {
  const at = LOG.findIndex((event) => event.type === "action_applied");
  const [answer, decision] = [LOG[at - 2]!, LOG[at]!];
  const early = { ...decision, seq: answer.seq };
  const late = { ...answer, seq: answer.seq + 1 };
  const state = fold([BEGIN, ...LOG.slice(0, at - 2), early, late]);
  expect(state.messages.at(-1)!.actions[0]).toMatchObject({ status: "applied", applied: true });
});

test("older messages join those that are there, once", () => {
  const newest = { ...END, messages: END.messages.slice(4), isWhole: false };
  const page = END.messages.slice(2, 5) as never;
  const joined = reduceConversation(newest, { type: "earlier", messages: page, isAll: false });
  expect(joined.messages.map((message) => message.ordinal)).toEqual([3, 4, 5, 6, 7, 8]);
  expect(joined.isWhole).toBe(false);
});

test("an event of a newer server is counted and left alone", () => {
  const unknown = { type: "painted", seq: END.lastSeq! + 1 } as unknown as ChatEvent;
  expect(reduceConversation(END, unknown)).toEqual({ ...END, lastSeq: END.lastSeq! + 1 });
});

test("a stream is read the same, wherever its pieces end", () => {
  const text =
    ': whence\nretry: 1000\n\nevent: token\nid: 3\ndata: {"a":\ndata: 1}\n\r\n: ping\n\ndata: x\n\n';
  const whole = readIn(text, text.length);
  expect(whole).toEqual([
    { type: "token", id: "3", data: '{"a":\n1}' },
    { type: "message", id: null, data: "x" },
  ]);
  for (let size = 1; size < 12; size += 1) expect(readIn(text, size)).toEqual(whole);
});

function readIn(text: string, size: number): ServerEvent[] {
  const events: ServerEvent[] = [];
  const read = eventReader((event) => events.push(event));
  for (let at = 0; at < text.length; at += size) read(text.slice(at, at + size));
  return events;
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const result = [...items];
  let state = seed;
  for (let index = result.length - 1; index > 0; index -= 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const other = state % (index + 1);
    [result[index], result[other]] = [result[other]!, result[index]!];
  }
  return result;
}
