import {
  Button as AriaButton,
  Text,
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from "react-aria-components";
import { IconButton } from "./Button";
import { describeError } from "./states";

interface Message {
  text: string;
  detail?: string;
  tone?: "plain" | "negative";
  action?: { label: string; run: () => void };
}

const queue = new ToastQueue<Message>({ maxVisibleToasts: 3 });
const SHORT = 6000;

/** Announces something that happened in the background; it goes by itself. */
export function toast(text: string, action?: Message["action"]): void {
  queue.add({ text, action }, { timeout: action ? SHORT * 2 : SHORT });
}

/** Announces why an action did not work; it stays until it is closed. */
export function toastError(error: unknown): void {
  const { title, detail } = describeError(error);
  queue.add({ text: title, detail, tone: "negative" });
}

/** Where toasts appear; once, in the shell. */
export function Toasts() {
  return (
    <ToastRegion queue={queue} className="fixed right-4 bottom-4 z-50 flex flex-col gap-2">
      {({ toast: shown }) => (
        <AriaToast
          toast={shown}
          className="flex w-80 max-w-[calc(100vw-2rem)] items-start gap-2 rounded-ui border border-line bg-raised py-2 pr-2 pl-3 shadow-over"
        >
          <ToastContent className="flex min-w-0 grow flex-col py-1">
            <Text
              slot="title"
              className={
                shown.content.tone === "negative" ? "font-medium text-negative" : "font-medium"
              }
            >
              {shown.content.text}
            </Text>
            {shown.content.detail && (
              <Text slot="description" className="text-table text-muted">
                {shown.content.detail}
              </Text>
            )}
            {shown.content.action && (
              <AriaButton
                className="mt-1 self-start font-medium text-accent"
                onPress={() => {
                  shown.content.action?.run();
                  queue.close(shown.key);
                }}
              >
                {shown.content.action.label}
              </AriaButton>
            )}
          </ToastContent>
          <IconButton slot="close" icon="close" label="Close" />
        </AriaToast>
      )}
    </ToastRegion>
  );
}
