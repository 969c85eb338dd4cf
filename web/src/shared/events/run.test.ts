import { expect, test } from "vitest";
import { NEW_RUN, reduceRun, type RunEvent, type RunState } from "./run";

const complete = (
  seq: number,
  node: string,
  step: number,
  status: "success" | "error" = "success",
) =>
  ({
    seq,
    type: "node_complete",
    node,
    step,
    status,
    durationMs: 10,
    timestamp: "2025-06-02T09:30:04Z",
    error: status === "error" ? "It failed." : null,
    branch: null,
    progress: step * 30,
  }) satisfies RunEvent;
const started = (seq: number, node: string, step: number) =>
  ({ seq, type: "node_started", node, step, attempt: 1, branch: null }) satisfies RunEvent;

/** A recorded run: a pause with a question, an answer, and the end. */
const LOG: RunEvent[] = [
  { seq: 1, type: "job_queued", priority: "normal" },
  { seq: 2, type: "job_started", attempt: 1, resumed: false },
  started(3, "read_note", 1),
  { seq: 4, type: "progress", node: "read_note", message: "Reading", branch: null },
  complete(5, "read_note", 1),
  {
    seq: 6,
    type: "job_paused",
    notice: "Research waits for your answer",
    resumeAt: null,
    question: {
      key: "identity",
      text: "What is it?",
      why: "",
      kind: "text",
      choices: [],
      required: true,
    },
  },
  { seq: 7, type: "job_queued", priority: "normal" },
  { seq: 8, type: "job_started", attempt: 2, resumed: true },
  started(9, "count", 2),
  complete(10, "count", 2),
  {
    seq: 11,
    type: "job_complete",
    status: "success",
    dossierId: "d",
    partial: false,
    summary: "Two words.",
    error: null,
  },
];

const fold = (events: RunEvent[], from: RunState = NEW_RUN) => events.reduce(reduceRun, from);

test("a whole log is folded into its end", () => {
  const end = fold(LOG);
  expect(end).toMatchObject({
    status: "success",
    lastSeq: 11,
    progress: 100,
    question: null,
    early: {},
  });
  expect(end.steps.map(({ node, status, message }) => [node, status, message])).toEqual([
    ["read_note", "success", "Reading"],
    ["count", "success", null],
  ]);
});

test("cut at any event, it goes on from its cursor to the same end, also with events sent twice", () => {
  for (let cut = 0; cut < LOG.length; cut += 1) {
    const before = fold(LOG.slice(0, cut));
    const sent = LOG.filter(({ seq }) => seq > before.lastSeq);
    expect(fold([...LOG.slice(Math.max(0, cut - 2), cut), ...sent], before)).toEqual(fold(LOG));
  }
});

test("a paused run asks its question, and no longer once it goes on", () => {
  expect(fold(LOG.slice(0, 6))).toMatchObject({ status: "paused", question: { key: "identity" } });
  expect(fold(LOG.slice(0, 7)).question).toBeNull();
});

test("events that come twice change nothing", () => {
  expect(fold(LOG.flatMap((event) => [event, event]))).toEqual(fold(LOG));
  expect(fold([...LOG, ...LOG])).toEqual(fold(LOG));
});

test("any order ends at the same place", () => {
  for (let seed = 1; seed <= 200; seed += 1) expect(fold(shuffled(LOG, seed))).toEqual(fold(LOG));
});

test("what comes after a gap waits for what is missing", () => {
  const gapped = fold([...LOG.slice(0, 4), ...LOG.slice(5)]);
  expect(gapped).toMatchObject({ lastSeq: 4, status: "running" });
  expect(reduceRun(gapped, LOG[4]!)).toEqual(fold(LOG));
});

test("a snapshot goes on with the events after it, and with no others", () => {
  const snapshot: RunState = { ...NEW_RUN, lastSeq: 8, status: "running", attempt: 2 };
  expect(fold(LOG, snapshot)).toMatchObject({ status: "success", lastSeq: 11 });
  expect(fold(LOG, snapshot).steps.map((step) => step.node)).toEqual(["count"]);
});

test("an event of a newer server is counted and left alone", () => {
  const unknown = { seq: 1, type: "job_painted" } as unknown as RunEvent;
  expect(reduceRun(NEW_RUN, unknown)).toEqual({ ...NEW_RUN, lastSeq: 1 });
});

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const result = [...items];
  let state = seed;
  for (let index = result.length - 1; index > 0; index -= 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const other = state % (index + 1);
    [result[index], result[other]] = [result[other]!, result[index]!];
  }
  return result;
}
