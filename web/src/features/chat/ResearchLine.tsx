import { Link } from "@tanstack/react-router";
import type { Conversation } from "@/shared/api/chat";
import { useConversation } from "@/shared/events/openConversation";
import { Icon } from "@/shared/ui";

/** Research that was started in the conversation: what it does now, and the way to it. */
export function ResearchLine({
  jobId,
  isNotice,
  conversation,
}: {
  jobId: string;
  /** Shown with the message that tells its end. */
  isNotice: boolean;
  conversation: Conversation;
}) {
  const { state } = useConversation(conversation.id);
  const steps = state.research[jobId] ?? [];
  const isOver =
    isNotice ||
    state.messages.some(
      ({ role, meta }) =>
        role === "notice" && (meta["research"] as { jobId?: string } | undefined)?.jobId === jobId,
    );
  return (
    <div className="rounded-ui border border-line bg-raised px-3 py-2 text-table">
      <div className="flex items-center gap-2">
        <Icon
          name={isOver ? "check" : "refresh"}
          className={isOver ? "text-muted" : "animate-turn text-accent"}
        />
        <span className="min-w-0 grow truncate">
          {isOver ? "The research has ended" : (steps.at(-1)?.message ?? "The research is running")}
        </span>
        {conversation.kind && conversation.subjectId && (
          <Link
            to="/records/$kind/$id"
            params={{ kind: conversation.kind, id: conversation.subjectId }}
            search={{ tab: "research" }}
            className="whitespace-nowrap text-accent hover:underline"
          >
            Open the research
          </Link>
        )}
      </div>
      {steps.length > 1 && (
        <details className="mt-1 text-muted">
          <summary className="min-h-8 cursor-pointer">{steps.length} steps</summary>
          <ol className="flex flex-col gap-0.5">
            {steps.map((step, index) => (
              <li key={index}>{step.message}</li>
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}
