import type { ReactNode } from "react";
import { useRunDetail } from "@/shared/api/runs";
import { duration, inWords, number, Time } from "@/shared/format";
import type { NodeStatus } from "@/shared/events/run";
import { NodeTitlesProvider, useNodeTitlesOf } from "@/shared/runs/nodeTitles";
import { NODE_STATES } from "@/shared/runs/words";
import { classes, ErrorState, Icon, SkeletonLines } from "@/shared/ui";
import { ModelCalls, ToolCalls } from "./Calls";
import { EventLog } from "@/shared/runs/EventLog";

/** One node of a run: its turns, its calls and its events. */
export function NodeTitle({ args }: { args: string[] }) {
  const [id = "", node = ""] = args;
  const run = useRunDetail(id).data;
  return useNodeTitlesOf(run?.kind ?? "", run?.type ?? "")(node);
}

export function NodeSheet({ args }: { args: string[] }) {
  const [id = "", node = "", branch = ""] = args;
  const run = useRunDetail(id);
  const titleOf = useNodeTitlesOf(run.data?.kind ?? "", run.data?.type ?? "");
  if (run.error && !run.data)
    return <ErrorState error={run.error} retry={() => void run.refetch()} />;
  if (!run.data) return <SkeletonLines lines={8} />;
  const turns = run.data.stepHistory.filter(
    (step) => step.node === node && (step.branch ?? "") === branch,
  );
  const log = { of: "runs" as const, id, node };
  const isForked = run.data.stepHistory.some((step) => step.node === node && step.branch !== null);
  return (
    <NodeTitlesProvider value={titleOf}>
      <div className="flex flex-col gap-6">
        <Part title={turns.length > 1 ? `${turns.length} turns` : "Turn"}>
          <ul className="flex flex-col gap-2">
            {turns.map((turn) => {
              const { icon, look, word } = NODE_STATES[turn.status as NodeStatus];
              const counts = Object.entries(turn.detail.counts);
              return (
                <li key={turn.step} className="flex gap-2.5">
                  <Icon name={icon} className={classes("mt-0.5", look)} />
                  <div className="min-w-0 grow">
                    <p>
                      {branch && `${branch} · `}
                      {word}
                      <span className="text-muted">
                        {" "}
                        · <Time at={turn.startedAt} />
                        {turn.attempt > 1 && ` · attempt ${turn.attempt} of the run`}
                        {turn.detail.attempts > 1 && ` · tried ${turn.detail.attempts} times`}
                      </span>
                    </p>
                    {turn.detail.error && (
                      <p
                        className={classes(
                          "text-table wrap-anywhere",
                          turn.status === "error" ? "text-negative" : "text-muted",
                        )}
                      >
                        {turn.detail.error}
                      </p>
                    )}
                    {counts.length > 0 && (
                      <p className="figures text-table text-muted">
                        {counts
                          .map(([name, count]) => `${number(count)} ${inWords(name).toLowerCase()}`)
                          .join(" · ")}
                      </p>
                    )}
                  </div>
                  <span className="figures text-table text-muted">
                    {turn.durationMs !== null && duration(turn.durationMs)}
                  </span>
                </li>
              );
            })}
          </ul>
          {turns.length === 0 && <p className="text-muted">It has not begun, or only just.</p>}
        </Part>
        <Part title="Model calls" note={isForked ? "of all branches of this node" : undefined}>
          <ModelCalls log={log} empty="None: what this node did, it did by rules." />
        </Part>
        <Part title="Tool calls" note={isForked ? "of all branches of this node" : undefined}>
          <ToolCalls log={log} empty="None." />
        </Part>
        <Part title="Events">
          <EventLog log={log} />
        </Part>
      </div>
    </NodeTitlesProvider>
  );
}

export function Part({
  title,
  note,
  children,
}: {
  title: string;
  note?: string;
  children: ReactNode;
}) {
  return (
    <section>
      <h3 className="mb-2 font-semibold">
        {title}
        {note && <span className="font-normal text-muted"> · {note}</span>}
      </h3>
      {children}
    </section>
  );
}
