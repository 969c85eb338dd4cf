import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useKind, useRecord } from "@/shared/api";
import type { InboxEntry } from "@/shared/api/inbox";
import { Time } from "@/shared/format";
import { titleOf } from "@/shared/format/record";
import { classes, Icon, type IconName, StateChip } from "@/shared/ui";

/** The frame of an entry: what it is about, what it waits for, since when. */
export function EntryCard({
  entry,
  label,
  icon,
  state,
  title,
  isCurrent,
  children,
}: {
  entry: InboxEntry;
  label: string;
  icon: IconName;
  /** What it waits for, in a word or two. */
  state: string;
  /** Without it, the record's title. */
  title?: string;
  isCurrent: boolean;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={label}
      className={classes(
        "rounded-ui border bg-raised",
        isCurrent ? "border-accent" : "border-line",
      )}
    >
      <header className="flex min-h-10 flex-wrap items-center justify-between gap-2 border-b border-line px-3 py-1.5">
        <h3 className="flex min-w-0 items-center gap-2 font-medium">
          <Icon name={icon} className="text-muted" />
          <span className="truncate">{title ?? <RecordTitle entry={entry} />}</span>
        </h3>
        <span className="flex items-center gap-3">
          <span className="text-small text-muted">
            <Time at={entry.since} />
          </span>
          <StateChip tone="caution">{state}</StateChip>
        </span>
      </header>
      <div className="flex flex-col gap-3 p-3">{children}</div>
    </section>
  );
}

/** The record that an entry is about, as a link to it. */
export function RecordTitle({ entry }: { entry: InboxEntry }) {
  const kind = useKind(entry.kind ?? "")?.kind;
  const record = useRecord(entry.kind ?? "", entry.subjectId ?? "", entry.subjectId !== null).data;
  if (!entry.kind || !entry.subjectId) return null;
  return (
    <Link
      to="/records/$kind/$id"
      params={{ kind: entry.kind, id: entry.subjectId }}
      className="hover:underline"
    >
      <bdi>{kind && record ? titleOf(kind, record) : (kind?.title ?? entry.kind)}</bdi>
    </Link>
  );
}
