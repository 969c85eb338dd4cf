import type { StepPayload } from "@/shared/api";
import { inWords } from "@/shared/format";

/** A sentence of the outcome with the section that it rests on. */
export interface Statement {
  title?: string;
  text: string;
  section?: string;
  url?: string;
  /** The day it is about. */
  on?: string | null;
  isPast?: boolean;
}

/** The figures, sentences, dates and texts of an outcome, as their shapes tell. */
export interface Blocks {
  /** Sentences that are no part of any other block. */
  lead: string[];
  statements: { heading: string; items: Statement[] }[];
  dates: Statement[];
  lists: { heading: string; items: string[] }[];
  figures: { label: string; value: string }[];
  /** Long texts, such as drafts of letters. */
  drafts: { title: string; text: string }[];
}

type Entry = Record<string, unknown>;

const isEntry = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (entry: Entry, ...names: string[]): string | undefined => {
  for (const name of names) {
    const value = entry[name];
    if (typeof value === "string" && value.trim()) return value;
  }
  return undefined;
};

/** Sorts an outcome's values by their shapes: no pack is known here by name. */
export function blocksOf({ step, values, outcome }: StepPayload): Blocks {
  const blocks: Blocks = {
    lead: [],
    statements: [],
    dates: [],
    lists: [],
    figures: [],
    drafts: [],
  };
  for (const [name, value] of Object.entries(values))
    add(blocks, outcome?.labels[name] ?? inWords(name), value, step.title);
  blocks.dates.sort((one, other) => (one.on ?? "9").localeCompare(other.on ?? "9"));
  const shown = [
    ...blocks.statements.flatMap((block) => block.items.map((item) => item.text)),
    ...blocks.dates.map((date) => date.text),
    ...blocks.lists.flatMap((list) => list.items),
    ...blocks.figures.map((figure) => figure.value),
  ].filter((each) => each.length > 20);
  blocks.lead = step.why
    .split("\n")
    .filter((line) => line.trim() && !shown.some((each) => line.includes(each)));
  return blocks;
}

function add(blocks: Blocks, heading: string, value: unknown, title: string): void {
  if (value === null || value === undefined || value === "" || value === title) return;
  if (!Array.isArray(value)) {
    if (typeof value === "string" && value.length > 60)
      blocks.lists.push({ heading, items: [value] });
    else if (!isEntry(value)) blocks.figures.push({ label: heading, value: String(value) });
    return;
  }
  if (!value.length) return;
  if (value.every((each) => typeof each === "string"))
    return void blocks.lists.push({ heading, items: value });
  const entries = value.filter(isEntry);
  if (entries.some((entry) => "on" in entry))
    return void blocks.dates.push(...entries.flatMap(statementOf));
  const drafts = entries.filter((entry) => String(entry["text"] ?? "").includes("\n"));
  for (const draft of drafts)
    blocks.drafts.push({
      title: text(draft, "title", "name") ?? heading,
      text: text(draft, "text")!,
    });
  if (drafts.length) return;
  const items = entries.flatMap(statementOf);
  if (items.length) blocks.statements.push({ heading, items });
}

function statementOf(entry: Entry): Statement[] {
  const words = text(entry, "text", "words", "wording");
  if (!words) return [];
  const on = text(entry, "later", "on");
  const url = text(entry, "url");
  return [
    {
      text: words,
      title: text(entry, "title"),
      section: text(entry, "section"),
      url: url?.startsWith("https://") ? url : undefined,
      on: "on" in entry ? (on ?? null) : undefined,
      isPast: entry["isPast"] === true,
    },
  ];
}
