// A page is talked with over POST /api/agent/chat, read by an EventSource whose line breaks.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";
import { aboutNew, call, COUNTING, refusedAs, RULES } from "../person.mjs";
import { follow } from "../stream.mjs";

const CHAT = "/api/agent/chat";
const ITEM = { title: "Orrin TP-45 Trailpack 45L backpack green", brand: "Orrin", model: "TP-45" };

const said = (body) => ({
  method: "POST",
  body: JSON.stringify({ clientMessageId: randomUUID(), ...body }),
  headers: { "Content-Type": "application/json" },
});
const text = (heard) =>
  heard.filter((each) => each.name === "text_delta").map((each) => each.data.content).join("");

test("a page answers by rules, in one conversation over several pages", async () => {
  const about = await aboutNew(RULES, "items", ITEM);
  const request = said({ message: "Which items wait?", context: { page: "resale.items" } });
  const first = follow(RULES + CHAT, { request });
  assert.equal((await first.ended).code, 204, "whoever heard `done` is told to stop asking");

  const [conversation] = first.heard;
  const done = first.heard.at(-1);
  assert.deepEqual([conversation.name, done.name], ["conversation", "done"]);
  assert.deepEqual(done.data.status, "complete");
  assert.equal(text(first.heard).trim(), done.data.content.trim());
  assert.ok(done.data.references.length > 0, JSON.stringify(done.data));

  const { conversationId } = conversation.data;
  const context = { page: "resale.item", itemId: about.id };
  const next = said({ conversationId, message: "set the title to A backpack", context });
  const second = follow(RULES + CHAT, { request: next });
  await second.ended;
  const { action } = second.heard.find((each) => each.name === "tool_call_result").data;
  assert.deepEqual(action.changes.map((each) => each.field), ["title"]);
  assert.equal((await call(RULES, "GET", about.path)).body.title, ITEM.title, "nothing is written");
  const applied = await call(RULES, "POST", `/api/proposals/${action.id}/apply`);
  assert.equal(applied.status, 200, JSON.stringify(applied.body));
  assert.equal((await call(RULES, "GET", about.path)).body.title, "A backpack");

  const kept = await call(RULES, "GET", `/api/chat/sessions/${conversationId}/messages`);
  assert.deepEqual(kept.body.items.map((each) => each.role), [
    "assistant", "user", "assistant", "user",
  ]);
});

test("an answer that breaks off twice goes on with Last-Event-ID, and is answered once", async () => {
  const about = await aboutNew(COUNTING, "items", ITEM);
  const context = { page: "resale.item", itemId: about.id };
  const request = said({ message: "What is it worth? Count to 60.", context });
  const run = follow(COUNTING + CHAT, { request, cuts: [4, 6] });
  await run.ended;

  assert.equal(run.asked.length, 4, JSON.stringify(run.asked));
  assert.deepEqual(run.asked.slice(0, 3), [undefined, run.heard[3].id, run.heard[9].id]);
  assert.equal(run.heard.filter((each) => each.name === "conversation").length, 1);
  assert.equal(run.heard.filter((each) => each.name === "gap").length, 0);
  const counted = Array.from({ length: 60 }, (_, index) => `w${index + 1}`).join(" ");
  assert.equal(text(run.heard).trim(), counted);
  assert.equal(run.heard.at(-1).data.content, counted);
  assert.equal(new Set(run.heard.map((each) => each.id)).size, run.heard.length);

  const { conversationId, answerId } = run.heard[0].data;
  const events = `${COUNTING}${CHAT}/${conversationId}/events`;
  const late = follow(events);
  await late.ended;
  assert.deepEqual([late.heard.at(-1).name, late.heard.at(-1).data.messageId], ["done", answerId]);
  assert.ok(text(late.heard).trim().endsWith(counted.slice(-20)));
  const kept = await call(COUNTING, "GET", `/api/chat/sessions/${conversationId}/messages`);
  assert.equal(kept.body.items.length, 2);
});

test("what no page takes is refused before anything begins", async () => {
  const context = { page: "resale.items" };
  for (const [type, body] of [
    ["invalid", {}],
    ["invalid", { message: "Hello", context: { page: "" } }],
    ["invalid", { message: "Hello", context: { page: "resale.item" } }],
    ["invalid", { message: " ", context }],
    ["not-found", { message: "Hello", context: { page: "resale.item", itemId: randomUUID() } }],
    ["not-found", { message: "Hello", context, conversationId: randomUUID() }],
  ]) {
    const answer = await call(RULES, "POST", CHAT, body);
    refusedAs(type, { ok: answer.status < 400, error: answer.body });
  }
});
