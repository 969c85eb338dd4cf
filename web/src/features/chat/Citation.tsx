import { type ReactNode, useEffect, useRef } from "react";
import { Button as AriaButton, TooltipTrigger } from "react-aria-components";
import { useKind } from "@/shared/api";
import type { Conversation } from "@/shared/api/chat";
import type { Message } from "@/shared/events/chatEvents";
import { useSheet } from "@/shared/routing/sheet";
import { classes, Hint } from "@/shared/ui";

type Reference = Message["citations"][number];
const POINTED = "cited-sentence";

/** Opens what a reference points at, beside the conversation. */
export function useOpenCited(conversation: Conversation, message: Message) {
  const { open } = useSheet();
  const kind = useKind(conversation.kind ?? "")?.kind;
  return (cited: Reference) => {
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
  onPoint,
}: {
  number: number;
  cited: Reference | undefined;
  onOpen: (cited: Reference) => void;
  /** Whether the reader points at it, with the mouse or the keyboard. */
  onPoint: (number: number | undefined) => void;
}) {
  // While an answer is written, its references are not known yet.
  if (!cited) return <sup className="px-0.5 text-small text-muted">{number}</sup>;
  return (
    <TooltipTrigger delay={300}>
      <AriaButton
        aria-label={`Source ${number}: ${cited.title}`}
        onPress={() => onOpen(cited)}
        onHoverChange={(isOver) => onPoint(isOver ? number : undefined)}
        onFocusChange={(isOn) => onPoint(isOn ? number : undefined)}
        data-cite={number}
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
export function Sources({
  message,
  pointed,
  onPoint,
  onOpen,
}: {
  message: Message;
  pointed: number | undefined;
  onPoint: (number: number | undefined) => void;
  onOpen: (cited: Reference) => void;
}) {
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
              onMouseEnter={() => onPoint(cited.number)}
              onMouseLeave={() => onPoint(undefined)}
              onFocus={() => onPoint(cited.number)}
              onBlur={() => onPoint(undefined)}
              className={classes(
                "flex min-h-8 touch-44 w-full items-baseline gap-2 rounded-ui px-1 py-1 text-left hover:bg-hover",
                pointed === cited.number && "bg-hover",
              )}
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

/** Marks the sentence before the reference that the reader points at, without moving anything. */
export function Cited({ pointed, children }: { pointed: number | undefined; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Older browsers cannot mark text without changing the document; there the hint is enough.
    if (pointed === undefined || !box.current || !("highlights" in CSS)) return;
    const ranges = [...box.current.querySelectorAll(`[data-cite="${pointed}"]`)].map(
      sentenceBefore,
    );
    CSS.highlights.set(POINTED, new Highlight(...ranges));
    return () => void CSS.highlights.delete(POINTED);
  }, [pointed]);
  return <div ref={box}>{children}</div>;
}

/** From the end of the sentence before, within the same block, up to a reference. */
function sentenceBefore(reference: Element): Range {
  const range = document.createRange();
  const block = reference.closest("p, li, td, h4, blockquote") ?? reference.parentElement!;
  range.setStart(block, 0);
  range.setEndBefore(reference);
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node.compareDocumentPosition(reference) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
    const isNumber = node.parentElement?.closest("[data-cite]");
    const text = isNumber ? "" : (node.textContent ?? "");
    // A full stop that words follow ends the sentence before; the last one is this sentence's own.
    for (const stop of text.matchAll(/[.!?]["”’)]*\s+(?=\S)/g))
      range.setStart(node, stop.index + stop[0].length);
    if (/^\s*[.!?]\s+\S/.test(text)) range.setStart(node, text.search(/[.!?]\s/) + 1);
  }
  return range;
}
