import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answered, api, send } from "./client";
import { type Page, recordPath } from "./records";
import type { ProposalAnswer } from "./schema";

/** A change that waits for a person; `called` names its fields as people do. */
export type Proposal = ProposalAnswer & {
  called?: Record<string, string>;
  /** Values in words, by field, where the JSON says little. */
  inWords?: Record<string, { before?: string; after?: string }>;
};
export type Decision = "apply" | "undo" | "decline";

/** The newest proposals for a record. */
export function useProposals(kind: string, id: string, isWanted = true) {
  return useQuery({
    queryKey: ["records", kind, "one", id, "proposals"],
    enabled: isWanted,
    queryFn: async ({ signal }) =>
      (await send<Page<Proposal>>(`${recordPath(kind, id)}/proposals?limit=10`, { signal })).data
        .items,
  });
}

/** Applies, undoes or declines a proposal; the same call again changes nothing. */
export function useDecide() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, decision }: { id: string; kind: string; decision: Decision }) => {
      const params = { path: { id } };
      if (decision === "apply")
        return answered<unknown>(api.POST("/api/proposals/{id}/apply", { params }));
      if (decision === "undo")
        return answered<unknown>(api.POST("/api/proposals/{id}/undo", { params }));
      return answered<unknown>(api.POST("/api/proposals/{id}/decline", { params }));
    },
    // After a refusal too: the record is not what this page thought.
    onSettled: (_, __, { kind }) =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["records", kind] }),
        queries.invalidateQueries({ queryKey: ["inbox"] }),
      ]),
  });
}
