// A person with a program of their own: calls over HTTP, and sockets that come back by themselves.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { io } from "socket.io-client";

/** Answers by rules, and works on research. */
export const RULES = process.env.WHENCE_STORY_RULES;
/** Answers with a model that counts aloud, a word every few milliseconds. */
export const COUNTING = process.env.WHENCE_STORY_COUNTING;
export const TOKEN = process.env.WHENCE_STORY_TOKEN;
export const EMAIL = process.env.WHENCE_STORY_EMAIL;
export const PASSWORD = process.env.WHENCE_STORY_PASSWORD;
/** Milliseconds after which nothing comes any more; a machine under load is slow, not wrong. */
export const PATIENCE = 30_000;

/** A call of the API; its status, headers and body. */
export async function call(base, method, path, body, { token = TOKEN, headers = {} } = {}) {
  const answer = await fetch(base + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null };
}

/** A new record and a conversation about it. */
export async function aboutNew(base, kind, record) {
  const made = await call(base, "POST", `/api/${kind}`, record);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const path = `/api/${kind}/${made.body.id}`;
  const begun = await call(base, "POST", `${path}/chat/sessions`);
  assert.equal(begun.status, 201, JSON.stringify(begun.body));
  return { id: made.body.id, path, sessionId: begun.body.sessionId };
}

export const note = (text = "four words stand here") => ({ title: "A note", text });

/** A socket, and all that it heard, in order. */
export class Line {
  constructor(base, namespace, auth = { token: TOKEN }) {
    this.heard = [];
    this.wakers = new Set();
    this.socket = io(base + namespace, {
      auth,
      forceNew: true,
      reconnectionDelay: 20,
      reconnectionDelayMax: 100,
    });
    this.socket.onAny((name, data) => this.#hear(name, data));
    this.socket.on("connect_error", (error) => this.#hear("connect_error", error));
    this.socket.on("disconnect", (reason) => this.#hear("disconnect", reason));
    this.socket.on("connect", () => this.#hear("connect", null));
  }

  #hear(name, data) {
    this.heard.push({ name, data });
    for (const wake of this.wakers) wake();
  }

  /** What `find(line)` finds, as soon as it finds something. */
  async until(find, what) {
    const found = find(this);
    if (found) return found;
    return new Promise((resolve, reject) => {
      const wake = () => {
        const now = find(this);
        if (now) done(() => resolve(now));
      };
      const late = setTimeout(() => {
        const last = this.heard.slice(-5).map(({ name, data }) => `${name} ${JSON.stringify(data)}`);
        done(() => reject(new Error(`nothing came of ${what}; the last:\n${last.join("\n")}`)));
      }, PATIENCE);
      const done = (then) => {
        clearTimeout(late);
        this.wakers.delete(wake);
        then();
      };
      this.wakers.add(wake);
    });
  }

  all(name) {
    return this.heard.filter((each) => each.name === name).map((each) => each.data);
  }

  /** The first message of this name, or the first that `fits`. */
  async first(name, fits = () => true) {
    const found = (line) => line.heard.find((each) => each.name === name && fits(each.data));
    return (await this.until(found, `"${name}"`)).data;
  }

  /** Send an event; its acknowledgement.  One that never comes is an error. */
  emit(event, ...payload) {
    return this.socket.timeout(PATIENCE).emitWithAck(event, ...payload);
  }

  /** Lose the connection as a broken line does; the client comes back by itself. */
  drop() {
    this.socket.io.engine.close();
  }

  close() {
    this.socket.close();
  }
}

/** A conversation that is followed over any number of connections. */
export class Talk extends Line {
  constructor(base, sessionId, auth) {
    super(base, "/chat", auth);
    this.sessionId = sessionId;
    this.cursor = undefined;
    this.socket.onAny((name, data) => {
      this.cursor = data.seq ?? (name === "chat_status" ? data.lastSeq : this.cursor);
    });
    this.socket.on("connect", () => this.#join());
  }

  async #join() {
    const after = this.cursor === undefined ? {} : { after: this.cursor };
    this.joined = await this.emit("join_session", { sessionId: this.sessionId, ...after });
  }

  send(content, clientMessageId = randomUUID(), more = {}) {
    const { sessionId } = this;
    return this.emit("send_message", { sessionId, content, clientMessageId, ...more });
  }

  /** Send and wait for the end; the answer as it was stored. */
  async ask(content, more) {
    const sent = await this.send(content, randomUUID(), more);
    assert.equal(sent.ok, true, JSON.stringify(sent));
    await this.first("turn_ended", (event) => event.turnId === sent.turnId);
    return this.answer(sent.answerId);
  }

  /** The newest state of a message. */
  answer(messageId) {
    const event = this.all("message").filter((m) => m.id === messageId).at(-1);
    if (!event) return undefined;
    const { seq, ...message } = event;
    return message;
  }

  /** The pieces that came of an answer, put together. */
  said(messageId) {
    return this.all("token").filter((t) => t.messageId === messageId).map((t) => t.token).join("");
  }

  get seqs() {
    return this.heard.flatMap(({ data }) => data?.seq ?? []);
  }
}

/** Use something and close it, however it goes. */
export async function using(thing, story) {
  try {
    await story(thing);
  } finally {
    thing.close();
  }
}

/** That a refusal is a problem document of this type. */
export function refusedAs(type, acknowledgement) {
  assert.equal(acknowledgement.ok, false, JSON.stringify(acknowledgement));
  const { error } = acknowledgement;
  assert.equal(error.type, `/problems/${type}`, JSON.stringify(error));
  assert.equal(typeof error.title, "string");
  assert.equal(typeof error.detail, "string");
  assert.ok(error.status >= 400 && error.status < 500, JSON.stringify(error));
}

/** That numbers follow one another without a hole or a repetition. */
export function dense(numbers) {
  assert.deepEqual(numbers, numbers.map((_, index) => numbers[0] + index));
}
