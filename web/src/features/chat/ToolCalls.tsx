import { useSheet } from "@/shared/routing/sheet";
import type { Message, ToolCall } from "@/shared/events/chatEvents";
import { duration, inWords } from "@/shared/format";
import { Icon } from "@/shared/ui";

/** The tools that an answer used: one line each, which opens to what was asked and answered. */
export function ToolCalls({ message }: { message: Message }) {
  if (!message.toolCalls.length) return null;
  return (
    <ul className="mb-2 flex flex-col text-table" aria-label="Tools used">
      {message.toolCalls.map((call, index) => (
        <li key={call.callId ?? index}>
          <Line call={call} />
        </li>
      ))}
    </ul>
  );
}

const RUNNING = "running";
const isGood = (status: string) => status === "done" || status === "ok";

function Line({ call }: { call: ToolCall }) {
  const failed = call.status !== RUNNING && !isGood(call.status);
  return (
    <details className="group/tool">
      <summary className="flex min-h-8 touch-44 cursor-pointer list-none items-center gap-2 text-muted hover:text-text [&::-webkit-details-marker]:hidden">
        <Icon
          name={call.status === RUNNING ? "refresh" : failed ? "warning" : "check"}
          className={call.status === RUNNING ? "animate-turn" : failed ? "text-caution" : ""}
        />
        <span className="min-w-0 truncate">
          {inWords(call.name)}
          {" · "}
          {call.status === RUNNING
            ? "looking"
            : failed
              ? `${call.status}${call.summary ? `: ${call.summary}` : ""}`
              : (call.summary ?? "done")}
          {call.durationMs != null && ` · ${duration(call.durationMs)}`}
        </span>
        <Icon
          name="right"
          size={12}
          className="transition-transform group-open/tool:rotate-90 motion-reduce:transition-none"
        />
      </summary>
      <CallDetails call={call} />
    </details>
  );
}

/** The arguments and the result of a call. */
export function CallDetails({ call }: { call: ToolCall }) {
  const { result, resultCut } = call;
  return (
    <div className="mb-2 ml-6 flex flex-col gap-2">
      <Json title="Asked with" value={call.arguments} />
      {result !== undefined && result !== null && (
        <Json title={resultCut ? "Answered, the beginning" : "Answered"} value={result} />
      )}
    </div>
  );
}

function Json({ title, value }: { title: string; value: unknown }) {
  return (
    <div>
      <h5 className="text-small text-muted">{title}</h5>
      <pre
        tabIndex={0}
        aria-label={title}
        className="max-h-60 overflow-auto rounded-ui bg-sunken p-2 font-mono text-small whitespace-pre-wrap wrap-anywhere"
      >
        {JSON.stringify(value, null, 2)}
      </pre>
    </div>
  );
}

/** Opens everything that is kept of how an answer came about. */
export function SeenButton({ message }: { message: Message }) {
  const { open } = useSheet();
  return (
    <button
      type="button"
      onClick={() => open("turn", message.sessionId, message.id)}
      className="min-h-8 touch-44 hover:text-text hover:underline"
    >
      What the agent saw
    </button>
  );
}
