import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answered, api, send } from "./client";
import type { Inbox } from "./schema";

export type InboxEntry = Inbox["items"][number];
export type PackEntry = NonNullable<InboxEntry["entry"]>;
export type PackAction = PackEntry["actions"][number];

const AGAIN_MS = 60_000;

/** What waits for this person, the oldest first. */
export function useInbox() {
  return useQuery({
    queryKey: ["inbox"],
    queryFn: async ({ signal }) => (await answered<Inbox>(api.GET("/api/inbox", { signal }))).items,
    refetchInterval: AGAIN_MS,
    // The tab tells of what came while nobody looked at it.
    refetchIntervalInBackground: true,
  });
}

/** Decides an entry of a pack by one of its actions. */
export function useDecideEntry() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ method, path, body }: PackAction) => send(path, { method, body }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["inbox"] }),
        queries.invalidateQueries({ queryKey: ["records"] }),
      ]),
  });
}
