// A change is proposed in words, applied with one click, and by no second one.

import assert from "node:assert/strict";
import test from "node:test";
import { aboutNew, call, note, refusedAs, RULES, Talk, using } from "../person.mjs";

async function proposed(talk, title) {
  await talk.first("chat_status");
  const answer = await talk.ask(`set the title to ${title}`);
  const [action] = answer.actions;
  assert.deepEqual(action.changes, [{ field: "title", before: "A note", after: title }]);
  return answer;
}

test("nothing is written until the click, and two clicks at once write once", async () => {
  const about = await aboutNew(RULES, "notes", note());
  const tabs = [new Talk(RULES, about.sessionId), new Talk(RULES, about.sessionId)];
  try {
    const answer = await proposed(tabs[0], "Another");
    assert.equal((await call(RULES, "GET", about.path)).body.title, "A note");

    const click = { messageId: answer.id, actionIndex: 0, reason: "it is one" };
    const acks = await Promise.all(tabs.map((tab) => tab.emit("apply_action", click)));
    assert.deepEqual(acks[0], acks[1]);
    assert.deepEqual([acks[0].ok, acks[0].applied.status], [true, "applied"]);
    for (const tab of tabs) {
      const { success, field } = await tab.first("action_applied");
      assert.deepEqual([success, field], [true, "title"]);
    }
    const after = await call(RULES, "GET", about.path);
    assert.deepEqual([after.body.title, after.headers.get("etag")], ["Another", '"2"']);
    const history = (await call(RULES, "GET", `${about.path}/audit`)).body.items;
    assert.equal(history.filter((each) => each.action === "apply_proposal").length, 1);
  } finally {
    for (const tab of tabs) tab.close();
  }
});

test("a click after the change was taken back is refused", async () => {
  const about = await aboutNew(RULES, "notes", note());
  await using(new Talk(RULES, about.sessionId), async (talk) => {
    const answer = await proposed(talk, "Another");
    const click = { messageId: answer.id, actionIndex: 0 };
    assert.equal((await talk.emit("apply_action", click)).ok, true);
    const undone = await call(RULES, "POST", `/api/proposals/${answer.actions[0].id}/undo`);
    assert.equal(undone.status, 200, JSON.stringify(undone.body));

    refusedAs("already-undone", await talk.emit("apply_action", click));
    assert.equal((await call(RULES, "GET", about.path)).body.title, "A note");
  });
});

test("a click on a record that was changed meanwhile is refused, and everybody is told", async () => {
  const about = await aboutNew(RULES, "notes", note());
  await using(new Talk(RULES, about.sessionId), async (talk) => {
    const answer = await proposed(talk, "Another");
    await call(RULES, "PATCH", about.path, { title: "A third" });

    const ack = await talk.emit("apply_action", { messageId: answer.id, actionIndex: 0 });
    refusedAs("record-changed", ack);
    const told = await talk.first("action_applied");
    assert.deepEqual([told.success, told.error], [false, ack.error.detail]);
    assert.equal((await call(RULES, "GET", about.path)).body.title, "A third");
  });
});
