import { useEffect, useRef, useState } from "react";
import type { BackgroundJob, ItemJob } from "@/shared/api/schema";
import { type Connection, follow } from "./follow";
import {
  hasEnded,
  hasHole,
  MOST_STEPS,
  NEW_RUN,
  reduceRun,
  type RunEvent,
  type RunState,
} from "./run";

export type { Connection } from "./follow";

/** How long events wait in a tab that nobody sees, where no frame is drawn. */
const HIDDEN_BATCH_MS = 250;
/** The shortest time between two drawings: faster changes cannot be read, but cost as much. */
const SHORTEST_BATCH_MS = 80;
/** How long a tab that nobody sees keeps its connection: a browser has only six for a server. */
const HIDDEN_MS = 20_000;

/** The state that the server sends where the events themselves are not kept, or are too many. */
type Snapshot = { lastSeq: number } & (Omit<ItemJob, "itemId"> | BackgroundJob);
type Action = RunEvent | { type: "snapshot"; job: Snapshot };

const reduce = (state: RunState, action: Action): RunState =>
  action.type === "snapshot" ? fromSnapshot(action.job) : reduceRun(state, action);

/** The state that a run's or a job's answer describes, up to its last event. */
export function fromSnapshot(job: Snapshot): RunState {
  const status = job.status as RunState["status"];
  const common = {
    ...NEW_RUN,
    lastSeq: job.lastSeq,
    status,
    attempt: job.attempt,
    notice: job.notice,
    resumeAt: job.resumeAt,
    error: status === "error" ? job.error : null,
  };
  if (!("stepHistory" in job)) {
    const { done, total, message } = job.progress;
    return {
      ...common,
      counter: { done, total },
      progress: total ? Math.round((100 * done) / total) : null,
      notice: job.notice ?? message,
    };
  }
  return {
    ...common,
    progress: job.progress,
    question: job.question as RunState["question"],
    steps: job.stepHistory.slice(-MOST_STEPS).map((step) => ({
      step: step.step,
      node: step.node,
      branch: step.branch,
      status: step.status as RunState["steps"][number]["status"],
      attempt: step.attempt,
      startedAt: step.startedAt,
      durationMs: step.durationMs,
      error: step.detail.error,
      message: null,
    })),
  };
}

interface Options {
  /** Which address has the events: those of research, or those of background jobs. */
  of?: "runs" | "jobs";
  onEnd?: () => void;
}

/**
 * A run as it goes on: from its event log, from the beginning, through every lost connection.
 *
 * Events that come between two drawings are folded together, so that hundreds a second cost no more
 * than a dozen.
 */
export function useRun(
  id: string,
  { of = "runs", onEnd }: Options = {},
): RunState & { connection: Connection } {
  const [state, show] = useState(NEW_RUN);
  const [connection, connected] = useState<Connection>("connecting");
  const ended = useRef(onEnd);
  useEffect(() => {
    ended.current = onEnd;
  });
  const isOver = hasEnded(state.status);
  useEffect(() => {
    if (isOver) ended.current?.();
  }, [isOver]);

  useEffect(() => {
    let current = NEW_RUN;
    let waiting: Action[] = [];
    let stream: ReturnType<typeof follow> | undefined;
    let hiding: ReturnType<typeof setTimeout> | undefined;
    const batch = eachFrame(() => {
      current = waiting.reduce(reduce, current);
      waiting = [];
      show(current);
      if (hasHole(current)) stream?.again();
    });
    const receive = (action: Action) => {
      waiting.push(action);
      batch.request();
    };
    const connect = () => {
      stream ??= follow({
        path: `/api/${of}/${encodeURIComponent(id)}/events`,
        cursor: () => {
          batch.now();
          return current.lastSeq;
        },
        onEvent: ({ type, data }) => {
          if (type === "gap") return; // the snapshot follows
          const body = JSON.parse(data) as object;
          if (type === "job_status") receive({ type: "snapshot", job: body as Snapshot });
          else receive({ ...body, type } as RunEvent);
        },
        onConnection: connected,
      });
    };
    const onVisibility = () => {
      clearTimeout(hiding);
      if (!document.hidden) return connect();
      hiding = setTimeout(() => {
        stream?.stop();
        stream = undefined;
      }, HIDDEN_MS);
    };
    document.addEventListener("visibilitychange", onVisibility);
    connect();
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      clearTimeout(hiding);
      batch.cancel();
      stream?.stop();
    };
  }, [id, of]);
  return { ...state, connection };
}

/** Runs `work` with a frame, now and then; in a hidden tab, which draws none, by the clock. */
function eachFrame(work: () => void) {
  let frame = 0;
  let last = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = 0;
    timer = undefined;
  };
  const now = () => {
    if (timer === undefined) return;
    cancel();
    last = performance.now();
    work();
  };
  return {
    request() {
      if (timer !== undefined) return;
      const wait = last + SHORTEST_BATCH_MS - performance.now();
      if (wait > 0) {
        timer = setTimeout(now, wait);
        return;
      }
      frame = requestAnimationFrame(now);
      timer = setTimeout(now, HIDDEN_BATCH_MS);
    },
    now,
    cancel,
  };
}
