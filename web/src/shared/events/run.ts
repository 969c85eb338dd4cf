/**
 * What is known of a run, folded from its events.
 *
 * Events are numbered without gaps.  One that came before changes nothing; one that comes too early
 * waits for those before it; a `gap` with a snapshot starts anew from there.  So a client that lost
 * its connection, or hears twice, ends where everybody else does.
 */

export interface RunQuestion {
  key: string;
  text: string;
  why: string;
  kind: "text" | "choice" | "number";
  choices: string[];
  required: boolean;
}

export type RunStatus = "pending" | "running" | "paused" | "success" | "error" | "cancelled";

/** An event as it stands in the log; `seq` counts from 1. */
export type RunEvent = { seq: number } & (
  | { type: "job_queued"; priority: string }
  | { type: "job_started"; attempt: number; resumed: boolean }
  | { type: "node_started"; node: string; step: number; attempt: number; branch: string | null }
  | { type: "progress"; node: string; message: string; branch: string | null }
  | { type: "job_progress"; done: number; total: number | null; message: string | null }
  | {
      type: "node_complete";
      node: string;
      step: number;
      status: NodeStatus;
      durationMs: number;
      timestamp: string;
      error: string | null;
      branch: string | null;
      progress: number | null;
    }
  | { type: "job_paused"; notice: string; resumeAt: string | null; question: RunQuestion | null }
  | { type: "job_notice"; notice: string }
  | {
      type: "job_complete";
      status: "success" | "error" | "cancelled";
      dossierId: string | null;
      partial: boolean;
      summary: string | null;
      error: { type: string; message: string } | null;
    }
);

export type NodeStatus = "running" | "success" | "error" | "paused" | "interrupted" | "skipped";

/** One step: a node in one attempt, in one branch. */
export interface RunStep {
  step: number;
  node: string;
  branch: string | null;
  status: NodeStatus;
  attempt: number;
  /** Null until it is known: an event says when a step ended, not when it began. */
  startedAt: string | null;
  durationMs: number | null;
  error: string | null;
  message: string | null;
}

/** How far a job is: `done` of `total`, where the total is known. */
export interface JobCounter {
  done: number;
  total: number | null;
}

export interface RunState {
  lastSeq: number;
  status: RunStatus;
  attempt: number;
  /** The newest steps, at most MOST_STEPS, so that a page that stays open does not grow. */
  steps: readonly RunStep[];
  /** In per cent, where it is known. */
  progress: number | null;
  counter: JobCounter | null;
  notice: string | null;
  resumeAt: string | null;
  question: RunQuestion | null;
  error: { type: string; message: string } | null;
  isPartial: boolean;
  /** Events that came before those that precede them. */
  early: Readonly<Record<number, RunEvent>>;
}

export const NEW_RUN: RunState = {
  lastSeq: 0,
  status: "pending",
  attempt: 0,
  steps: [],
  progress: null,
  counter: null,
  notice: null,
  resumeAt: null,
  question: null,
  error: null,
  isPartial: false,
  early: {},
};

/** A run has tens of steps, and hundreds with many branches; a page shows no more than this. */
export const MOST_STEPS = 2_000;

export const hasEnded = (status: RunStatus): boolean =>
  status === "success" || status === "error" || status === "cancelled";

/** The state after one more event, in whatever order they arrive. */
export function reduceRun(state: RunState, event: RunEvent): RunState {
  if (event.seq <= state.lastSeq) return state;
  if (event.seq > state.lastSeq + 1)
    return { ...state, early: { ...state.early, [event.seq]: event } };
  let next: RunState = { ...apply(state, event), lastSeq: event.seq };
  for (let early = next.early[next.lastSeq + 1]; early; early = next.early[next.lastSeq + 1])
    next = { ...apply(next, early), lastSeq: early.seq };
  const early = Object.entries(next.early).filter(([seq]) => Number(seq) > next.lastSeq);
  return { ...next, early: Object.fromEntries(early) };
}

/** Whether events are missing before some that have come. */
export const hasHole = (state: RunState): boolean => Object.keys(state.early).length > 0;

function apply(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case "job_queued":
      return { ...state, status: "pending", question: null, resumeAt: null, error: null };
    case "job_started":
      return {
        ...state,
        status: "running",
        attempt: event.attempt,
        question: null,
        resumeAt: null,
        notice: null,
        error: null,
      };
    case "node_started":
      return {
        ...state,
        steps: withStep(state.steps, {
          step: event.step,
          node: event.node,
          branch: event.branch,
          status: "running",
          attempt: event.attempt,
          startedAt: null,
          durationMs: null,
          error: null,
          message: null,
        }),
      };
    case "progress":
      return { ...state, steps: withMessage(state.steps, event) };
    case "job_progress":
      return {
        ...state,
        progress: event.total ? Math.round((100 * event.done) / event.total) : state.progress,
        counter: { done: event.done, total: event.total },
        notice: event.message ?? state.notice,
      };
    case "node_complete": {
      const before = state.steps.findLast((step) => step.step === event.step);
      return {
        ...state,
        progress: event.progress ?? state.progress,
        steps: withStep(state.steps, {
          step: event.step,
          node: event.node,
          branch: event.branch,
          status: event.status,
          attempt: before?.attempt ?? state.attempt,
          startedAt: new Date(Date.parse(event.timestamp) - event.durationMs).toISOString(),
          durationMs: event.durationMs,
          error: event.error,
          message: before?.message ?? null,
        }),
      };
    }
    case "job_paused":
      return {
        ...state,
        status: "paused",
        notice: event.notice,
        resumeAt: event.resumeAt,
        question: event.question,
      };
    case "job_notice":
      return { ...state, notice: event.notice };
    case "job_complete":
      return {
        ...state,
        status: event.status,
        isPartial: event.partial,
        error: event.error,
        question: null,
        resumeAt: null,
        progress: event.status === "success" ? 100 : state.progress,
      };
    default:
      // An event of a newer server: its number counts, its content does not.
      return state;
  }
}

function withStep(steps: readonly RunStep[], step: RunStep): readonly RunStep[] {
  const index = steps.findLastIndex((each) => each.step === step.step);
  if (index >= 0) return steps.with(index, step);
  return [...(steps.length < MOST_STEPS ? steps : steps.slice(1 - MOST_STEPS)), step];
}

/** Of steps that stay the same the objects stay the same, so that a page draws only what changed. */
function withMessage(
  steps: readonly RunStep[],
  event: { node: string; branch: string | null; message: string },
): readonly RunStep[] {
  const index = steps.findLastIndex(
    ({ status, node, branch }) =>
      status === "running" && node === event.node && branch === event.branch,
  );
  const step = steps[index];
  return step ? steps.with(index, { ...step, message: event.message }) : steps;
}
