import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answered, api } from "./client";
import type { ProposalAnswer } from "./schema";

/** A change that waits for a person; `called` names its fields as people do. */
export type Proposal = ProposalAnswer & { called?: Record<string, string> };
export type Decision = "apply" | "undo" | "decline";

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
