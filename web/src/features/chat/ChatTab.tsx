import { useState } from "react";
import { useActiveConversation } from "@/shared/api/chat";
import type { RecordTabProps } from "@/shared/feature/feature";
import { titleOf } from "@/shared/format/record";
import { ErrorState, SkeletonLines } from "@/shared/ui";
import { Chat } from "./Chat";
import { examplesOf } from "./subject";

/** The tab of a record: its conversations, as wide as the page. */
export function ChatTab({ kind, record }: RecordTabProps) {
  const about = { kind: kind.kind, id: record.id };
  const active = useActiveConversation(about.kind, about.id);
  const [chosen, choose] = useState<string | null>();
  if (active.error) return <ErrorState error={active.error} retry={() => void active.refetch()} />;
  if (active.isPending) return <SkeletonLines lines={6} />;
  return (
    <section
      aria-label="Chat"
      className="flex h-[max(28rem,calc(100vh-16rem))] max-w-[1200px] flex-col rounded-ui border border-line bg-raised"
    >
      <Chat
        shown={chosen === undefined ? (active.data?.id ?? null) : chosen}
        subject={about}
        title={titleOf(kind, record)}
        examples={examplesOf(kind)}
        record={about}
        onShow={choose}
      />
    </section>
  );
}
