import { useConversation } from "@/shared/events/openConversation";
import { useAnswerContext } from "@/shared/api/chat";
import { fullTime, inWords, number } from "@/shared/format";
import { Block, ExchangeText } from "@/shared/runs/ExchangeText";
import { EmptyState, ErrorState, Notice, SkeletonLines } from "@/shared/ui";
import { CallDetails } from "./ToolCalls";

/** One source of an answer, as the answer kept it. */
export function SourceSheet({ args }: { args: string[] }) {
  const [sessionId = "", messageId = "", number = ""] = args;
  const message = useMessage(sessionId, messageId);
  if (message === undefined) return <SkeletonLines />;
  const cited = message?.citations.find((each) => String(each.number) === number);
  if (!cited) return <Gone />;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-small text-muted">
        Source {cited.number} · {inWords(cited.kind)}
        {cited.path && ` · ${inWords(cited.path)}`}
      </p>
      <h3 className="text-read font-semibold wrap-anywhere">{cited.title}</h3>
      <blockquote className="border-l-2 border-line-strong pl-3 whitespace-pre-wrap wrap-anywhere">
        {cited.snippet}
      </blockquote>
      {cited.url && (
        <a
          href={cited.url}
          target="_blank"
          rel="noopener noreferrer nofollow"
          referrerPolicy="no-referrer"
          className="text-accent underline underline-offset-2 wrap-anywhere"
        >
          {cited.url}
          <span className="text-muted"> (leaves whence)</span>
        </a>
      )}
    </div>
  );
}

/** What is kept of a turn: what it was written from, the tools with their results, the sources. */
export function TurnSheet({ args }: { args: string[] }) {
  const [sessionId = "", messageId = ""] = args;
  const message = useMessage(sessionId, messageId);
  const question = useMessage(sessionId, message?.replyTo ?? "");
  if (message === undefined) return <SkeletonLines />;
  if (!message) return <Gone />;
  const context = question?.meta["context"] as Record<string, string> | undefined;
  return (
    <div className="flex flex-col gap-5">
      <Part title="Question">
        <p className="whitespace-pre-wrap wrap-anywhere">{question?.content ?? "not loaded"}</p>
        {context && (
          <p className="text-table text-muted">
            {Object.entries(context)
              .map(([name, value]) => `${inWords(name)}: ${value}`)
              .join(" · ")}
          </p>
        )}
      </Part>
      <Part title="Written by">
        <code className="font-mono text-table">{message.method ?? "nothing yet"}</code>
        {message.completedAt && (
          <p className="text-table text-muted">{fullTime(message.completedAt)}</p>
        )}
      </Part>
      <Context sessionId={sessionId} messageId={messageId} />
      <Part title={`Tools (${message.toolCalls.length})`}>
        {message.toolCalls.length === 0 && <p className="text-muted">It called none.</p>}
        {message.toolCalls.map((call, index) => (
          <div key={index}>
            <p>
              {inWords(call.name)}{" "}
              <span className="text-muted">
                · {call.status}
                {call.summary && ` · ${call.summary}`}
              </span>
            </p>
            <CallDetails call={call} />
          </div>
        ))}
      </Part>
      <Part title={`Sources (${message.citations.length})`}>
        <ol className="flex list-decimal flex-col gap-2 pl-5">
          {message.citations.map((cited) => (
            <li key={cited.number}>
              <span className="font-medium wrap-anywhere">{cited.title}</span>
              <span className="block text-table text-muted wrap-anywhere">{cited.snippet}</span>
            </li>
          ))}
        </ol>
      </Part>
    </div>
  );
}

/** What a model was sent, or what rules read, as long as that is kept. */
function Context({ sessionId, messageId }: { sessionId: string; messageId: string }) {
  const context = useAnswerContext(sessionId, messageId);
  if (context.error)
    return <ErrorState error={context.error} retry={() => void context.refetch()} />;
  if (!context.data) return <SkeletonLines lines={6} />;
  const { model, rules, keptDays } = context.data;
  if (!model && !rules)
    return (
      <Notice>
        {keptDays > 0
          ? `What this answer was written from is not kept any more: that is kept for ${number(keptDays)} days.`
          : "What this answer was written from is not kept by this server."}{" "}
        (<code>WHENCE_PROMPT_DAYS</code>)
      </Notice>
    );
  return (
    <>
      {model && (
        <Part title="What the model was sent, and answered">
          <div className="flex flex-col gap-3">
            <ExchangeText exchange={model} />
          </div>
        </Part>
      )}
      {rules && (
        <Part title={model ? "The model failed, so rules answered. They read" : "What rules read"}>
          {rules.length === 0 && <p className="text-muted">Only the question.</p>}
          <div className="flex flex-col gap-3">
            {rules.map(({ title, entries, leftOut }) => (
              <div key={title}>
                <h4 className="mb-1 text-small font-medium text-muted">{title}</h4>
                <Block text={entries.join("\n")} />
                {leftOut > 0 && (
                  <p className="text-small text-muted">{number(leftOut)} more are not kept.</p>
                )}
              </div>
            ))}
          </div>
        </Part>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-small font-medium text-muted">{title}</h3>
      {children}
    </section>
  );
}

/** A message of a conversation; undefined while it loads, null if there is none. */
function useMessage(sessionId: string, messageId: string) {
  const { state, connection } = useConversation(sessionId);
  const message = state.messages.find((each) => each.id === messageId);
  return message ?? (state.session || connection === "ended" ? null : undefined);
}

const Gone = () => (
  <EmptyState icon="search" title="This message is not here any more">
    The conversation was deleted, or the message is older than those that are loaded.
  </EmptyState>
);
