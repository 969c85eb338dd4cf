import { type ReactNode, useState } from "react";
import type { Subject } from "@/shared/api/chat";
import { useConversation } from "@/shared/events/openConversation";
import { Bar } from "./Bar";
import { History } from "./History";
import { Panel } from "./Panel";

interface ChatProps {
  /** The conversation that is shown; null for one that begins with the first message. */
  shown: string | null;
  subject: Subject;
  title: string;
  examples: string[];
  /** Whose conversations the history lists; without it, all. */
  record?: { kind: string; id: string };
  /** Null for a new conversation. */
  onShow: (id: string | null) => void;
  focusOn?: unknown;
  /** At the end of the header. */
  end?: ReactNode;
  /** Between the header and the messages. */
  below?: ReactNode;
}

/** A conversation with its header and its history, as the dock and a record's tab show it. */
export function Chat(props: ChatProps) {
  const { shown, record, onShow, end, below, ...panel } = props;
  const [isHistory, setHistory] = useState(false);
  const [count, counted] = useState(0);
  function show(id: string | null) {
    setHistory(false);
    counted(count + 1);
    onShow(id);
  }
  const bar = {
    isHistory,
    onHistory: setHistory,
    onNew: () => show(null),
    onDeleted: () => show(null),
  };
  return (
    <>
      <header className="flex h-12 shrink-0 items-center gap-0.5 border-b border-line pr-2 pl-4">
        {isHistory ? (
          <h2 className="min-w-0 grow truncate font-semibold">Conversations</h2>
        ) : shown ? (
          <Title id={shown} />
        ) : (
          <h2 className="min-w-0 grow truncate font-semibold">New conversation</h2>
        )}
        {shown && !isHistory ? (
          <KnownBar id={shown} {...bar} />
        ) : (
          <Bar conversation={null} {...bar} />
        )}
        {end}
      </header>
      {isHistory ? (
        <History record={record} shown={shown} onChoose={show} />
      ) : (
        <>
          {below}
          <Panel
            {...panel}
            id={shown}
            onConversation={onShow}
            focusOn={`${String(panel.focusOn ?? "")}${count || ""}`}
          />
        </>
      )}
    </>
  );
}

function Title({ id }: { id: string }) {
  const { session, messages } = useConversation(id).state;
  const first = messages.find((message) => message.role === "user")?.content;
  return (
    <h2 className="min-w-0 grow truncate font-semibold">
      <bdi>{session?.title || first || "Conversation"}</bdi>
    </h2>
  );
}

function KnownBar({
  id,
  ...bar
}: { id: string } & Omit<Parameters<typeof Bar>[0], "conversation">) {
  const { session } = useConversation(id).state;
  return <Bar conversation={session} {...bar} />;
}
