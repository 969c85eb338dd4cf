import { useQuery } from "@tanstack/react-query";
import { answered, api } from "./client";
import type { Inbox } from "./schema";

export type InboxEntry = Inbox["items"][number];

const AGAIN_MS = 60_000;

/** What waits for this person, the oldest first. */
export function useInbox() {
  return useQuery({
    queryKey: ["inbox"],
    queryFn: async ({ signal }) => (await answered<Inbox>(api.GET("/api/inbox", { signal }))).items,
    refetchInterval: AGAIN_MS,
  });
}
