import type { ModelExchange } from "@/shared/api/schema";
import { inWords, number } from "@/shared/format";

const ROLES: Record<string, string> = {
  system: "Instructions",
  user: "Sent",
  assistant: "Earlier answer",
  tools: "Tools offered",
  calls: "Tools asked for",
  result: "Result of a tool",
};

/** The messages as they were sent to a model, and its answer to them. */
export function ExchangeText({ exchange }: { exchange: ModelExchange }) {
  const { messages, answer, isShortened } = exchange;
  return (
    <>
      {messages.map((message, index) => (
        <div key={index}>
          <h4 className="mb-1 text-small font-medium text-muted">
            {ROLES[message.role] ?? inWords(message.role)}
            {message.images > 0 &&
              ` · with ${number(message.images)} ${message.images === 1 ? "image" : "images"}, not kept`}
          </h4>
          <Block text={message.text} />
        </div>
      ))}
      <div>
        <h4 className="mb-1 text-small font-medium text-muted">Answer</h4>
        {answer === null ? (
          <p className="text-table text-muted">None came.</p>
        ) : (
          <Block text={pretty(answer)} />
        )}
      </div>
      {isShortened && (
        <p className="text-small text-muted">Long texts are kept without their middle.</p>
      )}
    </>
  );
}

/** A text as it is, in a box that scrolls. */
export function Block({ text }: { text: string }) {
  return (
    <pre
      tabIndex={0}
      className="max-h-80 overflow-auto rounded-ui border border-line bg-surface p-2 font-mono text-small whitespace-pre-wrap wrap-anywhere"
    >
      {text}
    </pre>
  );
}

/** JSON with its lines; any other text as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
