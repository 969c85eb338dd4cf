import { type ComponentType, Suspense, useCallback, useState } from "react";
import type { Conversation } from "@/shared/api/chat";
import type { Proposal } from "@/shared/api/proposals";
import type { Message } from "@/shared/events/chatEvents";
import { type MessagePartProps, useFeatures } from "@/shared/feature/feature";
import { Time } from "@/shared/format";
import { ProposalCard } from "@/shared/proposals/ProposalCard";
import {
  Button,
  classes,
  Notice,
  Skeleton,
  SkeletonLines,
  StateChip,
  type Tone,
} from "@/shared/ui";
import { CitationNumber, Cited, Sources, useOpenCited } from "./Citation";
import { Markdown } from "./Markdown";
import { OwnMessage } from "./OwnMessage";
import { ResearchLine } from "./ResearchLine";
import { SeenButton, ToolCalls } from "./ToolCalls";
import { type Send, wasJustSent } from "./usePanel";

interface Meta {
  notice?: { text: string; retry: boolean };
  pageNotice?: string;
  offer?: string;
  research?: { jobId: string; status?: string };
}

const ENDINGS: Partial<Record<Message["status"], [string, Tone]>> = {
  stopped: ["Stopped", "excluded"],
  interrupted: ["Interrupted", "caution"],
  failed: ["Failed", "negative"],
};

interface Shown {
  message: Message;
  conversation: Conversation;
  /** Answers the last message again; only for the last answer. */
  onRegenerate?: () => void;
  onSend: Send;
  messages: readonly Message[];
  /** Whether an answer is being written. */
  isBusy: boolean;
}

export function MessageView(props: Shown) {
  const { message } = props;
  if (message.role === "user")
    return <OwnMessage message={message} isBusy={props.isBusy} onSend={props.onSend} />;
  if (message.supersededBy)
    return (
      <details className="text-table text-muted">
        <summary className="min-h-8 cursor-pointer">An earlier answer</summary>
        <div className="mt-1 border-l border-line pl-3 text-text">
          <AnswerText message={message} conversation={props.conversation} />
        </div>
      </details>
    );
  return <Answer {...props} />;
}

function Answer(props: Shown) {
  const { message, conversation, onRegenerate, onSend } = props;
  const meta = message.meta as Meta;
  const part = usePart(message);
  const isWriting = message.status === "streaming";
  const ending = ENDINGS[message.status];
  const trouble = meta.notice?.text ?? message.trouble;
  const isUnlike =
    meta.pageNotice ?? (trouble && trouble !== message.content.trim() ? trouble : undefined);
  const offersRetry = Boolean(isUnlike && onRegenerate && (meta.notice?.retry ?? true));
  return (
    <article
      aria-label={message.role === "notice" ? "Notice" : "Answer"}
      aria-busy={isWriting}
      className={classes(message.role === "notice" && "rounded-ui border border-line p-3")}
    >
      <ToolCalls message={message} />
      {isWriting && !message.content && !message.toolCalls.length ? (
        <div aria-hidden="true" className="flex flex-col gap-2 py-1">
          <Skeleton className="h-4 w-4/5" />
          <Skeleton className="h-4 w-3/5" />
        </div>
      ) : part ? (
        <Suspense fallback={<SkeletonLines lines={4} />}>
          <part.Content
            message={message}
            messages={props.messages}
            isBusy={props.isBusy}
            takesFocus={wasJustSent}
            send={onSend}
          />
        </Suspense>
      ) : (
        <AnswerText message={message} conversation={conversation} />
      )}
      <div className="mt-2 flex flex-col gap-2 empty:hidden">
        {isUnlike && (
          <Notice
            tone="caution"
            action={
              offersRetry && (
                <Button icon="refresh" onPress={onRegenerate}>
                  Try again
                </Button>
              )
            }
          >
            {isUnlike}
          </Notice>
        )}
        {meta.research && (
          <ResearchLine
            jobId={meta.research.jobId}
            isNotice={message.role === "notice"}
            conversation={conversation}
          />
        )}
        {(message.actions as unknown as Proposal[]).map((proposal) => (
          <ProposalCard key={proposal.id} proposal={proposal} showsRecord={!conversation.kind} />
        ))}
        {meta.offer === "research" && onRegenerate && (
          <div>
            <Button icon="research" onPress={() => onSend("Yes, start the research.")}>
              Start research
            </Button>
          </div>
        )}
      </div>
      {!isWriting && !part && (
        <footer className="mt-1 flex flex-wrap items-center gap-x-3 text-small text-muted">
          {ending && <StateChip tone={ending[1]}>{ending[0]}</StateChip>}
          <AuthorOf message={message} />
          {message.completedAt && <Time at={message.completedAt} />}
          {message.role === "assistant" && <SeenButton message={message} />}
          {onRegenerate && message.role === "assistant" && !offersRetry && (
            <button
              type="button"
              onClick={onRegenerate}
              className="min-h-8 touch-44 hover:text-text hover:underline"
            >
              {message.status === "complete" ? "Answer again" : "Try again"}
            </button>
          )}
        </footer>
      )}
    </article>
  );
}

/** What a feature draws in place of this answer's text. */
function usePart(message: Message) {
  const parts = Object.assign(
    {},
    ...useFeatures().map((feature) => feature.messageParts),
  ) as Record<string, ComponentType<MessagePartProps>>;
  const Content = Object.entries(parts).find(([name]) => name in message.meta)?.[1];
  return Content ? { Content } : undefined;
}

/** Whether rules or which model wrote it: a fallback is visible. */
function AuthorOf({ message }: { message: Message }) {
  const [how, rest = ""] = (message.method ?? "").split(/:(.*)/s);
  if (how === "rules") return <span>By rules</span>;
  if (how === "model") return <span className="max-w-48 truncate">By {rest.split("/")[0]}</span>;
  return null;
}

function AnswerText({ message, conversation }: Pick<Shown, "message" | "conversation">) {
  const open = useOpenCited(conversation, message);
  const [pointed, point] = useState<number>();
  const { citations } = message;
  const cite = useCallback(
    (number: number) => (
      <CitationNumber
        number={number}
        cited={citations.find((each) => each.number === number)}
        onOpen={open}
        onPoint={point}
      />
    ),
    // `open` is new with each address; what it opens follows from the message.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [citations, message.id, conversation.id, conversation.subjectId],
  );
  return (
    <>
      <Cited pointed={pointed}>
        <Markdown cite={cite}>{message.content}</Markdown>
      </Cited>
      <Sources message={message} pointed={pointed} onPoint={point} onOpen={open} />
    </>
  );
}
