// Research is started from a conversation and followed in it, on /research and over SSE.

import assert from "node:assert/strict";
import test from "node:test";
import { aboutNew, call, dense, Line, RULES, Talk, using } from "../person.mjs";
import { follow } from "../stream.mjs";

const KETTLE = {
  title: "Fennmark K2-90 gooseneck electric kettle 0.9 L matte black",
  brand: "Fennmark",
  model: "K2-90",
  category: "Kettles",
  condition: "good",
};

test("research from chat tells its progress, and its outcome once; /research tells the same", async () => {
  const about = await aboutNew(RULES, "items", KETTLE);
  await using(new Talk(RULES, about.sessionId), async (talk) => {
    await talk.first("chat_status");
    const answer = await talk.ask("Please research this item");
    const { jobId } = answer.meta.research;

    const watching = new Line(RULES, "/research");
    await using(watching, async (line) => {
      assert.deepEqual(await line.emit("subscribe_job", { jobId }), { ok: true });
      assert.equal((await line.first("job_status")).id, jobId);
      const end = await line.first("job_complete");
      assert.equal(end.status, "success");
      const nodes = line.all("node_complete");
      assert.ok(nodes.some((each) => each.node === "persist_results" && each.status === "success"));
      assert.ok(nodes.every((each) => each.timestamp && each.jobId === jobId));
      dense(line.heard.flatMap(({ data }) => data?.seq ?? []));
    });

    const outcome = (event) => event.role === "notice";
    await talk.first("message", outcome);
    const progress = talk.all("research_progress");
    assert.ok(progress.length > 2 && progress.every((each) => each.jobId === jobId && each.message));
    dense(talk.seqs);

    const priced = await talk.ask("What is it worth?");
    assert.ok(priced.citations.length > 0, JSON.stringify(priced));
    const notices = talk.all("message").filter(outcome).map((event) => event.id);
    assert.equal(new Set(notices).size, 1);
  });
});

test("who left before the outcome finds it in the conversation", async () => {
  const about = await aboutNew(RULES, "items", KETTLE);
  let jobId;
  await using(new Talk(RULES, about.sessionId), async (talk) => {
    await talk.first("chat_status");
    ({ jobId } = (await talk.ask("Please research this item")).meta.research);
  });
  await using(new Line(RULES, "/research"), async (line) => {
    await line.first("connect");
    await line.emit("subscribe_job", { jobId });
    await line.first("job_complete");
  });
  await using(new Talk(RULES, about.sessionId), async (talk) => {
    const { messages } = await talk.first("chat_status");
    const there = messages.find((each) => each.role === "notice");
    assert.ok(there ?? (await talk.first("message", (event) => event.role === "notice")));
  });
});

test("an EventSource that is cut off comes back with Last-Event-ID and is told when to stop", async () => {
  const about = await aboutNew(RULES, "items", KETTLE);
  const asked = await call(RULES, "POST", `${about.path}/research`);
  assert.equal(asked.status, 202);
  const address = `${RULES}/api/runs/${asked.body.jobId}/events`;

  const run = follow(address, { cuts: [3, 5] });
  const stop = await run.ended;

  assert.equal(stop.code, 204, "a run that has ended and was heard whole is answered with 204");
  assert.deepEqual(run.asked.slice(0, 3), [undefined, "3", "8"]);
  assert.equal(run.heard[0].name, "job_queued");
  assert.equal(run.heard.at(-1).name, "job_complete");
  assert.deepEqual(run.heard.map((each) => Number(each.id)), run.heard.map((each) => each.data.seq));
  assert.equal(run.heard[0].data.seq, 1);
  dense(run.heard.map((each) => each.data.seq));

  const rest = follow(address, { lastEventId: "5" });
  await rest.ended;
  assert.deepEqual(rest.heard, run.heard.slice(5));
});
