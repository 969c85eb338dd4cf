import { useRunEvidence } from "@/shared/api/research";
import type { RunDetail } from "@/shared/api/runs";
import { inWords } from "@/shared/format";
import { useSheet } from "@/shared/routing/sheet";
import { Paged } from "@/shared/runs/Paged";
import { StateChip } from "@/shared/ui";

/** What the run found and how it judged it; each opens beside the page. */
export function RunEvidence({ run }: { run: RunDetail }) {
  const evidence = useRunEvidence(run.kind, run.subjectId, run.type, run.lane, run.id);
  const { open } = useSheet();
  return (
    <Paged list={evidence} empty="This run has kept no evidence.">
      {(each) => (
        <li key={each.id}>
          <button
            type="button"
            onClick={() => open("evidence", run.kind, run.subjectId, each.id)}
            className="flex w-full items-center gap-3 px-3 py-2 text-left touch-44 hover:bg-hover"
          >
            <span className="min-w-0 grow">
              <span className="block truncate font-medium">{each.title || "Without a title"}</span>
              <span className="block truncate text-small text-muted">
                {inWords(each.type)} from {each.source}
                {each.reason && ` · ${each.reason}`}
              </span>
            </span>
            {each.relevance !== null && (
              <span className="figures text-table text-muted max-sm:hidden">
                {each.relevance.toFixed(2)}
              </span>
            )}
            <StateChip tone={each.included ? "positive" : "excluded"}>
              {each.included ? "Included" : "Left out"}
            </StateChip>
          </button>
        </li>
      )}
    </Paged>
  );
}
