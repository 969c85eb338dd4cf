import { type ComponentType, createContext, useContext } from "react";
import type { WizardInput } from "@/shared/api/chat";
import type { Kind, RecordData } from "@/shared/api/records";
import type { PackView } from "@/shared/api/schema";
import type { Message } from "@/shared/events/chatEvents";
import type { IconName } from "@/shared/ui";

/** An entry of the navigation. */
export interface NavEntry {
  to: string;
  label: string;
  icon: IconName;
  place: "top" | "work" | "foot";
  /** The second key after `g`, such as `i` for the inbox. */
  key?: string;
  /** A live count beside the label; draws nothing where there is nothing. */
  Count?: ComponentType;
}

export interface RecordTabProps {
  pack: PackView;
  kind: Kind;
  record: RecordData;
}

/** A tab of a record's page. */
export interface RecordTab {
  id: string;
  title: string;
  /** Tabs stand in this order; Details is 20. */
  order: number;
  appliesTo: (kind: Kind) => boolean;
  Content: ComponentType<RecordTabProps>;
}

/** An action in the header of a record's page, or over selected rows of a table. */
export interface RecordAction {
  id: string;
  appliesTo: (kind: Kind) => boolean;
  Button?: ComponentType<RecordTabProps>;
  /** For several records at once. */
  Bulk?: ComponentType<{ kind: Kind; ids: string[]; onDone: () => void }>;
}

/** A part of a record's Details, below its fields. */
export interface RecordDetail {
  id: string;
  appliesTo: (kind: Kind) => boolean;
  Content: ComponentType<RecordTabProps>;
}

export interface ListActionProps {
  pack: PackView;
  kind: Kind;
}

/** An action beside the list of a kind, also where the list is empty. */
export interface ListAction {
  id: string;
  Action: ComponentType<ListActionProps>;
}

/** What the side sheet shows for an entry such as `claim:items/12/pricing.target`. */
export interface SheetView {
  title: (args: string[]) => string;
  /** Draws the title where it has to be fetched; `title` stands there until then. */
  Title?: ComponentType<{ args: string[] }>;
  Content: ComponentType<{ args: string[] }>;
}

/** What an answer of a conversation draws for an entry of its `meta`, in place of its text. */
export interface MessagePartProps {
  message: Message;
  /** All messages that are loaded, in their order. */
  messages: readonly Message[];
  /** Whether an answer is being written: nothing can be sent until it ends. */
  isBusy: boolean;
  /** Whether it may take the focus as it comes: after something was sent from here. */
  takesFocus: () => boolean;
  /** Sends a message with input for a form; the answer comes as a further message. */
  send: (content: string, wizardInput: WizardInput) => void;
}

/** An action of the command palette. */
export interface Command {
  id: string;
  label: string;
  icon: IconName;
  run: () => void;
}

/** What a feature adds to the application, beside its routes.  Every part is optional. */
export interface Feature {
  id: string;
  nav?: NavEntry[];
  recordTabs?: RecordTab[];
  recordActions?: RecordAction[];
  recordDetails?: RecordDetail[];
  /** A mark beside the title of a record; draws nothing where it does not apply. */
  RecordMark?: ComponentType<RecordTabProps>;
  listActions?: ListAction[];
  /** A guided way to a new record of a kind, where there is one; a hook. */
  useNewRecord?: (of: ListActionProps) => (() => void) | undefined;
  sheets?: Record<string, SheetView>;
  /** Parts of an answer in a conversation, by the names of entries in its `meta`. */
  messageParts?: Record<string, ComponentType<MessagePartProps>>;
  /** Commands of the palette; a hook, so that they may depend on what the person may do. */
  useCommands?: () => Command[];
  /** What the top of the page shows beside the search, such as running work. */
  TopBar?: ComponentType;
  /** What stays beside every page, such as the chat. */
  Dock?: ComponentType;
}

const Features = createContext<readonly Feature[]>([]);
export const FeaturesProvider = Features.Provider;

/** Everything that the features of this build add. */
export const useFeatures = (): readonly Feature[] => useContext(Features);
