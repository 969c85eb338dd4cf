import { useEffect, useReducer, useRef, useState } from "react";
import type { Job } from "@/shared/api/research";
import { hasEnded, NEW_RUN, reduceRun, type RunEvent, type RunState } from "./run";

const TYPES = [
  "job_queued",
  "job_started",
  "node_started",
  "progress",
  "job_progress",
  "node_complete",
  "job_paused",
  "job_notice",
  "job_complete",
] as const;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

export type Connection = "connecting" | "live" | "lost" | "ended";
type Action = RunEvent | { type: "snapshot"; job: Job & { lastSeq: number } };

function reduce(state: RunState, action: Action): RunState {
  return action.type === "snapshot" ? fromSnapshot(action.job) : reduceRun(state, action);
}

/** The state that a job's answer describes, up to its last event. */
export function fromSnapshot(job: Job & { lastSeq: number }): RunState {
  return {
    ...NEW_RUN,
    lastSeq: job.lastSeq,
    status: job.status,
    attempt: job.attempt,
    progress: job.progress,
    notice: job.notice,
    resumeAt: job.resumeAt,
    question: job.question as RunState["question"],
    error: job.status === "error" ? job.error : null,
    steps: job.stepHistory.map((step) => ({
      step: step.step,
      node: step.node,
      branch: step.branch,
      status: step.status as RunState["steps"][number]["status"],
      durationMs: step.durationMs,
      error: step.detail.error,
      message: null,
    })),
  };
}

/** A run as it goes on: from its event log, from the beginning, through every lost connection. */
export function useRun(jobId: string, onEnd?: () => void): RunState & { connection: Connection } {
  const [state, dispatch] = useReducer(reduce, NEW_RUN);
  const [connection, connected] = useState<Connection>("connecting");
  const cursor = useRef(0);
  const ended = useRef(onEnd);
  useEffect(() => {
    ended.current = onEnd;
    cursor.current = state.lastSeq;
  });
  const isOver = hasEnded(state.status);
  useEffect(() => {
    if (isOver) ended.current?.();
  }, [isOver]);

  useEffect(() => {
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout>;
    let pause = FIRST_PAUSE_MS;
    let isOpen = true;
    // A failed run that somebody resumes goes on after its end; the last end in the log counts.
    let isAtEnd = false;
    const open = () => {
      source = new EventSource(
        `/api/runs/${encodeURIComponent(jobId)}/events?after=${cursor.current}`,
      );
      source.onopen = () => {
        pause = FIRST_PAUSE_MS;
        connected("live");
      };
      source.onerror = () => {
        // A browser gives up for good after an answer that is no stream; a run may go on.
        source?.close();
        if (!isOpen) return;
        connected(isAtEnd ? "ended" : "lost");
        if (isAtEnd) return;
        timer = setTimeout(open, pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      };
      for (const type of TYPES)
        source.addEventListener(type, (message: MessageEvent<string>) => {
          dispatch({ ...(JSON.parse(message.data) as RunEvent), type } as RunEvent);
          isAtEnd = type === "job_complete";
        });
      source.addEventListener("job_status", (message: MessageEvent<string>) =>
        dispatch({ type: "snapshot", job: JSON.parse(message.data) as Job & { lastSeq: number } }),
      );
    };
    open();
    return () => {
      isOpen = false;
      clearTimeout(timer);
      source?.close();
    };
  }, [jobId]);
  return { ...state, connection };
}
