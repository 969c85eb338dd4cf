// Access ends: by signing out, by its time, by revoking; each is said in words, and nothing follows.

import assert from "node:assert/strict";
import test from "node:test";
import {
  aboutNew, call, COUNTING, EMAIL, Line, note, PASSWORD, refusedAs, RULES, Talk, using,
} from "../person.mjs";

const WORDS = /^Session expired, please refresh/;

async function signedIn(base) {
  const body = { email: EMAIL, password: PASSWORD };
  const answer = await call(base, "POST", "/api/auth/sign-in", body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.accessToken;
}

async function refusedAtTheDoor(base, token) {
  for (const namespace of ["/chat", "/research"]) {
    await using(new Line(base, namespace, { token }), async (line) => {
      const error = await line.first("connect_error");
      assert.equal(error.data.type, "/problems/unauthorized", JSON.stringify(error.data));
      if (!token.startsWith("whence_")) assert.match(error.data.detail, WORDS);
    });
  }
}

test("who signs out is told so on every socket, and does not get in again", async () => {
  const about = await aboutNew(RULES, "notes", note());
  const token = await signedIn(RULES);
  await using(new Talk(RULES, about.sessionId, { token }), async (talk) => {
    await talk.first("chat_status");
    assert.equal((await call(RULES, "POST", "/api/auth/sign-out", undefined, { token })).status, 204);
    const problem = await talk.first("access_ended");
    assert.deepEqual([problem.type, problem.status], ["/problems/unauthorized", 401]);
    assert.match(problem.detail, WORDS);
    assert.equal(await talk.first("disconnect"), "io server disconnect");
  });
  await refusedAtTheDoor(RULES, token);
});

test("once the access token has run out, what is sent is refused until it is refreshed", async () => {
  const about = await aboutNew(COUNTING, "notes", note());
  const token = await signedIn(COUNTING); // a server whose access tokens hold for a second or two
  await using(new Talk(COUNTING, about.sessionId, { token }), async (talk) => {
    await talk.first("chat_status");
    let ack;
    do {
      await new Promise((resolve) => setTimeout(resolve, 200));
      ack = await talk.emit("stop", { sessionId: about.sessionId });
    } while (ack.ok);
    refusedAs("unauthorized", ack);
    assert.match(ack.error.detail, WORDS);
  });
  await refusedAtTheDoor(COUNTING, token);
  const rest = await call(COUNTING, "GET", "/api/me", undefined, { token });
  assert.deepEqual([rest.status, WORDS.test(rest.body.detail)], [401, true]);

  const again = await signedIn(COUNTING);
  await using(new Talk(COUNTING, about.sessionId, { token: again }), async (talk) => {
    await talk.first("chat_status");
  });
});

test("a token that is revoked ends its sockets at once", async () => {
  const session = await signedIn(RULES);
  const made = await call(RULES, "POST", "/api/tokens", { name: "short" }, { token: session });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { token } = made.body;
  const about = await aboutNew(RULES, "notes", note());
  await using(new Talk(RULES, about.sessionId, { token }), async (talk) => {
    await talk.first("chat_status");
    const listed = await call(RULES, "GET", "/api/tokens", undefined, { token: session });
    const { id } = (listed.body.items ?? listed.body).find((each) => each.name === "short");
    await call(RULES, "DELETE", `/api/tokens/${id}`, undefined, { token: session });
    assert.equal((await talk.first("access_ended")).type, "/problems/unauthorized");
  });
  await refusedAtTheDoor(RULES, token);
});
