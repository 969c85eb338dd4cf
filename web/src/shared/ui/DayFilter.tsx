import { useState } from "react";
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from "react-aria-components";
import { day } from "@/shared/format";
import { Button } from "./Button";
import { classes } from "./classes";
import { Field } from "./Field";
import { Icon } from "./icons";

interface Days {
  from?: string;
  to?: string;
}

/** A filter for a span of days; either end may be open. */
export function DayFilter({
  label,
  from,
  to,
  onChange,
}: Days & { label: string; onChange: (days: Days) => void }) {
  const isOn = Boolean(from || to);
  return (
    <span className="inline-flex max-w-full items-center">
      <DialogTrigger>
        <AriaButton
          className={classes(
            "inline-flex h-8 touch-44 max-w-full items-center gap-1.5 rounded-ui border px-2.5 text-table",
            isOn
              ? "rounded-r-none border-r-0 border-transparent bg-accent-soft"
              : "border-dashed border-line-strong text-muted data-hovered:bg-hover data-hovered:text-text",
          )}
        >
          {!isOn && <Icon name="plus" size={12} />}
          {label}
          {isOn && <span className="truncate font-medium text-accent">{inDays(from, to)}</span>}
        </AriaButton>
        <Popover
          placement="bottom start"
          className="z-50 w-64 rounded-ui border border-line bg-raised p-3 shadow-over"
        >
          <Dialog aria-label={`Filter by ${label.toLowerCase()}`} className="outline-none">
            {({ close }) => (
              <DayForm
                from={from}
                to={to}
                onDone={(days) => {
                  onChange(days);
                  close();
                }}
              />
            )}
          </Dialog>
        </Popover>
      </DialogTrigger>
      {isOn && (
        <AriaButton
          aria-label={`Remove the filter ${label.toLowerCase()}`}
          onPress={() => onChange({ from: undefined, to: undefined })}
          className="flex h-8 w-7 touch-44 items-center justify-center rounded-r-ui bg-accent-soft text-muted data-hovered:text-text"
        >
          <Icon name="close" size={12} />
        </AriaButton>
      )}
    </span>
  );
}

function inDays(from: string | undefined, to: string | undefined): string {
  if (from && to) return from === to ? day(from) : `${day(from)} – ${day(to)}`;
  if (from) return `since ${day(from)}`;
  return to ? `until ${day(to)}` : "";
}

function DayForm({ from, to, onDone }: Days & { onDone: (days: Days) => void }) {
  const [first, setFirst] = useState(from ?? "");
  const [last, setLast] = useState(to ?? "");
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onDone({ from: first || undefined, to: last || undefined });
      }}
    >
      <Field label="From" type="date" value={first} onChange={setFirst} />
      <Field label="To" type="date" value={last} onChange={setLast} />
      <Button type="submit" look="primary">
        Apply
      </Button>
    </form>
  );
}
