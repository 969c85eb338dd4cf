// Sending twice, at once, again, and thinking better of it.

import assert from "node:assert/strict";
import test from "node:test";
import { aboutNew, call, COUNTING, note, refusedAs, RULES, Talk, using } from "../person.mjs";

test("of two messages at once one is answered and one is a typed conflict", async () => {
  const about = await aboutNew(COUNTING, "notes", note());
  const tabs = [new Talk(COUNTING, about.sessionId), new Talk(COUNTING, about.sessionId)];
  try {
    await Promise.all(tabs.map((tab) => tab.first("chat_status")));
    const both = await Promise.all(tabs.map((tab) => tab.send("How long is it? Count to 30.")));
    const [taken, refused] = both.sort((one, other) => Number(other.ok) - Number(one.ok));
    assert.equal(taken.ok, true);
    refusedAs("turn-running", refused);
    await Promise.all(tabs.map((tab) => tab.first("turn_ended")));
    assert.deepEqual(tabs.map((tab) => tab.answer(taken.answerId).status), ["complete", "complete"]);
  } finally {
    for (const tab of tabs) tab.close();
  }
});

test("the same clientMessageId again is the same message, at once and after the line broke", async () => {
  const about = await aboutNew(RULES, "notes", note());
  await using(new Talk(RULES, about.sessionId), async (talk) => {
    await talk.first("chat_status");
    const [first, second] = await Promise.all([
      talk.send("How long is it?", "once"),
      talk.send("How long is it?", "once"),
    ]);
    assert.deepEqual([first.isNew, second.isNew], [true, false]);
    talk.drop();
    await talk.until((line) => line.all("connect").length === 2, "the reconnection");
    const third = await talk.send("How long is it?", "once");
    assert.deepEqual({ ...third, isNew: true }, first);
    assert.deepEqual({ ...second, isNew: true }, first);
    await talk.first("turn_ended");
    const page = await call(RULES, "GET", `/api/chat/sessions/${about.sessionId}/messages`);
    assert.deepEqual(page.body.items.map((each) => each.role), ["assistant", "user"]);
  });
});

test("stop keeps what was said, and the next message is answered", async () => {
  const about = await aboutNew(COUNTING, "notes", note());
  await using(new Talk(COUNTING, about.sessionId), async (talk) => {
    await talk.first("chat_status");
    const sent = await talk.send("How long is it? Count to 2000.");
    await talk.until((line) => line.said(sent.answerId).includes("w5 "), "w5");
    const stopped = await talk.emit("stop", { sessionId: about.sessionId });
    assert.deepEqual(stopped, { ok: true, turnId: sent.turnId });
    assert.equal((await talk.first("turn_ended")).status, "stopped");
    const kept = talk.answer(sent.answerId);
    assert.equal(kept.status, "stopped");
    assert.match(kept.content, /^w1 w2 w3 w4 w5/);
    assert.ok(!kept.content.includes("w2000"));
    assert.equal((await talk.ask("How long is it? Count to 3.")).content, "w1 w2 w3");
    const again = await talk.emit("stop", { sessionId: about.sessionId });
    assert.deepEqual(again, { ok: true, turnId: null });
  });
});
