// A question is asked, answered piece by piece, and read again with its references.

import assert from "node:assert/strict";
import test from "node:test";
import { aboutNew, call, COUNTING, dense, note, RULES, Talk, using } from "../person.mjs";

test("an answer by rules comes as tokens, then whole, with numbered references", async () => {
  const about = await aboutNew(RULES, "notes", note());
  await call(RULES, "POST", `${about.path}/research`);
  await using(new Talk(RULES, about.sessionId), async (talk) => {
    const status = await talk.first("chat_status");
    assert.deepEqual([status.sessionId, status.messages], [about.sessionId, []]);

    let answer;
    do answer = await talk.ask("How long is it?");
    while (answer.citations.length === 0);

    assert.equal(answer.status, "complete");
    assert.match(answer.content, /The note has 4 words\.? ?\[1\]/);
    assert.deepEqual([answer.citations[0].number, answer.citations[0].kind], [1, "claim"]);
    assert.ok(answer.citations[0].snippet);
    assert.equal(talk.said(answer.id).trim(), answer.content.trim());
    assert.ok(!/\[source:/.test(JSON.stringify(talk.heard)), "a marker reached the screen");
    dense(talk.seqs);

    const page = await call(RULES, "GET", `${about.path}/chat/sessions/${about.sessionId}/messages`);
    assert.deepEqual(page.body.items.find((each) => each.id === answer.id), answer);
  });
});

test("a tool that the model calls is seen running and done before the answer", async () => {
  const about = await aboutNew(COUNTING, "notes", note());
  await using(new Talk(COUNTING, about.sessionId), async (talk) => {
    await talk.first("chat_status");
    const answer = await talk.ask("How long is it, as a tool counts it?");

    const calls = talk.all("tool_call");
    const seen = calls.map((each) => [each.name, each.status]);
    const both = ["running", "done"].map((status) => ["count_words", status]);
    assert.deepEqual(seen, both, JSON.stringify(answer));
    assert.deepEqual(calls[0].arguments, { text: "four words stand here" });
    assert.ok(calls[1].summary);
    const order = talk.heard.map((each) => each.name);
    assert.ok(order.lastIndexOf("tool_call") < order.indexOf("token"));
    assert.equal(answer.content, "w1 w2 w3");
    assert.deepEqual(answer.toolCalls.map((each) => each.name), ["count_words"]);
  });
});
