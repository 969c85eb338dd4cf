import { Button as AriaButton, TooltipTrigger } from "react-aria-components";
import { useKind } from "@/shared/api";
import type { Conversation } from "@/shared/api/chat";
import type { Message } from "@/shared/events/chatEvents";
import { useSheet } from "@/shared/routing/sheet";
import { Hint } from "@/shared/ui";

type Cited = Message["citations"][number];

/** Opens what a reference points at, beside the conversation. */
export function useOpenCited(conversation: Conversation, message: Message) {
  const { open } = useSheet();
  const kind = useKind(conversation.kind ?? "")?.kind;
  return (cited: Cited) => {
    const record = conversation.subjectId;
    if (kind && record && cited.kind === "claim" && cited.path)
      open("claim", kind.kind, record, kind.flows[0]?.id ?? "research", cited.path);
    else if (kind && record && cited.kind === "evidence" && cited.id)
      open("evidence", kind.kind, record, cited.id, "");
    else open("source", conversation.id, message.id, String(cited.number));
  };
}

/** A reference in the text: a small number that says what it is, and opens it. */
export function CitationNumber({
  number,
  cited,
  onOpen,
}: {
  number: number;
  cited: Cited | undefined;
  onOpen: (cited: Cited) => void;
}) {
  // While an answer is written, its references are not known yet.
  if (!cited) return <sup className="px-0.5 text-small text-muted">{number}</sup>;
  return (
    <TooltipTrigger delay={300}>
      <AriaButton
        aria-label={`Source ${number}: ${cited.title}`}
        onPress={() => onOpen(cited)}
        className="figures mx-px inline-flex h-4 min-w-4 items-center justify-center rounded-[4px] bg-accent-soft px-1 align-super text-[11px] leading-none font-medium text-accent data-hovered:bg-accent data-hovered:text-on-accent"
      >
        {number}
      </AriaButton>
      <Hint>
        <span className="block font-medium">{cited.title}</span>
        {cited.snippet !== cited.title && <span className="line-clamp-3">{cited.snippet}</span>}
      </Hint>
    </TooltipTrigger>
  );
}

/** The references below an answer, one line each. */
export function Sources({ message, onOpen }: { message: Message; onOpen: (cited: Cited) => void }) {
  if (!message.citations.length) return null;
  const count = message.citations.length;
  return (
    <details className="group/sources text-table">
      <summary className="flex min-h-8 w-fit cursor-pointer items-center gap-1 text-muted hover:text-text">
        {count === 1 ? "1 source" : `${count} sources`}
      </summary>
      <ol className="flex flex-col">
        {message.citations.map((cited) => (
          <li key={cited.number}>
            <button
              type="button"
              onClick={() => onOpen(cited)}
              className="flex min-h-8 touch-44 w-full items-baseline gap-2 rounded-ui px-1 py-1 text-left hover:bg-hover"
            >
              <span className="figures w-5 shrink-0 text-right text-muted">{cited.number}</span>
              <span className="min-w-0">
                <span className="font-medium wrap-anywhere">{cited.title}</span>
                <span className="line-clamp-2 text-muted wrap-anywhere">{cited.snippet}</span>
              </span>
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}
