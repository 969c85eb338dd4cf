import { useInbox } from "@/shared/api/inbox";
import type { Feature } from "@/shared/feature/feature";

/** How much waits, beside the entry of the navigation. */
function Count() {
  const count = useInbox().data?.length ?? 0;
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
