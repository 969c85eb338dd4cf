import { useMemo } from "react";
import { useKind } from "@/shared/api";
import { type RunDetail, useEventLog } from "@/shared/api/runs";
import { hasEnded } from "@/shared/events/run";
import { useSheet } from "@/shared/routing/sheet";
import { useNow } from "@/shared/runs/RunState";
import { EmptyState } from "@/shared/ui";
import { useLiveRun } from "./live";
import { Timeline } from "./Timeline";

const PAUSES = ["job_paused"];

/** The timeline of a run, as it goes on. */
export function RunTimeline({ run }: { run: RunDetail }) {
  const live = useLiveRun();
  const { stack, open, close } = useSheet();
  const flow = useKind(run.kind)?.kind.flows.find((each) => each.id === run.type);
  const isOver = hasEnded(live.status);
  const now = useNow(!isOver);
  const pauses = useEventLog({ of: "runs", id: run.id, types: PAUSES });
  const began = useMemo(
    () => new Map(run.stepHistory.map((step) => [step.step, step.startedAt])),
    [run.stepHistory],
  );
  const known = new Set(live.steps.map((step) => step.node));
  const waiting = isOver
    ? []
    : (flow?.nodes ?? []).map(({ name }) => name).filter((node) => !known.has(node));
  const top = stack.at(-1);
  const selected = top?.view === "node" ? `${top.args[1]}/${top.args[2] ?? ""}` : undefined;
  if (!live.steps.length && !waiting.length)
    return <EmptyState icon="runs" title="No node has begun" />;
  return (
    <Timeline
      steps={live.steps}
      began={began}
      waiting={waiting}
      pauses={pauses.data?.pages.flatMap((page) => page.items) ?? []}
      now={now}
      version={isOver ? -live.lastSeq : now}
      selected={selected}
      onSelect={({ node, branch }) =>
        selected === `${node}/${branch ?? ""}` ? close() : open("node", run.id, node, branch ?? "")
      }
    />
  );
}
