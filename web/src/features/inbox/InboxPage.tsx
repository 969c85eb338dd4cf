import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useMayWrite, useMe } from "@/shared/api";
import { type InboxEntry, useDecideEntry, useInbox } from "@/shared/api/inbox";
import { useDecide } from "@/shared/api/proposals";
import { ProposalCard } from "@/shared/proposals/ProposalCard";
import { useShortcut } from "@/shared/shortcuts/shortcuts";
import { EmptyState, ErrorState, Kbd, SkeletonLines, toast, toastError } from "@/shared/ui";
import { PageHeader } from "@/shared/ui/Page";
import { FormCard } from "./FormCard";
import { PackCard } from "./PackCard";
import { QuestionCard } from "./QuestionCard";

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
          Changes that the chat proposes, questions of paused research and forms that you began
          appear here.
        </EmptyState>
      ) : (
        <Entries entries={inbox.data} />
      )}
    </div>
  );
}

/** Where an entry is looked at in full. */
const addressOf = ({ form, kind, subjectId, type }: InboxEntry) =>
  form
    ? `/wizards/${form.definition.id}/${form.wizardRunId}`
    : kind && subjectId
      ? `/records/${kind}/${subjectId}${type === "question" ? "?tab=research" : ""}`
      : undefined;

function Entries({ entries }: { entries: readonly InboxEntry[] }) {
  const [chosen, setChosen] = useState({ id: "", at: 0 });
  const list = useRef<HTMLOListElement>(null);
  const navigate = useNavigate();
  const decide = useDecide();
  const decideEntry = useDecideEntry();
  const mayWrite = useMayWrite();
  const me = useMe().data;
  // The chosen one may be gone: then the next one takes its place.
  const known = entries.findIndex((each) => each.id === chosen.id);
  const at = known < 0 ? Math.min(chosen.at, entries.length - 1) : known;
  const choose = (index: number) => {
    const next = Math.min(Math.max(index, 0), entries.length - 1);
    setChosen({ id: entries[next]!.id, at: next });
  };
  const entry = entries[at]!;
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);

  const { proposal } = entry;
  const isMine = mayWrite && proposal !== null && proposal.userId === me?.userId;
  const actionOf = (key: "a" | "d") =>
    mayWrite ? entry.entry?.actions.find((action) => action.key === key) : undefined;
  function settle(key: "a" | "d") {
    if (decide.isPending || decideEntry.isPending) return;
    const action = actionOf(key);
    if (action)
      decideEntry.mutate(action, { onSuccess: () => toast(action.label), onError: toastError });
    else if (proposal)
      decide.mutate(
        { id: proposal.id, kind: proposal.kind, decision: key === "a" ? "apply" : "decline" },
        {
          onSuccess: () => toast(key === "a" ? "Applied" : "Dismissed"),
          onError: toastError,
        },
      );
  }
  const mayApply = (isMine && proposal.status === "proposed") || Boolean(actionOf("a"));
  const mayDismiss = isMine || Boolean(actionOf("d"));
  const address = addressOf(entry);
  const key = (keys: string, label: string) => ({ keys, label, group: "Inbox" });
  useShortcut(key("j", "Next"), () => choose(at + 1));
  useShortcut(key("k", "Previous"), () => choose(at - 1));
  useShortcut(key("a", "Apply"), () => settle("a"), mayApply);
  useShortcut(key("d", "Dismiss"), () => settle("d"), mayDismiss);
  useShortcut(key("o", "Open"), () => void navigate({ href: address }), address !== undefined);
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
            <Card entry={each} isCurrent={index === at} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Card({ entry, isCurrent }: { entry: InboxEntry; isCurrent: boolean }) {
  if (entry.proposal)
    return <ProposalCard proposal={entry.proposal} showsRecord isCurrent={isCurrent} />;
  if (entry.form) return <FormCard entry={entry} form={entry.form} isCurrent={isCurrent} />;
  if (entry.entry) return <PackCard entry={entry} waiting={entry.entry} isCurrent={isCurrent} />;
  if (entry.question)
    return <QuestionCard entry={entry} question={entry.question} isCurrent={isCurrent} />;
  return null;
}
