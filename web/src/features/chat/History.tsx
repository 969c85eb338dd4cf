import { useDeferredValue, useState } from "react";
import { type Conversation, useConversations, useSearchConversations } from "@/shared/api/chat";
import { Time } from "@/shared/format";
import { Button, EmptyState, ErrorState, Field, SkeletonLines } from "@/shared/ui";
import { useRecordTitle } from "./subject";

const SHORTEST = 2;

/** One's conversations, and the messages in them that contain some words. */
export function History({
  record,
  shown,
  onChoose,
}: {
  /** Only those about this record. */
  record?: { kind: string; id: string };
  shown: string | null;
  onChoose: (id: string) => void;
}) {
  const [words, setWords] = useState("");
  const search = useDeferredValue(words.trim());
  return (
    <div className="flex min-h-0 grow flex-col gap-3 overflow-y-auto p-4">
      <Field
        label="Search conversations"
        type="search"
        value={words}
        onChange={setWords}
        autoFocus
      />
      {search.length >= SHORTEST ? (
        <Found words={search} onChoose={onChoose} />
      ) : (
        <All record={record} shown={shown} onChoose={onChoose} />
      )}
    </div>
  );
}

function All({
  record,
  shown,
  onChoose,
}: {
  record?: { kind: string; id: string };
  shown: string | null;
  onChoose: (id: string) => void;
}) {
  const all = useConversations(record);
  if (all.error) return <ErrorState error={all.error} retry={() => void all.refetch()} />;
  if (!all.data) return <SkeletonLines lines={6} />;
  const items = all.data.pages.flatMap((page) => page.items);
  if (!items.length)
    return (
      <EmptyState icon="history" title="No conversations yet">
        Ask something; it will be listed here.
      </EmptyState>
    );
  return (
    <>
      <ul className="-mx-2 flex flex-col">
        {items.map((item) => (
          <li key={item.id}>
            <Row item={item} isShown={item.id === shown} onChoose={() => onChoose(item.id)} />
          </li>
        ))}
      </ul>
      {all.hasNextPage && (
        <Button isPending={all.isFetchingNextPage} onPress={() => void all.fetchNextPage()}>
          More
        </Button>
      )}
    </>
  );
}

const ROW =
  "flex min-h-11 w-full flex-col justify-center rounded-ui px-2 py-1 text-left hover:bg-hover aria-[current]:bg-hover";

function Row(props: { item: Conversation; isShown: boolean; onChoose: () => void }) {
  const { item, isShown, onChoose } = props;
  const about = useRecordTitle(item.kind, item.subjectId);
  return (
    <button type="button" onClick={onChoose} aria-current={isShown || undefined} className={ROW}>
      <span className="w-full truncate">{item.title || "Without a title"}</span>
      <span className="flex w-full gap-2 text-small text-muted">
        <span className="min-w-0 grow truncate">{about || (item.kind ? "…" : "On pages")}</span>
        <Time at={item.updatedAt} />
      </span>
    </button>
  );
}

function Found({ words, onChoose }: { words: string; onChoose: (id: string) => void }) {
  const found = useSearchConversations(words);
  if (found.error) return <ErrorState error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return <SkeletonLines lines={4} />;
  if (!found.data.length)
    return <EmptyState icon="search" title={`No message contains “${words}”`} />;
  return (
    <ul className="-mx-2 flex flex-col">
      {found.data.map((hit) => (
        <li key={hit.messageId}>
          <button type="button" onClick={() => onChoose(hit.sessionId)} className={ROW}>
            <span className="w-full truncate">{hit.title || "Without a title"}</span>
            <span className="line-clamp-2 w-full text-table text-muted wrap-anywhere">
              {hit.role === "user" ? "You: " : ""}
              {hit.snippet}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
