import { type ReactNode, useState } from "react";
import {
  type LogOf,
  type ModelCall,
  type ToolCall,
  useExchange,
  useModelCalls,
  useToolCalls,
} from "@/shared/api/runs";
import { duration, fullTime, inWords, number } from "@/shared/format";
import { Block, ExchangeText } from "@/shared/runs/ExchangeText";
import { useNodeTitle } from "@/shared/runs/nodeTitles";
import { Paged } from "@/shared/runs/Paged";
import { ErrorState, Icon, SkeletonLines, StateChip, type Tone } from "@/shared/ui";
import { dollars } from "./cells";

const OUTCOMES: Record<ModelCall["outcome"], [string, Tone]> = {
  ok: ["Answered", "positive"],
  repaired: ["Answered, second try", "caution"],
  fallback: ["Rules instead", "caution"],
  error: ["Failed", "negative"],
};
const REASONS: Record<string, string> = {
  timeout: "the model took too long",
  refused: "the model refused",
  truncated: "the answer was cut off",
  invalid: "two answers were not of the form that was asked for",
  empty: "the answer was empty",
  interrupted: "the answer was interrupted",
  malformed: "the answer could not be read",
  budget: "the run's budget was used up",
  stopped: "the run was stopped",
};

/** The model calls of a node, or of a whole run. */
export function ModelCalls({ log, empty }: { log: LogOf; empty: ReactNode }) {
  const calls = useModelCalls(log);
  return (
    <Paged list={calls} empty={empty}>
      {(call: ModelCall) => <ModelCallLine key={call.id} call={call} log={log} />}
    </Paged>
  );
}

/** The tool calls of a node, or of a whole run. */
export function ToolCalls({ log, empty }: { log: LogOf; empty: ReactNode }) {
  const calls = useToolCalls(log);
  return (
    <Paged list={calls} empty={empty}>
      {(call: ToolCall) => <ToolCallLine key={call.id} call={call} showsNode={!log.node} />}
    </Paged>
  );
}

/** A line that opens to what it stands for. */
function Fold({ head, children }: { head: ReactNode; children: ReactNode }) {
  const [isOpen, open] = useState(false);
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => open(!isOpen)}
        className="flex w-full items-start gap-2 px-3 py-2 text-left touch-44 hover:bg-hover"
      >
        <Icon name={isOpen ? "down" : "right"} size={12} className="mt-1 text-muted" />
        <span className="min-w-0 grow">{head}</span>
      </button>
      {isOpen && <div className="flex flex-col gap-3 px-3 pb-3 pl-8">{children}</div>}
    </li>
  );
}

function ModelCallLine({ call, log }: { call: ModelCall; log: LogOf }) {
  const [word, tone] = OUTCOMES[call.outcome];
  const titleOf = useNodeTitle();
  return (
    <Fold
      head={
        <>
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium">{inWords(call.skill)}</span>
            <StateChip tone={tone}>{word}</StateChip>
          </span>
          <span className="figures block text-small text-muted">
            {!log.node && call.node && `${titleOf(call.node)} · `}
            {number(call.tokensIn + call.tokensOut)} tokens ·{" "}
            {call.usd === null ? "price unknown" : `$${dollars(call.usd)}`} ·{" "}
            {duration(call.latencyMs)}
          </span>
          {call.outcome !== "ok" && call.reason && (
            <span className="block text-small text-muted">
              {capital(REASONS[call.reason] ?? inWords(call.reason))}.
            </span>
          )}
        </>
      }
    >
      <Facts
        pairs={[
          ["Model", call.model],
          ["Prompt", call.promptVersion && `version ${call.promptVersion}`],
          ["Requests", number(call.calls)],
          [
            "Tokens",
            `${number(call.tokensIn)} in, ${number(call.tokensOut)} out${call.isExact ? "" : " (estimated)"}`,
          ],
          ["Ended", fullTime(call.at)],
          ["Details", call.detail],
        ]}
      />
      {call.isKept ? (
        <Exchange log={log} callId={call.id} />
      ) : (
        <p className="text-table text-muted">
          What was sent and answered is not kept, or no longer (<code>WHENCE_PROMPT_DAYS</code>).
        </p>
      )}
    </Fold>
  );
}

/** What was sent and answered, once it is loaded. */
function Exchange({ log, callId }: { log: LogOf; callId: string }) {
  const exchange = useExchange(log, callId);
  if (exchange.error)
    return <ErrorState error={exchange.error} retry={() => void exchange.refetch()} />;
  return exchange.data ? <ExchangeText exchange={exchange.data} /> : <SkeletonLines lines={4} />;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function ToolCallLine({ call, showsNode }: { call: ToolCall; showsNode: boolean }) {
  const node = call.caller.startsWith("flow:") ? call.caller.slice(5) : "";
  const titleOf = useNodeTitle();
  return (
    <Fold
      head={
        <>
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium">{inWords(call.tool)}</span>
            {call.outcome !== "ok" && (
              <StateChip tone={call.outcome === "refused" ? "caution" : "negative"}>
                {call.outcome === "refused" ? "Refused" : "Failed"}
              </StateChip>
            )}
          </span>
          <span className="figures block truncate text-small text-muted">
            {showsNode && node && `${titleOf(node)} · `}
            {duration(call.latencyMs)} · {brief(call.arguments)}
          </span>
          {call.error && (
            <span className="block text-small text-negative wrap-anywhere">{call.error}</span>
          )}
        </>
      }
    >
      <div>
        <h4 className="mb-1 text-small font-medium text-muted">Arguments</h4>
        <Json value={call.arguments} />
      </div>
      <div>
        <h4 className="mb-1 text-small font-medium text-muted">Result</h4>
        {call.result ? (
          <Json value={call.result} />
        ) : (
          <p className="text-table text-muted">
            {call.outcome === "ok"
              ? "Not kept: this tool only reads, so its call can be repeated."
              : "There is none."}
          </p>
        )}
      </div>
    </Fold>
  );
}

const brief = (value: Record<string, unknown>): string =>
  Object.entries(value)
    .map(([name, each]) => `${name}: ${typeof each === "string" ? each : JSON.stringify(each)}`)
    .join(", ");

/** Data as it is, in a box that scrolls. */
export function Json({ value }: { value: unknown }) {
  return <Block text={JSON.stringify(value, null, 2)} />;
}

/** Pairs of name and value; those without a value are left out. */
export function Facts({ pairs }: { pairs: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(5rem,max-content)_1fr] gap-x-4 gap-y-1 text-table">
      {pairs
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
