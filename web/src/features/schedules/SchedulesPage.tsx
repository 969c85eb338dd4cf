import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Button as AriaButton, MenuTrigger } from "react-aria-components";
import { useMayWrite } from "@/shared/api";
import { useJobTitle } from "@/shared/api/jobs";
import {
  type Schedule,
  useChangeSchedule,
  useDeleteSchedule,
  useSchedules,
  useStartSchedule,
} from "@/shared/api/schedules";
import type { RunStatus } from "@/shared/events/run";
import { fullTime, relativeTime, Time } from "@/shared/format";
import { RunStateChip } from "@/shared/runs/RunState";
import {
  Button,
  Dialog,
  EmptyState,
  ErrorState,
  Icon,
  Menu,
  MenuItem,
  SkeletonLines,
  StateChip,
  toast,
  toastError,
} from "@/shared/ui";
import { PageHeader } from "@/shared/ui/Page";
import { ScheduleForm } from "./ScheduleForm";

/** What starts by itself, when next, and what came of it last. */
export function SchedulesPage() {
  const schedules = useSchedules();
  const mayWrite = useMayWrite();
  const [editing, edit] = useState<Schedule | "new">();
  const [deleting, askToDelete] = useState<Schedule>();
  const rows = schedules.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div className="max-w-[1200px]">
      <PageHeader
        title="Schedules"
        about="Jobs that start by themselves"
        actions={
          mayWrite && (
            <Button look="primary" icon="plus" onPress={() => edit("new")}>
              New schedule
            </Button>
          )
        }
      />
      {schedules.error && !schedules.data ? (
        <ErrorState error={schedules.error} retry={() => void schedules.refetch()} />
      ) : schedules.isPending ? (
        <SkeletonLines lines={8} />
      ) : rows.length === 0 ? (
        <EmptyState
          icon="calendar"
          title="Nothing starts by itself yet"
          action={
            mayWrite && (
              <Button look="primary" icon="plus" onPress={() => edit("new")}>
                New schedule
              </Button>
            )
          }
        >
          A schedule starts a job at its times, such as the research of every record on Monday
          mornings.
        </EmptyState>
      ) : (
        <ul
          aria-label="Schedules"
          className="divide-y divide-line rounded-ui border border-line bg-raised"
        >
          {rows.map((schedule) => (
            <Row
              key={schedule.id}
              schedule={schedule}
              mayWrite={mayWrite}
              onEdit={() => edit(schedule)}
              onDelete={() => askToDelete(schedule)}
            />
          ))}
        </ul>
      )}
      {schedules.hasNextPage && (
        <div className="mt-3 flex justify-center">
          <Button
            isPending={schedules.isFetchingNextPage}
            onPress={() => void schedules.fetchNextPage()}
          >
            Show more
          </Button>
        </div>
      )}
      <Dialog
        size="large"
        title={editing === "new" ? "New schedule" : "Change the schedule"}
        isOpen={editing !== undefined}
        onClose={() => edit(undefined)}
      >
        {editing && (
          <ScheduleForm
            schedule={editing === "new" ? undefined : editing}
            onDone={() => edit(undefined)}
          />
        )}
      </Dialog>
      <Dialog
        title="Delete this schedule?"
        isOpen={deleting !== undefined}
        onClose={() => askToDelete(undefined)}
      >
        {deleting && <DeleteForm schedule={deleting} onDone={() => askToDelete(undefined)} />}
      </Dialog>
    </div>
  );
}

interface RowProps {
  schedule: Schedule;
  mayWrite: boolean;
  onEdit: () => void;
  onDelete: () => void;
}

function Row({ schedule, mayWrite, onEdit, onDelete }: RowProps) {
  const titleOf = useJobTitle();
  const { paused, isKnown, nextAt } = schedule;
  return (
    <li
      aria-label={schedule.title}
      className="grid items-start gap-x-6 gap-y-2 p-4 max-sm:grid-cols-2 sm:grid-cols-[1fr_9rem_13rem_9rem]"
    >
      <div className="min-w-0 max-sm:col-span-2">
        <h2 className="font-medium wrap-anywhere">{schedule.title}</h2>
        <p className="text-table text-muted">{schedule.description}</p>
        <p className="truncate text-table text-muted">
          {titleOf(schedule.job)}
          {schedule.declaredAs && " · comes with its pack"}
        </p>
      </div>
      <div className="text-table">
        <p className="text-small text-muted">Next</p>
        {!isKnown ? (
          <StateChip tone="negative">Starts nothing</StateChip>
        ) : paused ? (
          <StateChip tone="caution">Paused</StateChip>
        ) : nextAt ? (
          <p title={fullTime(nextAt)}>{relativeTime(nextAt)}</p>
        ) : (
          <p className="text-muted">never</p>
        )}
        {!isKnown && <p className="text-small text-muted">No installed pack offers its job.</p>}
      </div>
      <Last schedule={schedule} />
      {mayWrite && <Actions schedule={schedule} onEdit={onEdit} onDelete={onDelete} />}
    </li>
  );
}

/** What came of its last tick. */
function Last({ schedule }: { schedule: Schedule }) {
  const { lastAt, lastOutcome, lastJobId, lastJobStatus, lastError } = schedule;
  return (
    <div className="min-w-0 text-table">
      <p className="text-small text-muted">Last</p>
      {!lastAt ? (
        <p className="text-muted">not yet</p>
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          {lastOutcome === "failed" ? (
            <StateChip tone="negative">Did not start</StateChip>
          ) : lastJobId && lastJobStatus ? (
            <Link to="/jobs/$job" params={{ job: lastJobId }} className="hover:underline">
              <RunStateChip status={lastJobStatus as RunStatus} />
            </Link>
          ) : (
            <StateChip>Started</StateChip>
          )}
          <span className="text-muted">
            <Time at={lastAt} />
          </span>
        </div>
      )}
      {lastOutcome === "skipped" && (
        <p className="text-small text-muted">Left out: the one before was still running.</p>
      )}
      {lastError && <p className="text-small text-negative wrap-anywhere">{lastError}</p>}
    </div>
  );
}

function Actions({ schedule, onEdit, onDelete }: Omit<RowProps, "mayWrite">) {
  const change = useChangeSchedule();
  const start = useStartSchedule();
  const { id, paused, isKnown } = schedule;
  return (
    <div className="flex items-center gap-1 max-sm:col-span-2 sm:justify-end">
      <Button
        isPending={change.isPending}
        onPress={() => change.mutate({ id, paused: !paused }, { onError: toastError })}
      >
        {paused ? "Continue" : "Pause"}
      </Button>
      <MenuTrigger>
        <AriaButton
          aria-label={`More for ${schedule.title}`}
          className="inline-flex size-8 touch-44 items-center justify-center rounded-ui text-muted data-hovered:bg-hover"
        >
          <Icon name="more" />
        </AriaButton>
        <Menu label={`More for ${schedule.title}`}>
          <MenuItem
            id="start"
            icon="right"
            textValue="Start now"
            isDisabled={!isKnown}
            onAction={() =>
              start.mutate(id, {
                onError: toastError,
                onSuccess: ({ lastOutcome, lastError }) =>
                  toast(
                    lastOutcome === "started"
                      ? "Started."
                      : (lastError ?? "The one before is still running."),
                  ),
              })
            }
          >
            Start now
          </MenuItem>
          <MenuItem id="edit" icon="edit" textValue="Change" onAction={onEdit}>
            Change
          </MenuItem>
          <MenuItem
            id="delete"
            icon="close"
            textValue="Delete"
            // It would be created again.
            isDisabled={schedule.declaredAs !== null && isKnown}
            onAction={onDelete}
          >
            Delete
          </MenuItem>
        </Menu>
      </MenuTrigger>
    </div>
  );
}

function DeleteForm({ schedule, onDone }: { schedule: Schedule; onDone: () => void }) {
  const remove = useDeleteSchedule();
  return (
    <div className="flex flex-col gap-4">
      <p>“{schedule.title}” starts nothing any more. A job that it has started goes on.</p>
      <span className="flex gap-2">
        <Button
          look="danger"
          isPending={remove.isPending}
          onPress={() => remove.mutate(schedule.id, { onError: toastError, onSuccess: onDone })}
        >
          Delete
        </Button>
        <Button look="quiet" onPress={onDone}>
          Keep it
        </Button>
      </span>
    </div>
  );
}
