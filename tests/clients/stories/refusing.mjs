// Every event that a client may send is acknowledged, also where it makes no sense.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";
import { aboutNew, Line, note, refusedAs, RULES, using } from "../person.mjs";

const nobody = randomUUID();
const long = "x".repeat(20_001);

/** What is wrong with each event, and how it is refused. */
const WRONG = {
  "/research": {
    subscribe_job: [
      ["invalid", {}],
      ["invalid", { jobId: "17" }],
      ["invalid", { jobId: nobody, after: -1 }],
      ["not-found", { jobId: nobody }],
    ],
    unsubscribe_job: [["invalid", { jobId: 17 }]],
  },
  "/chat": {
    join_session: [
      ["invalid", { sessionId: [] }],
      ["invalid", { sessionId: nobody, after: "x" }],
      ["not-found", { sessionId: nobody }],
    ],
    leave_session: [["invalid", {}]],
    send_message: [
      ["not-found", { sessionId: nobody, content: "How long is it?" }],
      ["invalid", { sessionId: nobody, content: long, clientMessageId: "a" }],
      ["invalid", { sessionId: nobody, content: "a", clientMessageId: "" }],
      ["invalid", { sessionId: nobody, content: "a", clientMessageId: "a", wizardInput: "init" }],
      ["not-found", { sessionId: nobody, content: "a", clientMessageId: "a" }],
    ],
    stop: [
      ["invalid", { session: nobody }],
      ["not-found", { sessionId: nobody }],
    ],
    regenerate: [
      ["invalid", {}],
      ["not-found", { sessionId: nobody }],
    ],
    apply_action: [
      ["invalid", { messageId: nobody }],
      ["invalid", { messageId: nobody, actionIndex: -1 }],
      ["not-found", { messageId: nobody, actionIndex: 0 }],
    ],
    no_such_event: [["invalid", { sessionId: nobody }]],
  },
};

for (const [namespace, events] of Object.entries(WRONG)) {
  test(`every event of ${namespace} answers bad input with a typed problem`, async () => {
    await using(new Line(RULES, namespace), async (line) => {
      for (const [event, cases] of Object.entries(events)) {
        const nothing = [[], [null], ["text"], [17], [[]], [{}, {}], [{ unknown: true }]];
        const all = [...cases, ...nothing.map((payload) => ["invalid", ...payload])];
        for (const [type, ...payload] of all) refusedAs(type, await line.emit(event, ...payload));
      }
      assert.equal(line.all("disconnect").length, 0, "bad input costs nobody the connection");
    });
  });
}

test("every event of /chat answers good input with ok", async () => {
  const { sessionId } = await aboutNew(RULES, "notes", note());
  await using(new Line(RULES, "/chat"), async (line) => {
    assert.deepEqual(await line.emit("join_session", { sessionId }), { ok: true });
    const sent = await line.emit("send_message", {
      sessionId,
      content: "set the title to Another",
      clientMessageId: "a",
    });
    assert.deepEqual(Object.keys(sent).sort(), ["answerId", "isNew", "messageId", "ok", "turnId"]);
    await line.first("turn_ended");
    const click = { messageId: sent.answerId, actionIndex: 0 };
    assert.equal((await line.emit("apply_action", click)).ok, true);
    refusedAs("not-found", await line.emit("apply_action", { ...click, actionIndex: 7 }));
    const again = await line.emit("regenerate", { sessionId });
    assert.deepEqual([again.ok, again.messageId], [true, sent.messageId]);
    await line.first("turn_ended", (event) => event.turnId === again.turnId);
    assert.deepEqual(await line.emit("stop", { sessionId }), { ok: true, turnId: null });
    assert.deepEqual(await line.emit("leave_session", { sessionId }), { ok: true });
  });
});
