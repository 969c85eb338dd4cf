import { type FormEvent, useDeferredValue, useMemo, useState } from "react";
import { ApiError } from "@/shared/api";
import { useJobTypes } from "@/shared/api/jobs";
import { type Schedule, useChangeSchedule, useCreateSchedule } from "@/shared/api/schedules";
import type { Schema } from "@/shared/schema/schema";
import { Button, describeError, Field, Notice, Select, SkeletonLines } from "@/shared/ui";
import { draftOf, membersOf, payloadOf } from "./payload";
import { PayloadFields } from "./PayloadFields";
import { newRhythm, rhythmOf, timingOf } from "./rhythm";
import { RhythmFields, TimesAhead } from "./RhythmFields";

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** A schedule: what to start, with what, and when, with its next times shown as one chooses. */
export function ScheduleForm({ schedule, onDone }: { schedule?: Schedule; onDone: () => void }) {
  const types = useJobTypes();
  const create = useCreateSchedule();
  const change = useChangeSchedule();
  const [title, setTitle] = useState(schedule?.title ?? "");
  const [job, setJob] = useState(schedule?.job ?? "");
  const [drafts, setDrafts] = useState<Record<string, Record<string, string>>>({});
  const [rhythm, setRhythm] = useState(() =>
    schedule ? rhythmOf(schedule, HERE) : newRhythm(HERE),
  );
  const [unread, setUnread] = useState<Record<string, string>>({});
  const timing = timingOf(useDeferredValue(rhythm));
  const type = types.data?.find((each) => each.type === job);
  const members = useMemo(() => membersOf((type?.payload ?? {}) as Schema), [type]);
  const draft = drafts[job] ?? draftOf(members, schedule?.job === job ? schedule.payload : {});
  const error = create.error ?? change.error;
  const fromServer = error instanceof ApiError ? error.fields : {};
  const errors: Record<string, string> = { ...fromServer, ...unread };
  const isDeclared = Boolean(schedule?.declaredAs);

  function submit(event: FormEvent) {
    event.preventDefault();
    const { payload, errors: wrong } = isDeclared
      ? { payload: undefined, errors: {} }
      : payloadOf(members, draft);
    const missing: Record<string, string> = Object.fromEntries(
      Object.entries(wrong).map(([name, message]) => [`payload.${name}`, message]),
    );
    if (!title.trim()) missing["title"] = "Enter a title.";
    if (!job) missing["job"] = "Choose what to start.";
    const chosen = timingOf(rhythm);
    if (!chosen) missing["timing"] = "Say when it starts.";
    setUnread(missing);
    if (Object.keys(missing).length || !chosen) return;
    const body = { title: title.trim(), ...(payload && { payload }), ...chosen };
    if (schedule) change.mutate({ id: schedule.id, ...body }, { onSuccess: onDone });
    else
      create.mutate(
        { job, paused: false, payload: {}, timeZone: "UTC", ...body },
        { onSuccess: onDone },
      );
  }

  if (!types.data) return <SkeletonLines lines={6} />;
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      {Boolean(error) && <Notice tone="negative">{describeError(error).detail}</Notice>}
      <Field label="Title" value={title} onChange={setTitle} error={errors["title"]} autoFocus />
      {schedule ? null : (
        <Select
          label="What to start"
          value={job || null}
          onChange={setJob}
          error={errors["job"]}
          options={types.data.map((each) => ({ value: each.type, label: each.title }))}
        />
      )}
      {!isDeclared && (
        <PayloadFields
          key={job}
          members={members}
          draft={draft}
          errors={errors}
          onChange={(next) => setDrafts((old) => ({ ...old, [job]: next }))}
        />
      )}
      <fieldset className="flex flex-col gap-3 border-t border-line pt-4">
        <legend className="sr-only">When</legend>
        <RhythmFields
          rhythm={rhythm}
          onChange={setRhythm}
          error={errors["cron"] ?? errors["everySeconds"] ?? errors["timing"]}
          zoneError={errors["timeZone"]}
        />
        <TimesAhead timing={timing} />
      </fieldset>
      <div className="sticky bottom-0 flex gap-2 bg-raised py-2">
        <Button type="submit" look="primary" isPending={create.isPending || change.isPending}>
          {schedule ? "Save" : "Create"}
        </Button>
        <Button look="quiet" onPress={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
