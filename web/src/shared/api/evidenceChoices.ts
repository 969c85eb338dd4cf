import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Choices, useChoices } from "@/shared/routing/choices";
import { send } from "./client";
import { recordPath, useRecord } from "./records";
import type { Applied, ChoicesPreview } from "./schema";

interface About {
  kind: string;
  id: string;
  dossierId: string;
  version: number;
}

const bodyOf = ({ dossierId, version }: About, choices: Choices) => ({
  dossierId,
  version,
  choices: [...choices].map(([evidenceId, included]) => ({ evidenceId, included })),
});

/** What the research would conclude with this evidence in or out; nothing is written. */
export function useChoicesPreview(about: About, choices: Choices) {
  const { kind, id, dossierId, version } = about;
  const chosen = [...choices].map(([each, included]) => `${each}/${included}`);
  return useQuery({
    queryKey: ["records", kind, "one", id, "choices", dossierId, version, ...chosen],
    enabled: choices.size > 0 && dossierId !== "",
    retry: false,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const path = `${recordPath(kind, id)}/evidence/choices/preview`;
      const body = bodyOf(about, choices);
      return (await send<ChoicesPreview>(path, { method: "POST", body, signal })).data;
    },
  });
}

/** What the choices in the address of a record's page would change; undefined without any. */
export function useTriedFigures(kind: string, id: string, dossierId: string) {
  const { choices } = useChoices(kind, id);
  const record = useRecord(kind, id, choices.size > 0).data;
  const about = { kind, id, dossierId, version: record?.version ?? 0 };
  const preview = useChoicesPreview(record ? about : { ...about, dossierId: "" }, choices);
  return choices.size ? preview.data?.figures : undefined;
}

/** Includes and excludes evidence: a proposal that is applied at once. */
export function useChooseEvidence(about: About) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ choices, reason }: { choices: Choices; reason: string }) => {
      const path = `${recordPath(about.kind, about.id)}/evidence/choices`;
      const body = { ...bodyOf(about, choices), reason: reason || undefined };
      return (await send<Applied>(path, { method: "POST", body })).data;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["records", about.kind] }),
  });
}
