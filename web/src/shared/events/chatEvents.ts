import type { MessageAnswer, PageOfSessionAnswer } from "@/shared/api/schema";

/** A conversation without its messages. */
export type Conversation = PageOfSessionAnswer["items"][number];

export interface ToolCall {
  /** Tells the calls of an answer in progress apart; stored calls have none. */
  callId?: string;
  name: string;
  arguments: Record<string, unknown>;
  status: string;
  summary: string | null;
  durationMs?: number | null;
  result?: unknown;
  resultCut?: boolean;
}

export interface Message extends Omit<MessageAnswer, "toolCalls"> {
  toolCalls: ToolCall[];
  /** Why the answer failed, in words. */
  trouble?: string;
}

export interface ResearchStep {
  node: string | null;
  status: string;
  message: string;
}

export type Decision = "applied" | "undone" | "declined";

/** An event of the log, or one of the messages that the server makes for one client. */
export type ChatEvent =
  | ({ seq: number } & (
      | ({ type: "message" } & MessageAnswer)
      | {
          type: "answer_started";
          messageId: string;
          replyTo: string;
          turnId: string;
          ordinal: number;
        }
      | { type: "token"; messageId: string; token: string }
      | ({ type: "tool_call"; messageId: string; callId: string } & ToolCall)
      | ({ type: "research_progress"; jobId: string } & ResearchStep)
      | {
          type: "action_applied";
          messageId: string;
          actionIndex: number;
          success: boolean;
          status: Decision | null;
          field: string | null;
          error: string | null;
        }
      | { type: "error"; messageId: string; error: string; message: string }
      | { type: "turn_ended"; turnId: string; messageId: string; status: MessageAnswer["status"] }
    ))
  | ({
      type: "chat_status";
      lastSeq: number;
      messages: MessageAnswer[];
    } & Conversation)
  | { type: "gap"; after: number; firstSeq: number; lastSeq: number }
  | { type: "earlier"; messages: MessageAnswer[]; isAll: boolean }
  | { type: "renamed"; title: string };

/** An event of the log, with its number. */
export type LoggedEvent = Extract<ChatEvent, { seq: number }>;
