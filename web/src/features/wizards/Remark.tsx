import type { ReactNode } from "react";
import { Icon } from "@/shared/ui";

export interface RemarkText {
  text: string;
  /** The step that it is about. */
  step?: string;
}

/** What a person should know before going on; announced by the page's one live region. */
export function Remark({ text, action }: RemarkText & { action?: ReactNode }) {
  return (
    <div className="mb-5 flex flex-wrap items-center gap-2 rounded-ui bg-caution-soft px-3 py-2 text-caution">
      <Icon name="warning" />
      <p className="min-w-0 grow basis-48">{text}</p>
      {action}
    </div>
  );
}
