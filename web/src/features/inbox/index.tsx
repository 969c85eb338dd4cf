import { useEffect, useRef } from "react";
import { useInbox } from "@/shared/api/inbox";
import type { Feature } from "@/shared/feature/feature";
import { callAttention } from "@/shared/ui/attention";

/** How much waits, beside the entry of the navigation. */
function Count() {
  const count = useInbox().data?.length ?? 0;
  const before = useRef(count);
  useEffect(() => {
    if (count > before.current) callAttention();
    before.current = count;
  }, [count]);
  if (!count) return null;
  return (
    <span className="figures rounded-full bg-accent-soft px-1.5 text-small font-medium text-accent">
      {count}
      <span className="sr-only"> waiting</span>
    </span>
  );
}

export const feature: Feature = {
  id: "inbox",
  nav: [{ to: "/inbox", label: "Inbox", icon: "inbox", place: "top", key: "i", Count }],
};
