// A wizard inside a conversation: by explicit input only, its steps unchanged, chat in between.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";
import { aboutNew, call, dense, note, RULES, Talk, using } from "../person.mjs";

test("a wizard is filled in from chat, with a question in between and a drop", async () => {
  const about = await aboutNew(RULES, "notes", note());
  await using(new Talk(RULES, about.sessionId), async (talk) => {
    await talk.first("chat_status");
    const input = async (wizardInput) => {
      const answer = await talk.ask("", { wizardInput });
      assert.deepEqual([answer.intent, answer.status], ["wizard", "complete"]);
      return answer.meta.wizard;
    };
    const respond = (inputStepId, inputResponses) =>
      input({ action: "respond", inputStepId, inputResponses });

    const first = await input({ action: "init", wizardId: "sample_pack.write" });
    const path = `/api/wizards/sample_pack.write/runs/${first.wizardRunId}`;
    const alone = async () => (await call(RULES, "GET", path)).body;
    assert.deepEqual(first, await alone(), "the step comes unchanged, as REST answers it");

    const wrong = await respond("about", { title: "", length: "endless" });
    assert.deepEqual(wrong.errors.map((each) => each.field).sort(), ["length", "title"]);
    assert.equal((await respond("about", { title: "Tea", length: "short" })).step.id, "words");

    const question = await talk.ask("How long is it?");
    assert.notEqual(question.intent, "wizard");
    talk.drop();
    await talk.until((line) => line.all("connect").length === 2, "the reconnection");
    assert.equal((await input({ action: "resume" })).step.id, "words", "chat left it untouched");

    const review = await respond("words", { text: "It is ready." });
    assert.deepEqual([review.step.kind, review], ["review", await alone()]);
    const end = await respond("review", {});
    assert.deepEqual([end.step.kind, end.progress.status], ["outcome", "completed"]);
    assert.equal(end.ui.record.kind, "notes");
    dense(talk.seqs);
  });
});

test("input that no wizard takes is told in the conversation, as a refusal by name", async () => {
  const about = await aboutNew(RULES, "notes", note());
  await using(new Talk(RULES, about.sessionId), async (talk) => {
    await talk.first("chat_status");
    for (const wizardInput of [
      { action: "resume" },
      { action: "init", wizardId: "no.such" },
      { action: "respond", wizardRunId: randomUUID(), inputStepId: "about", inputResponses: {} },
    ]) {
      const answer = await talk.ask("", { wizardInput });
      assert.ok(answer.meta.refused, JSON.stringify(answer));
      assert.equal(answer.meta.wizard, undefined);
      assert.ok(answer.content);
    }
  });
});

test("leave.request begins in a conversation about a leave request and knows its facts", async () => {
  const record = { title: "Bonding", reason: "bonding_birth", employees: 7 };
  const about = await aboutNew(RULES, "leave-requests", record);
  await using(new Talk(RULES, about.sessionId), async (talk) => {
    await talk.first("chat_status");
    const wizardInput = { action: "init", wizardId: "leave.request" };
    const { meta } = await talk.ask("", { wizardInput });
    assert.ok(meta.wizard, JSON.stringify(meta));
    assert.equal(meta.wizard.definition.id, "leave.request");
    assert.equal(meta.wizard.step.kind, "question");
    assert.ok(meta.wizard.textFallback && meta.wizard.schema.properties);
  });
});
