import { expect, test } from "vitest";
import {
  CONNECTED,
  type ConnectionEvent,
  type ConnectionState,
  phaseOf,
  reduceConnection,
} from "./connection";

const RUN = Symbol("run");
const CHAT = Symbol("chat");

/** Recorded: a network that goes twice while a run and a conversation are open. */
const LOG: ConnectionEvent[] = [
  { type: "lost", why: "network" },
  { type: "stream_lost", stream: RUN },
  { type: "stream_lost", stream: CHAT },
  { type: "back" },
  { type: "stream_caught_up", stream: CHAT },
  { type: "lost", why: "server" },
  { type: "read_again" },
  { type: "stream_lost", stream: CHAT },
  { type: "back" },
  { type: "read_again" },
  { type: "stream_caught_up", stream: CHAT },
  { type: "stream_caught_up", stream: RUN },
  { type: "told" },
];
const fold = (events: ConnectionEvent[], from: ConnectionState = CONNECTED) =>
  events.reduce(reduceConnection, from);

test("it says offline, catching up until every log has what it missed, then caught up", () => {
  const phases = LOG.map((_, at) => phaseOf(fold(LOG.slice(0, at + 1))));
  expect(phases).toEqual([
    ...["offline", "offline", "offline"],
    ...["catching_up", "catching_up"],
    // What was read before the second cut does not count.
    ...["offline", "offline", "offline"],
    ...["catching_up", "catching_up", "catching_up"],
    ...["caught_up", "connected"],
  ]);
});

test("signals that come twice change nothing", () => {
  expect(fold(LOG.flatMap((event) => [event, event]))).toEqual(fold(LOG));
});

test("a log that is closed is not waited for, and one alone says nothing", () => {
  const closed = fold([...LOG.slice(0, 10), { type: "stream_closed", stream: RUN }]);
  expect(phaseOf(reduceConnection(closed, { type: "stream_caught_up", stream: CHAT }))).toBe(
    "caught_up",
  );
  expect(phaseOf(fold([{ type: "stream_lost", stream: RUN }]))).toBe("connected");
});

test("nothing is told before it has caught up", () => {
  const behind = fold(LOG.slice(0, 4));
  expect(phaseOf(reduceConnection(behind, { type: "told" }))).toBe("catching_up");
});
