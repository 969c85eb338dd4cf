import { type ScheduleTiming, useTimes } from "@/shared/api/schedules";
import { locale } from "@/shared/format";
import { describeError, Field, Select, Skeleton } from "@/shared/ui";
import { type Rhythm, type RhythmName, WEEKDAYS } from "./rhythm";

const RHYTHMS: { value: RhythmName; label: string }[] = [
  { value: "daily", label: "Every day" },
  { value: "weekdays", label: "Monday to Friday" },
  { value: "weekly", label: "Every week" },
  { value: "monthly", label: "Every month" },
  { value: "interval", label: "At an interval" },
  { value: "cron", label: "Cron expression" },
];
const UNITS = ["minutes", "hours", "days"].map((value) => ({ value, label: value }));
const DAYS = Array.from({ length: 28 }, (_, day) => ({
  value: String(day + 1),
  label: String(day + 1),
}));
/** 2024 began on a Monday. */
const weekdays = () =>
  WEEKDAYS.map((value, index) => ({
    value,
    label: new Intl.DateTimeFormat(locale(), { weekday: "long", timeZone: "UTC" }).format(
      Date.UTC(2024, 0, index + 1),
    ),
  }));
const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

/** When: a rhythm that people name, or a cron expression for what has no name. */
export function RhythmFields({
  rhythm,
  onChange,
  error,
  zoneError,
}: {
  rhythm: Rhythm;
  onChange: (rhythm: Rhythm) => void;
  error?: string;
  zoneError?: string;
}) {
  const set = (part: Partial<Rhythm>) => onChange({ ...rhythm, ...part });
  const { name } = rhythm;
  const zones = ZONES.includes(rhythm.timeZone) ? ZONES : [rhythm.timeZone, ...ZONES];
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-3">
        <Select
          label="When"
          value={name}
          onChange={(value) => set({ name: value as RhythmName })}
          options={RHYTHMS}
        />
        {name === "weekly" && (
          <Select
            label="On"
            value={rhythm.weekday}
            onChange={(weekday) => set({ weekday })}
            options={weekdays()}
          />
        )}
        {name === "monthly" && (
          <Select
            label="On the day"
            value={rhythm.day}
            onChange={(day) => set({ day })}
            options={DAYS}
          />
        )}
        {name === "interval" ? (
          <>
            <Field
              label="Every"
              inputMode="numeric"
              value={rhythm.amount}
              onChange={(amount) => set({ amount })}
              error={error}
            />
            <Select
              label="Unit"
              value={rhythm.unit}
              onChange={(unit) => set({ unit: unit as Rhythm["unit"] })}
              options={UNITS}
            />
          </>
        ) : name === "cron" ? (
          <Field
            label="Minute, hour, day, month, weekday"
            value={rhythm.cron}
            onChange={(cron) => set({ cron })}
            error={error}
          />
        ) : (
          <Field
            label="At"
            type="time"
            value={rhythm.time}
            onChange={(time) => set({ time })}
            error={error}
          />
        )}
      </div>
      {name !== "interval" && (
        <div className="sm:w-72">
          <Select
            label="Time zone"
            value={rhythm.timeZone}
            onChange={(timeZone) => set({ timeZone })}
            error={zoneError}
            options={zones.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))}
          />
        </div>
      )}
    </>
  );
}

/** The next times in words, or why there are none. */
export function TimesAhead({ timing }: { timing: ScheduleTiming | undefined }) {
  const times = useTimes(timing);
  const zone = timing && "timeZone" in timing ? timing.timeZone : undefined;
  if (!timing) return <p className="text-table text-muted">Its next times appear here.</p>;
  if (times.error)
    return (
      <p role="status" className="text-table text-negative">
        {describeError(times.error).detail}
      </p>
    );
  if (!times.data) return <Skeleton className="h-16" />;
  return (
    <div role="status" className="rounded-ui bg-sunken p-3 text-table">
      <p className="font-medium">{times.data.description}</p>
      <ol aria-label="Next times" className="figures mt-1 text-muted">
        {times.data.next.slice(0, 3).map((at) => (
          <li key={at}>{inZone(at, zone)}</li>
        ))}
      </ol>
    </div>
  );
}

/** A moment on the clock of the schedule's own zone. */
function inZone(at: string, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat(locale(), {
    weekday: "long",
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
    timeZoneName: timeZone ? "short" : undefined,
  }).format(new Date(at));
}
