import type { Message } from "@/shared/events/chatEvents";

/** A message, or the messages of a branch that an edited message has replaced. */
export type LogEntry = Message | { replacedBy: string; branch: Message[] };

/** The log with replaced branches folded: each stands before the message that replaced it. */
export function entriesOf(messages: readonly Message[]): LogEntry[] {
  const entries: LogEntry[] = [];
  let open: { replacedBy: string; branch: Message[] } | undefined;
  for (const message of messages) {
    if (open?.replacedBy === message.id) open = undefined;
    if (open) {
      open.branch.push(message);
    } else if (message.role === "user" && message.supersededBy) {
      open = { replacedBy: message.supersededBy, branch: [message] };
      entries.push(open);
    } else {
      entries.push(message);
    }
  }
  return entries;
}
