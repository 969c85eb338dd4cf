/**
 * What the server writes into an answer's text beside its words: references such as `[1]`, and
 * marks behind what no source supports.  They stand in the text, so that every reader has them.
 */
export type Part =
  | { type: "text"; text: string }
  | { type: "cite"; number: number }
  | { type: "unsupported"; text: string; note: string };

const NO_SOURCE = "(no source)";
const NOT_IN_SOURCE = "(not in its source)";
const ANY = / ?\[(\d{1,3})\]| ?\((?:no source|not in its source)\)/g;
/** A figure with its unit, at the end of a text. */
const FIGURE =
  /(?:[$€£]\s?)?\d[\d.,:/-]*(?:\s?(?:%|[A-Z]{3}\b|[$€£]|percent|days?|weeks?|hours?|k))?$/;
/** The last sentence, up to the end of a text. */
const SENTENCE = /[^.!?…]*(?:[.!?…](?=\S)[^.!?…]*)*[.!?…]?["”’)]*$/;

/** An answer's text in parts: words, references, and words that no source supports. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(ANY)) {
    push(parts, text.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[1]) parts.push({ type: "cite", number: Number(match[1]) });
    else underline(parts, match[0].trim());
  }
  push(parts, text.slice(at));
  return parts;
}

function push(parts: Part[], text: string): void {
  if (text) parts.push({ type: "text", text });
}

/** Turns the end of the last words into what the mark is about. */
function underline(parts: Part[], mark: string): void {
  const words = parts.findLastIndex((part) => part.type === "text");
  const last = parts[words];
  const note = mark === NO_SOURCE ? "no source" : "not in its source";
  if (last?.type !== "text") return void parts.push({ type: "unsupported", text: "", note });
  const pattern = mark === NOT_IN_SOURCE ? FIGURE : SENTENCE;
  const found = pattern.exec(last.text)?.[0] ?? "";
  const text = found.trimStart();
  const between = parts.splice(words, parts.length).slice(1);
  push(parts, last.text.slice(0, last.text.length - text.length));
  parts.push({ type: "unsupported", text, note }, ...between);
}

/** An answer as a sentence for a screen reader: without Markdown and references. */
export function spoken(content: string, longest = 600): string {
  const plain = content
    .replace(/\[\d{1,3}\]/g, "")
    .replace(/```[\s\S]*?```/g, " ")
    .replace(/[*_`#>|]+/g, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\s+([.,;:!?])/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length <= longest) return plain;
  return `${plain.slice(0, longest).replace(/\s\S*$/, "")} …`;
}
