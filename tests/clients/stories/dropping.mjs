// The line breaks in the middle of an answer, more than once; no word is lost and none comes twice.

import assert from "node:assert/strict";
import test from "node:test";
import { aboutNew, COUNTING, dense, note, Talk, using } from "../person.mjs";

const WORDS = 80;
const counted = (to) => Array.from({ length: to }, (_, index) => `w${index + 1}`).join(" ");

test("two drops in mid-answer leave no gap and no duplicate", async () => {
  const about = await aboutNew(COUNTING, "notes", note());
  await using(new Talk(COUNTING, about.sessionId), async (talk) => {
    await talk.first("chat_status");
    const sent = await talk.send(`How long is it? Count to ${WORDS}.`);
    for (const word of ["w15 ", "w40 "]) {
      await talk.until((line) => line.said(sent.answerId).includes(word), word);
      assert.equal(talk.all("turn_ended").length, 0, "the drop comes too late");
      talk.drop();
    }
    await talk.first("turn_ended");

    assert.equal(talk.all("disconnect").length, 2);
    assert.equal(talk.all("connect").length, 3);
    assert.equal(talk.all("gap").length, 0);
    assert.equal(talk.said(sent.answerId).trim(), counted(WORDS));
    assert.equal(talk.answer(sent.answerId).content, counted(WORDS));
    dense(talk.seqs);
  });
});

test("who leaves in mid-answer and comes back after its end finds it complete", async () => {
  const about = await aboutNew(COUNTING, "notes", note());
  let sent, cursor;
  await using(new Talk(COUNTING, about.sessionId), async (talk) => {
    await talk.first("chat_status");
    sent = await talk.send("How long is it? Count to 20.");
    await talk.until((line) => line.said(sent.answerId).includes("w5 "), "w5");
    cursor = talk.cursor;
  });
  await using(new Talk(COUNTING, about.sessionId), async (watcher) => {
    const status = await watcher.first("chat_status");
    if (status.turnId) await watcher.first("turn_ended");
  });
  const back = new Talk(COUNTING, about.sessionId);
  back.cursor = cursor;
  await using(back, async (talk) => {
    const whole = await talk.until(
      (line) =>
        line.all("chat_status").flatMap((each) => each.messages).find((m) => m.id === sent.answerId) ??
        (line.all("turn_ended").length && line.answer(sent.answerId)),
      "the whole answer",
    );
    assert.deepEqual([whole.status, whole.content], ["complete", counted(20)]);
  });
});
