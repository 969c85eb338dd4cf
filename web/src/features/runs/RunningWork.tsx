import { useNavigate } from "@tanstack/react-router";
import { Button as AriaButton, MenuTrigger } from "react-aria-components";
import { useJobTitle } from "@/shared/api/jobs";
import { useActiveWork } from "@/shared/api/runs";
import { inWords } from "@/shared/format";
import type { RunStatus } from "@/shared/events/run";
import { RUN_STATES } from "@/shared/runs/words";
import { classes, Menu, MenuItem, MenuSection } from "@/shared/ui";

/** A quiet ring at the top while something runs: how much, what, and the way there. */
export function RunningWork() {
  const work = useActiveWork().data;
  const navigate = useNavigate();
  const titleOf = useJobTitle(Boolean(work?.jobs.length));
  if (!work) return null;
  const { pending, running, paused } = work.counts;
  const busy = (pending ?? 0) + (running ?? 0);
  if (busy + (paused ?? 0) === 0) return null;
  const words = [busy > 0 ? `${busy} running` : "", paused ? `${paused} paused` : ""].filter(
    Boolean,
  );
  return (
    <MenuTrigger>
      <AriaButton
        aria-label={`Work: ${words.join(", ")}`}
        className="flex h-8 touch-44 items-center gap-1.5 rounded-ui px-2 text-muted data-hovered:bg-hover"
      >
        <span
          aria-hidden="true"
          className={classes(
            "size-3.5 rounded-full border-2",
            busy > 0
              ? "animate-turn border-line-strong border-t-accent"
              : "border-dashed border-caution",
          )}
        />
        <span className="figures text-table">{busy || paused}</span>
      </AriaButton>
      <Menu label="Running work">
        {work.runs.length > 0 && (
          <MenuSection title="Research">
            {work.runs.map((run) => (
              <MenuItem
                key={run.id}
                id={run.id}
                textValue={run.title ?? inWords(run.flow)}
                onAction={() => void navigate({ to: "/runs/$run", params: { run: run.id } })}
              >
                <Line
                  title={run.title ?? inWords(run.kind)}
                  status={run.status}
                  percent={run.progress}
                />
              </MenuItem>
            ))}
          </MenuSection>
        )}
        {work.jobs.length > 0 && (
          <MenuSection title="Jobs">
            {work.jobs.map((job) => (
              <MenuItem
                key={job.id}
                id={job.id}
                textValue={titleOf(job.type)}
                onAction={() => void navigate({ to: "/jobs/$job", params: { job: job.id } })}
              >
                <Line
                  title={titleOf(job.type)}
                  status={job.status as RunStatus}
                  percent={percentOf(job.progress)}
                />
              </MenuItem>
            ))}
          </MenuSection>
        )}
        <MenuSection title="All">
          <MenuItem
            id="all-runs"
            icon="runs"
            textValue="All runs"
            onAction={() => void navigate({ to: "/runs" })}
          >
            All runs
          </MenuItem>
          <MenuItem
            id="all-jobs"
            icon="jobs"
            textValue="All jobs"
            onAction={() => void navigate({ to: "/jobs" })}
          >
            All jobs
          </MenuItem>
        </MenuSection>
      </Menu>
    </MenuTrigger>
  );
}

const percentOf = ({ done, total }: { done: number; total: number | null }): number | null =>
  total ? Math.round((100 * done) / total) : null;

function Line(props: { title: string; status: RunStatus; percent: number | null }) {
  const { title, status, percent } = props;
  return (
    <span className="flex w-64 max-w-[70vw] items-center gap-3">
      <span className="min-w-0 grow truncate">{title}</span>
      <span className="figures whitespace-nowrap text-small text-muted">
        {status === "running" && percent !== null
          ? `${percent} %`
          : RUN_STATES[status].word.toLowerCase()}
      </span>
    </span>
  );
}
