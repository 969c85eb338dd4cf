/**
 * The Socket.IO protocol of whence, for `socket.io-client`:
 *
 *     const chat: Socket<ChatServerEvents, ChatClientEvents> = io(`${url}/chat`, { auth });
 *
 * Written by scripts/write_socket_types.py from the server's own models; do not edit.
 */

/** What every event of a client is acknowledged with. */
export type Acknowledgement<T> = ({ ok: true } & T) | { ok: false; error: Problem };

/** A proposed change as one of an answer's actions. */
export interface Action {
  id: string;
  kind: string;
  subjectId: string;
  subjectVersion: number;
  userId: string;
  changes: Array<FieldChange>;
  reason: string;
  evidence: Array<string>;
  claims: Array<string>;
  status: ProposalStatus;
  createdAt: string;
  expiresAt: string;
  appliedAt: string | null;
  undoneAt: string | null;
  declinedAt: string | null;
  chatSessionId: string | null;
  messageId: string | null;
  type: "update_record";
  payload: ActionPayload;
  applied: boolean;
  itemId: string | null;
}

/** Somebody decided on a change that an answer proposed, by any route. */
export interface ActionApplied {
  messageId: string;
  actionIndex: number;
  success: boolean;
  status: "applied" | "undone" | "declined" | null;
  field: string | null;
  error: string | null;
}

/** The change that was applied. */
export interface ActionDone {
  applied: Applied;
}

/** What an action would write. */
export interface ActionPayload {
  kind: string;
  subjectId: string;
  values: Record<string, unknown>;
  itemId: string | null;
}

/** One fact as it might be, and what would then be otherwise. */
export interface Alternative {
  fact: string;
  stated: string;
  supposed: string;
  effects: Array<string>;
}

/** An error in an answer; `field` is null if it concerns the whole step. */
export interface AnswerError {
  field: string | null;
  code: string;
  message: string;
}

/** An answer begins; its pieces follow, and its `message` at the end. */
export interface AnswerStarted {
  messageId: string;
  replyTo: string;
  turnId: string;
  ordinal: number;
}

/** The result of applying a proposal, or of undoing it. */
export interface Applied {
  proposalId: string;
  status: ProposalStatus;
  kind: string;
  subjectId: string;
  version: number;
  changes: Array<FieldChange>;
  reason: string;
  at: string;
  itemId: string | null;
}

/** `apply_action`: apply a change that an answer proposed. */
export interface ApplyAction {
  messageId: string;
  actionIndex: number;
  reason?: string | null;
}

/** Days of a result, line by line: a client draws them as a strip and as a table. */
export interface Calendar {
  first: string;
  last: string;
  weekdays: Array<number>;
  daysOff: Array<string>;
  rows: Array<CalendarRow>;
  marks: Array<CalendarMark>;
}

/** A day to know. */
export interface CalendarMark {
  on: string;
  text: string;
}

/** One line of a calendar, such as a law: what its days are, and the same in words. */
export interface CalendarRow {
  title: string;
  text: string;
  spans: Array<CalendarSpan>;
}

/** Days from `first` to `last`, both counted, in one state. */
export interface CalendarSpan {
  first: string;
  last: string;
  state: "covered" | "not_covered" | "unknown";
}

/** A tool that an answer called, with its result. */
export interface CalledTool {
  name: string;
  arguments: Record<string, unknown>;
  status: string;
  summary: string | null;
  durationMs: number | null;
  result: unknown;
  resultCut: boolean;
}

/** The answer failed or could not be completed; the text so far is kept. */
export interface ChatError {
  messageId: string;
  error: string;
  message: string;
}

/** A conversation with its newest messages, oldest first. */
export interface ChatStatus {
  id: string;
  kind: string | null;
  subjectId: string | null;
  page: Record<string, unknown>;
  title: string;
  createdAt: string;
  updatedAt: string;
  messageCount: number;
  turnId: string | null;
  sessionId: string;
  messages: Array<MessageAnswer>;
  lastSeq: number;
  itemId: string | null;
}

/** A value to choose, and its label. */
export interface Choice {
  value: string | number | boolean;
  label: string;
}

/** A numbered reference of an answer, with the beginning of its source. */
export interface Cited {
  number: number;
  kind: "claim" | "evidence" | "record" | "tool" | "rule" | "run" | "page" | "organization";
  title: string;
  snippet: string;
  id: string | null;
  path: string | null;
  url: string | null;
}

/** The definition that the run is pinned to. */
export interface DefinitionRef {
  id: string;
  version: string;
}

/** A candidate version failed, and the primary version did the work. */
export interface Fallback {
  candidate: string;
  primary: string;
  reason: string;
}

/** A field by its wire name, before and after the change. */
export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

/** An error in one field of the input. */
export interface FieldError {
  field: string;
  message: string;
}

/** How to draw a field. */
export interface FieldShown {
  name: string;
  label: string;
  help: string;
  widget: string;
  unit: string;
  required: boolean;
  choices: Array<Choice>;
}

/** A run of a research flow; the id of its subject is added under the subject's own name. */
export interface Job {
  id: string;
  type: string;
  flowVersion: string;
  runType: string;
  parameters: Record<string, unknown>;
  lane: LaneName;
  fallback: Fallback | null;
  status: string;
  priority: Priority;
  attempt: number;
  currentNode: string | null;
  stepCount: number;
  progress: number | null;
  stepHistory: Array<Step>;
  resumable: boolean;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  notice: string | null;
  resumeAt: string | null;
  question: Question | null;
  recordChanged: boolean;
  error: JobError | null;
  result: Record<string, unknown> | null;
  spent: Spent;
}

/** The run has its final status; nothing follows. */
export interface JobComplete {
  status: "success" | "error" | "cancelled";
  dossierId: string | null;
  partial: boolean;
  summary: string | null;
  error: Record<string, unknown> | null;
}

/** Why a run failed or waits. */
export interface JobError {
  type: string;
  message: string;
}

/** A message for the user, for example that a run can no longer be resumed. */
export interface JobNotice {
  notice: string;
}

/** The run waits for a time, or for a person's answer to `question`. */
export interface JobPaused {
  notice: string;
  resumeAt: string | null;
  question: Record<string, unknown> | null;
}

/** The progress of a pack's job: `done` of `total`, if the total is known. */
export interface JobProgress {
  done: number;
  total: number | null;
  message: string | null;
}

/** The run waits for a worker. */
export interface JobQueued {
  priority: string;
}

/** A worker has claimed the run; an `attempt` above 1 continues after the last finished node. */
export interface JobStarted {
  attempt: number;
  resumed: boolean;
}

/** `join_session`: the current conversation, then its events; with `after`, the events after it. */
export interface Join {
  sessionId: string;
  after?: number | null;
}

/**
 * A field of the step that is known and not asked, with its source. Its value is in `values`;
 * sending it back changes nothing.
 */
export interface KnownField {
  name: string;
  label: string;
  shown: string;
  source: string;
}

export type LaneName = "primary" | "shadow";

/** `leave_session`: no more events of this conversation. */
export interface Leave {
  sessionId: string;
}

/** The client's cursor cannot be followed; a snapshot comes next. */
export interface LostEvents {
  after: number;
  firstSeq: number;
  lastSeq: number;
}

/** One message of a conversation. */
export interface MessageAnswer {
  id: string;
  sessionId: string;
  ordinal: number;
  role: "user" | "assistant" | "notice";
  content: string;
  clientMessageId: string | null;
  turnId: string | null;
  replyTo: string | null;
  supersededBy: string | null;
  status: "streaming" | "complete" | "stopped" | "interrupted" | "failed";
  intent: string | null;
  method: string | null;
  citations: Array<Cited>;
  toolCalls: Array<CalledTool>;
  actions: Array<Record<string, unknown>>;
  meta: Record<string, unknown>;
  createdAt: string;
  completedAt: string | null;
}

/** A message as it is stored: a person's when it is sent, an answer once it is complete. */
export interface MessageEvent {
  id: string;
  sessionId: string;
  ordinal: number;
  role: "user" | "assistant" | "notice";
  content: string;
  clientMessageId: string | null;
  turnId: string | null;
  replyTo: string | null;
  supersededBy: string | null;
  status: "streaming" | "complete" | "stopped" | "interrupted" | "failed";
  intent: string | null;
  method: string | null;
  citations: Array<Cited>;
  toolCalls: Array<CalledTool>;
  actions: Array<Record<string, unknown>>;
  meta: Record<string, unknown>;
  createdAt: string;
  completedAt: string | null;
}

/** Where one can go: the previous step, the steps to change, and whether to cancel. */
export interface Nav {
  back: string | null;
  change: Array<string>;
  cancel: boolean;
}

/** A node has ended; `error` gives the reason if the status is not `success` or `skipped`. */
export interface NodeComplete {
  node: string;
  step: number;
  status: "success" | "error" | "paused" | "interrupted" | "skipped";
  durationMs: number;
  timestamp: string;
  error: string | null;
  branch: string | null;
  progress: number | null;
}

/** A node starts; `step` counts the run's steps from 1. */
export interface NodeStarted {
  node: string;
  step: number;
  attempt: number;
  branch: string | null;
}

/** Beside an outcome's text, rules and values: headings for the values, and these parts. */
export interface OutcomeShown {
  about: Record<string, string>;
  labels: Record<string, string>;
  calendar: Calendar | null;
  alternatives: Array<Alternative>;
}

export type Priority = "low" | "normal" | "high";

/** An error in the form of RFC 9457; `type` is stable, `detail` is for people. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors?: Array<FieldError>;
  incident?: string | null;
  retryAfter?: number | null;
  current?: Record<string, unknown> | null;
}

/** What a node is doing, in words. */
export interface Progress {
  node: string;
  message: string;
  branch: string | null;
}

export type ProposalStatus = "proposed" | "applied" | "undone" | "declined" | "expired" | "stale";

/** Where a value comes from: `you`, or a source the wizard knew before. */
export interface Provenance {
  source: string;
}

/**
 * A question to a person; `key` identifies it within the run. If it is not `required`, null is a
 * valid answer and means "I don't know".
 */
export interface Question {
  key: string;
  text: string;
  why: string;
  kind: "text" | "choice" | "number";
  choices: Array<string>;
  required: boolean;
}

/** The record the run is about, or the record it wrote. */
export interface RecordRef {
  kind: string;
  id: string;
}

/** `regenerate`: answer the last message again. */
export interface Regenerate {
  sessionId: string;
}

/** The progress of research that was requested in this conversation. */
export interface ResearchProgress {
  jobId: string;
  status: string;
  node: string | null;
  message: string;
}

/** One rule applied to the facts; `source` is the section it comes from. */
export interface RuleRow {
  law: string;
  rule: string;
  needed: string;
  actual: string;
  result: "met" | "not_met" | "unknown";
  source: string;
}

/** `expired` and `withdrawn` (no pack offers its version any more) are derived, not stored. */
export type RunStatus = "open" | "completed" | "cancelled" | "expired" | "withdrawn";

/** A part of the form, and how far it is. */
export interface SectionShown {
  title: string;
  state: "done" | "current" | "ahead";
}

/**
 * `send_message`: a message, or wizard input. With a `clientMessageId`, sending it again has no
 * second effect; without one, each is new.
 */
export interface Send {
  sessionId: string;
  content?: string;
  clientMessageId?: string | null;
  wizardInput?: Record<string, unknown> | null;
}

/** The part of its budget a run has used. */
export interface Spent {
  calls: number;
  tokens: number;
  usd: number;
  seconds: number;
}

/** One node's turn. */
export interface Step {
  step: number;
  node: string;
  attempt: number;
  status: string;
  startedAt: string;
  completedAt: string | null;
  durationMs: number | null;
  branch: string | null;
  detail: StepDetail;
}

/** More about one node's turn. */
export interface StepDetail {
  error: string | null;
  attempts: number;
  counts: Record<string, number>;
}

/** `question` asks, `review` shows all answers for confirmation, `outcome` ends the wizard. */
export type StepKind = "question" | "review" | "outcome";

/**
 * A complete step of a run: a client draws it unchanged and sends `values` back. `errors` block,
 * `ui.warnings` do not. A submit names the `revision` it is based on.
 */
export interface StepPayload {
  wizardRunId: string;
  definition: DefinitionRef;
  revision: number;
  step: StepShown;
  schema: Record<string, unknown>;
  ui: StepUi;
  values: Record<string, unknown>;
  provenance: Record<string, Provenance>;
  errors: Array<AnswerError>;
  nav: Nav;
  progress: WizardProgress;
  summary: Array<SummaryLine>;
  derived: Array<RuleRow>;
  outcome: OutcomeShown | null;
  submitLabel: string | null;
  textFallback: string;
}

/** The step's texts. For the outcome, `title` and `why` are the wizard's result. */
export interface StepShown {
  id: string;
  kind: StepKind;
  title: string;
  why: string;
}

/**
 * What to draw in addition to the schema: the fields to ask in order, the known fields, and
 * warnings about all answers.
 */
export interface StepUi {
  title: string;
  fields: Array<FieldShown>;
  known: Array<KnownField>;
  warnings: Array<Warned>;
  record: RecordRef | null;
  follows: Array<RuleRow>;
}

/** `stop`: end the answer in progress, and keep its text so far. */
export interface Stop {
  sessionId: string;
}

/** `subscribe_job`: events after `after` (default: all). */
export interface Subscribe {
  jobId: string;
  after?: number;
}

/** One answer to check, in words, and the step at which to change it. */
export interface SummaryLine {
  stepId: string;
  field: string;
  label: string;
  value: unknown;
  shown: string;
  source: string;
  change: string | null;
}

/** A piece of an answer in progress. */
export interface Token {
  messageId: string;
  token: string;
}

/** A tool the answer uses: sent once for the call, and once for its result. */
export interface ToolCallEvent {
  messageId: string;
  callId: string;
  name: string;
  arguments: Record<string, unknown>;
  status: "running" | "done" | "failed";
  summary: string | null;
  durationMs: number | null;
}

/** A message and its answer; `isNew` is false if both existed already. */
export interface TurnBegun {
  messageId: string;
  answerId: string;
  turnId: string;
  isNew: boolean;
}

/** The turn is over and the next message may be sent. */
export interface TurnEnded {
  turnId: string;
  messageId: string;
  status: "complete" | "stopped" | "interrupted" | "failed";
}

/** The turn that was asked to stop; null if none was in progress. */
export interface TurnStopped {
  turnId: string | null;
}

/** `unsubscribe_job`: no more events of this job. */
export interface Unsubscribe {
  jobId: string;
}

/** A warning about an answer; it does not block anything. */
export interface Warned {
  stepId: string;
  field: string | null;
  code: string;
  message: string;
}

/**
 * Wizard input that a client sends with a message or instead of one. `init` starts `wizardId`,
 * or without one the only wizard of the record's kind (a `wizardRunId` chosen by the sender
 * makes that idempotent); `respond` answers `inputStepId`; `resume` shows the current step, or
 * the step named. Without `wizardRunId` the input goes to the wizard that is open in the
 * conversation; if none is open, to the one used last, so that a repeated submit learns how it
 * ended.
 */
export interface WizardInput {
  action: "init" | "respond" | "resume" | "back" | "change" | "cancel";
  wizardId?: string | null;
  wizardRunId?: string | null;
  inputStepId?: string | null;
  inputResponses?: Record<string, unknown> | Array<{ questionId: string; value?: unknown; }> | null;
  revision?: number | null;
}

/** How far the run is, in steps that are asked. `reason` says why it is no longer open. */
export interface WizardProgress {
  status: RunStatus;
  step: number;
  of: number;
  mayChange: boolean;
  reason: string | null;
  sections: Array<SectionShown>;
}

/** What the server sends in the namespace `/research`. */
export interface ResearchServerEvents {
  job_status: (data: Job & { lastSeq: number; itemId?: string }) => void;
  job_queued: (data: JobQueued & { jobId: string; seq: number }) => void;
  job_started: (data: JobStarted & { jobId: string; seq: number }) => void;
  node_started: (data: NodeStarted & { jobId: string; seq: number }) => void;
  progress: (data: Progress & { jobId: string; seq: number }) => void;
  job_progress: (data: JobProgress & { jobId: string; seq: number }) => void;
  node_complete: (data: NodeComplete & { jobId: string; seq: number }) => void;
  job_paused: (data: JobPaused & { jobId: string; seq: number }) => void;
  job_notice: (data: JobNotice & { jobId: string; seq: number }) => void;
  job_complete: (data: JobComplete & { jobId: string; seq: number }) => void;
  gap: (data: LostEvents & { jobId: string }) => void;
  access_ended: (data: Problem) => void;
}

/** What a client sends in the namespace `/research`. */
export interface ResearchClientEvents {
  subscribe_job: (payload: Subscribe, acknowledge: (answer: Acknowledgement<object>) => void) => void;
  unsubscribe_job: (payload: Unsubscribe, acknowledge: (answer: Acknowledgement<object>) => void) => void;
}

/** What the server sends in the namespace `/chat`. */
export interface ChatServerEvents {
  chat_status: (data: ChatStatus) => void;
  message: (data: MessageEvent & { sessionId: string; seq: number }) => void;
  answer_started: (data: AnswerStarted & { sessionId: string; seq: number }) => void;
  token: (data: Token & { sessionId: string; seq: number }) => void;
  tool_call: (data: ToolCallEvent & { sessionId: string; seq: number }) => void;
  research_progress: (data: ResearchProgress & { sessionId: string; seq: number }) => void;
  action_applied: (data: ActionApplied & { sessionId: string; seq: number }) => void;
  error: (data: ChatError & { sessionId: string; seq: number }) => void;
  turn_ended: (data: TurnEnded & { sessionId: string; seq: number }) => void;
  gap: (data: LostEvents & { sessionId: string }) => void;
  access_ended: (data: Problem & { sessionId?: string }) => void;
}

/** What a client sends in the namespace `/chat`. */
export interface ChatClientEvents {
  join_session: (payload: Join, acknowledge: (answer: Acknowledgement<object>) => void) => void;
  leave_session: (payload: Leave, acknowledge: (answer: Acknowledgement<object>) => void) => void;
  send_message: (payload: Send, acknowledge: (answer: Acknowledgement<TurnBegun>) => void) => void;
  stop: (payload: Stop, acknowledge: (answer: Acknowledgement<TurnStopped>) => void) => void;
  regenerate: (payload: Regenerate, acknowledge: (answer: Acknowledgement<TurnBegun>) => void) => void;
  apply_action: (payload: ApplyAction, acknowledge: (answer: Acknowledgement<ActionDone>) => void) => void;
}
