// Server-sent events as `eventsource` reads them, over a connection that can be made to break.

import { EventSource } from "eventsource";
import { PATIENCE, TOKEN } from "./person.mjs";

const NAMED = ["job_queued", "job_started", "node_started", "progress", "node_complete"];
const ALL = [...NAMED, "job_notice", "job_complete", "message"];

/**
 * Follow a stream until the server says that there is no more of it.
 *
 * `cuts`: after how many events each connection breaks; `lastEventId`: where the first begins;
 * `request`: what else its requests hold.  `heard` has the events, `asked` the `Last-Event-ID` of
 * each connection, `ended` the event with which the client gave up.
 */
export function follow(address, { cuts = [], lastEventId, request = {} } = {}) {
  const heard = [];
  const asked = [];
  const source = new EventSource(address, {
    fetch: async (url, init) => {
      const headers = { ...init.headers, Authorization: `Bearer ${TOKEN}`, ...request.headers };
      if (lastEventId && !asked.length) headers["Last-Event-ID"] = lastEventId;
      const cut = cuts[asked.push(headers["Last-Event-ID"]) - 1];
      const answer = await fetch(url, { ...init, ...request, headers });
      if (cut === undefined || !answer.body) return answer;
      const { status, redirected } = answer;
      const body = answer.body.pipeThrough(breaking(cut));
      return { status, headers: answer.headers, url: answer.url, redirected, body };
    },
  });
  const ended = new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      source.close();
      reject(new Error(`the stream does not end: ${JSON.stringify(heard.slice(-3))}`));
    }, PATIENCE);
    for (const name of ALL) {
      source.addEventListener(name, (event) => {
        const data = JSON.parse(event.data);
        heard.push({ name: data.type ?? name, id: event.lastEventId, data });
      });
    }
    source.addEventListener("error", (event) => {
      if (source.readyState !== EventSource.CLOSED) return;
      clearTimeout(late);
      resolve(event);
    });
  });
  return { heard, asked, ended };
}

/** Let so many whole events through, then end as a lost connection does. */
function breaking(events) {
  let left = events;
  let text = "";
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  return new TransformStream({
    transform(chunk, stream) {
      text += decoder.decode(chunk, { stream: true });
      let end;
      while (left > 0 && (end = text.match(/\r?\n\r?\n/))) {
        const after = end.index + end[0].length;
        const block = text.slice(0, after);
        if (/^data:/m.test(block)) left -= 1;
        stream.enqueue(encoder.encode(block));
        text = text.slice(after);
      }
      if (left === 0) stream.terminate();
    },
  });
}
