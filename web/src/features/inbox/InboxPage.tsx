import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useKind, useMayWrite, useMe, useRecord } from "@/shared/api";
import { type InboxEntry, useInbox } from "@/shared/api/inbox";
import { useDecide } from "@/shared/api/proposals";
import { Time } from "@/shared/format";
import { titleOf } from "@/shared/format/record";
import { ProposalCard } from "@/shared/proposals/ProposalCard";
import { useShortcut } from "@/shared/shortcuts/shortcuts";
import {
  buttonLook,
  classes,
  EmptyState,
  ErrorState,
  Icon,
  Kbd,
  SkeletonLines,
  StateChip,
  toastError,
} from "@/shared/ui";
import { PageHeader } from "@/shared/ui/Page";

/** Everything that waits for a person, decidable from the keyboard. */
export function InboxPage() {
  const inbox = useInbox();
  return (
    <div className="max-w-[820px]">
      <PageHeader title="Inbox" about="What waits for you, the oldest first" />
      {inbox.error && !inbox.data ? (
        <ErrorState error={inbox.error} retry={() => void inbox.refetch()} />
      ) : !inbox.data ? (
        <SkeletonLines lines={8} />
      ) : inbox.data.length === 0 ? (
        <EmptyState icon="inbox" title="Nothing waits for you">
          Changes that the chat proposes and questions of paused research appear here.
        </EmptyState>
      ) : (
        <Entries entries={inbox.data} />
      )}
    </div>
  );
}

function Entries({ entries }: { entries: readonly InboxEntry[] }) {
  const [chosen, choose] = useState(0);
  const list = useRef<HTMLOListElement>(null);
  const navigate = useNavigate();
  const decide = useDecide();
  const mayWrite = useMayWrite();
  const me = useMe().data;
  const at = Math.min(chosen, entries.length - 1);
  const entry = entries[at]!;
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);

  const proposal = entry.proposal;
  const isMine = mayWrite && proposal !== null && proposal.userId === me?.userId;
  function settle(decision: "apply" | "decline") {
    if (!proposal || decide.isPending) return;
    decide.mutate({ id: proposal.id, kind: proposal.kind, decision }, { onError: toastError });
  }
  const key = (keys: string, label: string) => ({ keys, label, group: "Inbox" });
  useShortcut(key("j", "Next"), () => choose(Math.min(at + 1, entries.length - 1)));
  useShortcut(key("k", "Previous"), () => choose(Math.max(at - 1, 0)));
  useShortcut(key("a", "Apply"), () => settle("apply"), isMine && proposal.status === "proposed");
  useShortcut(key("d", "Dismiss"), () => settle("decline"), isMine);
  useShortcut(
    key("o", "Open the record"),
    () =>
      void navigate({
        to: "/records/$kind/$id",
        params: { kind: entry.kind, id: entry.subjectId },
        search: entry.type === "question" ? { tab: "research" } : {},
      }),
  );
  return (
    <>
      <p className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-small text-muted max-sm:hidden">
        <span>
          <Kbd>j</Kbd> <Kbd>k</Kbd> move
        </span>
        {mayWrite && (
          <span>
            <Kbd>a</Kbd> apply · <Kbd>d</Kbd> dismiss
          </span>
        )}
        <span>
          <Kbd>o</Kbd> open
        </span>
      </p>
      <ol ref={list} className="flex flex-col gap-3">
        {entries.map((each, index) => (
          <li
            key={each.id}
            aria-current={index === at || undefined}
            onFocus={() => choose(index)}
            className="scroll-m-6"
          >
            {each.proposal ? (
              <ProposalCard proposal={each.proposal} showsRecord isCurrent={index === at} />
            ) : (
              <QuestionCard entry={each} isCurrent={index === at} />
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

/** A run that waits for an answer, which is given beside its progress. */
function QuestionCard({ entry, isCurrent }: { entry: InboxEntry; isCurrent: boolean }) {
  const kind = useKind(entry.kind)?.kind;
  const record = useRecord(entry.kind, entry.subjectId).data;
  return (
    <section
      aria-label="Question"
      className={classes(
        "rounded-ui border bg-raised",
        isCurrent ? "border-accent" : "border-line",
      )}
    >
      <header className="flex min-h-10 flex-wrap items-center justify-between gap-2 border-b border-line px-3 py-1.5">
        <h3 className="flex min-w-0 items-center gap-2 font-medium">
          <Icon name="research" className="text-muted" />
          <span className="truncate">
            {kind && record ? titleOf(kind, record) : (kind?.title ?? entry.kind)}
          </span>
        </h3>
        <StateChip tone="caution">Research waits</StateChip>
      </header>
      <div className="flex flex-col gap-2 p-3">
        <p className="wrap-anywhere">{entry.question?.text}</p>
        {entry.question?.why && (
          <p className="text-table text-muted wrap-anywhere">{entry.question.why}</p>
        )}
        <div className="flex items-center gap-3">
          <Link
            to="/records/$kind/$id"
            params={{ kind: entry.kind, id: entry.subjectId }}
            search={{ tab: "research" }}
            className={buttonLook()}
          >
            Open and answer
          </Link>
          <span className="text-small text-muted">
            <Time at={entry.since} />
          </span>
        </div>
      </div>
    </section>
  );
}
