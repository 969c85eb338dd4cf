import { useMatches } from "@tanstack/react-router";
import { type Kind, useKind, usePacks, useRecord } from "@/shared/api";
import type { Subject } from "@/shared/api/chat";
import type { PackView } from "@/shared/api/schema";
import { inWords } from "@/shared/format";
import { titleOf } from "@/shared/format/record";

/** The page that a person has open, as something to talk about. */
export interface Looking {
  subject: Subject;
  /** What it is called: the record's title, or the page's. */
  title: string;
  examples: string[];
  /** Whether the page already shows the conversation, in its tab. */
  isInTab: boolean;
}

const GENERAL = { page: "general", title: "This page" };

export function useLooking(): Looking | null {
  const last = useMatches().at(-1);
  const params = (last?.params ?? {}) as { kind?: string; id?: string };
  const search = (last?.search ?? {}) as { tab?: string };
  const packs = usePacks().data;
  const about = useKind(params.kind ?? "");
  if (!packs) return null;
  if (about?.kind.chat && params.id)
    return {
      subject: { kind: about.kind.kind, id: params.id },
      title: about.kind.title,
      examples: examplesOf(about.kind),
      isInTab: search.tab === "chat",
    };
  const page = about && !params.id ? listPage(about.pack, about.kind) : undefined;
  const subject = page ? { page: page.name, title: inWords(about!.kind.kind) } : GENERAL;
  return { subject, title: subject.title, examples: EXAMPLES, isInTab: false };
}

const EXAMPLES = ["What can I ask here?"];

export const examplesOf = (kind: Kind): string[] =>
  (kind.chat?.topics ?? []).map((topic) => topic.example).slice(0, 4);

/** The page of a kind's list: `leave.requests` for `leave-requests`. */
function listPage(pack: PackView, kind: Kind) {
  return pack.pages.find((page) => {
    const word = page.name.split(".").at(-1) ?? "";
    const isList = page.kind === null && Object.keys(page.ids["properties"] ?? {}).length === 0;
    return isList && (kind.kind === word || kind.kind.endsWith(`-${word}`));
  });
}

/** What a conversation is about, in words; empty for one that is not about a record. */
export function useRecordTitle(kind: string | null, id: string | null): string {
  const about = useKind(kind ?? "");
  const record = useRecordIfNamed(kind, id);
  return about && record ? titleOf(about.kind, record) : "";
}

function useRecordIfNamed(kind: string | null, id: string | null) {
  return useRecord(kind ?? "", id ?? "", kind !== null && id !== null).data;
}
