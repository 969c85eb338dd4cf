import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Subject } from "@/shared/api/chat";
import { NEW_CONVERSATION } from "@/shared/events/conversation";
import type { Connection } from "@/shared/events/follow";
import { conversation as opened, useConversation } from "@/shared/events/openConversation";
import { Button, EmptyState, Icon, SkeletonLines, toastError } from "@/shared/ui";
import { Composer } from "./Composer";
import { beginForm, FormMenu, useForms } from "./forms";
import { Log } from "./Log";
import { spoken } from "./marks";
import { useRecordTitle } from "./subject";
import { type Send, useDraft, useFollowUps, useTalk } from "./usePanel";

interface PanelProps {
  /** The conversation that is shown; null for one that begins with the first message. */
  id: string | null;
  /** What a new conversation, or the next message of one on pages, is about. */
  subject: Subject;
  /** What `subject` is called. */
  title: string;
  examples: string[];
  onConversation: (id: string | null) => void;
  focusOn?: unknown;
}

/** A conversation: its messages, and where the next one is written. */
export function Panel(props: PanelProps) {
  return props.id ? <Known key={props.id} {...props} id={props.id} /> : <Fresh {...props} />;
}

function Fresh({ subject, title, examples, onConversation, focusOn }: PanelProps) {
  const [draft, onDraft] = useDraft(null, subject);
  const talk = useTalk(null, subject, onConversation);
  const isSending = talk.outgoing.some((each) => !each.error);
  return (
    <>
      <Log
        state={NEW_CONVERSATION}
        outgoing={talk.outgoing}
        onRetry={talk.retry}
        onDiscard={talk.discard}
        onSend={talk.send}
      >
        <Beginning title={title} subject={subject} examples={examples} onSend={talk.send} />
      </Log>
      <Foot about={<Looking subject={subject} title={title} />}>
        <Composer
          draft={draft}
          onDraft={onDraft}
          onSend={talk.send}
          isAnswering={isSending}
          placeholder={`Ask about ${title}`}
          focusOn={focusOn}
          start={<FormMenu subject={subject} send={talk.send} isDisabled={isSending} />}
        />
      </Foot>
    </>
  );
}

function Known({
  id,
  subject,
  title,
  examples,
  onConversation,
  focusOn,
}: PanelProps & { id: string }) {
  const { state, connection } = useConversation(id);
  const { session } = state;
  const about: Subject =
    session?.kind && session.subjectId ? { kind: session.kind, id: session.subjectId } : subject;
  const name = useRecordTitle(session?.kind ?? null, session?.subjectId ?? null) || title;
  const [draft, onDraft] = useDraft(id, about);
  const talk = useTalk(session ?? { id, kind: null, subjectId: null }, about, onConversation);
  useFollowUps(id);
  const regenerate = () => session && talk.again.mutate(session, { onError: toastError });
  const stop = () => session && talk.stop.mutate(session, { onError: toastError });

  if (connection === "ended")
    return (
      <div className="grow">
        <EmptyState
          icon="chat"
          title="This conversation is not here any more"
          action={<Button onPress={() => onConversation(null)}>Begin a new one</Button>}
        >
          It was deleted, or your session ended.
        </EmptyState>
      </div>
    );
  return (
    <>
      <Announcer id={id} />
      <Log
        state={state}
        outgoing={talk.outgoing}
        onRetry={talk.retry}
        onDiscard={talk.discard}
        onRegenerate={regenerate}
        onSend={talk.send}
      >
        {session ? (
          <Beginning title={name} subject={about} examples={examples} onSend={talk.send} />
        ) : (
          <SkeletonLines lines={6} />
        )}
      </Log>
      <Foot
        about={
          <>
            <Looking subject={about} title={name} />
            <Reach connection={connection} />
          </>
        }
      >
        <Composer
          draft={draft}
          onDraft={onDraft}
          onSend={talk.send}
          onStop={state.turnId ? stop : undefined}
          isAnswering={state.turnId !== null || !session}
          placeholder="Reply"
          focusOn={focusOn}
          start={<FormMenu subject={about} send={talk.send} isDisabled={state.turnId !== null} />}
        />
      </Foot>
    </>
  );
}

/** An empty conversation: one sentence, and what can be asked. */
function Beginning(props: { title: string; subject: Subject; examples: string[]; onSend: Send }) {
  const forms = useForms(props.subject);
  return (
    <EmptyState
      icon="chat"
      title={`Ask about ${props.title}`}
      action={
        <>
          {props.examples.map((example) => (
            <Button
              key={example}
              onPress={() => props.onSend(example)}
              className="h-auto min-h-8 py-1 whitespace-normal!"
            >
              {example}
            </Button>
          ))}
          {forms.map((wizard) => (
            <Button key={wizard.id} icon="wizard" onPress={() => beginForm(props.onSend, wizard)}>
              {wizard.title}
            </Button>
          ))}
        </>
      }
    >
      Answers name their sources. Nothing changes before you apply it.
    </EmptyState>
  );
}

function Foot({ about, children }: { about: React.ReactNode; children: React.ReactNode }) {
  return (
    <div className="shrink-0 border-t border-line px-4 pt-2 pb-3">
      <div className="mx-auto flex max-w-[76ch] flex-col gap-1.5">
        <div className="flex min-w-0 items-center justify-between gap-2 text-small text-muted">
          {about}
        </div>
        {children}
      </div>
    </div>
  );
}

/** What the conversation looks at. */
function Looking({ subject, title }: { subject: Subject; title: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Icon name={"kind" in subject ? "quote" : "page"} size={12} />
      <span className="truncate">
        Looking at{" "}
        {"kind" in subject ? (
          <Link
            to="/records/$kind/$id"
            params={{ kind: subject.kind, id: subject.id }}
            className="text-text hover:underline"
          >
            {title}
          </Link>
        ) : (
          <span className="text-text">{title}</span>
        )}
      </span>
    </span>
  );
}

function Reach({ connection }: { connection: Connection }) {
  if (connection !== "lost") return null;
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap text-caution">
      <Icon name="warning" size={12} />
      No connection; it catches up by itself
    </span>
  );
}

/** Says whole sentences to screen readers: that an answer is written, and the answer at its end. */
function Announcer({ id }: { id: string }) {
  const [words, say] = useState("");
  useEffect(() => {
    const store = opened(id);
    let isWriting = false;
    const watcher = () => {
      const { turnId, messages } = store.state;
      if (isWriting === (turnId !== null)) return;
      isWriting = turnId !== null;
      const answer = messages.findLast((message) => message.role === "assistant");
      say(isWriting ? "An answer is being written." : spoken(answer?.content ?? ""));
    };
    store.watchers.add(watcher);
    return () => void store.watchers.delete(watcher);
  }, [id]);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {words}
    </p>
  );
}
