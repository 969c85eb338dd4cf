import { useState } from "react";
import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import type { RecordData } from "@/shared/api";
import { type Evidence, useEvidence } from "@/shared/api/research";
import { ChoiceButton } from "@/shared/claims/ChoiceButton";
import { inWords, Time } from "@/shared/format";
import { useSheet } from "@/shared/routing/sheet";
import { figure } from "@/shared/schema/Value";
import { Button, EmptyState, ErrorState, SkeletonLines, StateChip } from "@/shared/ui";
import { LastChoice } from "./LastChoice";

const VIEWS = { in: true, out: false, all: undefined } as const;
const WORDS = { in: "In", out: "Left out", all: "All" } as const;
type View = keyof typeof VIEWS;

/** What the conclusions rest on, and what was left out with the reason. */
export function EvidenceList({
  kind,
  record,
  flow,
}: {
  kind: string;
  record: RecordData;
  flow: string;
}) {
  const { id } = record;
  const [view, choose] = useState<View>("in");
  const evidence = useEvidence(kind, id, flow, VIEWS[view]);
  const rows = evidence.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section aria-label="Evidence" className="max-w-[1200px]">
      <header className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-read font-semibold">Evidence</h3>
        <ToggleButtonGroup
          aria-label="Which evidence"
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[view]}
          onSelectionChange={(keys) => choose([...keys][0] as View)}
          className="flex rounded-ui border border-line bg-sunken p-0.5"
        >
          {(Object.keys(VIEWS) as View[]).map((each) => (
            <ToggleButton
              key={each}
              id={each}
              className="h-7 touch-44 rounded-[4px] px-3 text-table text-muted data-hovered:text-text data-selected:bg-raised data-selected:font-medium data-selected:text-text"
            >
              {WORDS[each]}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </header>
      <div className="mb-2 empty:hidden">
        <LastChoice kind={kind} record={record} />
      </div>
      {evidence.error ? (
        <ErrorState error={evidence.error} retry={() => void evidence.refetch()} />
      ) : evidence.isPending ? (
        <SkeletonLines />
      ) : rows.length === 0 ? (
        <EmptyState icon="quote" title={view === "out" ? "Nothing was left out" : "No evidence"} />
      ) : (
        <ul className="divide-y divide-line rounded-ui border border-line bg-raised">
          {rows.map((each) => (
            <Row key={each.id} kind={kind} id={id} evidence={each} />
          ))}
        </ul>
      )}
      {evidence.hasNextPage && (
        <Button
          className="mt-2"
          onPress={() => void evidence.fetchNextPage()}
          isPending={evidence.isFetchingNextPage}
        >
          Show more
        </Button>
      )}
    </section>
  );
}

function Row({ kind, id, evidence }: { kind: string; id: string; evidence: Evidence }) {
  const { open } = useSheet();
  return (
    <li className="flex items-start gap-2 pr-2 hover:bg-hover">
      <button
        type="button"
        onClick={() => open("evidence", kind, id, evidence.id)}
        className="flex min-w-0 grow flex-wrap items-start gap-x-4 gap-y-1 py-2.5 pl-4 text-left"
      >
        <span className="min-w-0 grow basis-64">
          <span className="block truncate font-medium">{evidence.title || evidence.sourceId}</span>
          <span className="block text-table text-muted">
            {inWords(evidence.type)} · {evidence.source}
            {evidence.observedAt && (
              <>
                {" · "}
                <Time at={evidence.observedAt} />
              </>
            )}
          </span>
          {evidence.reason && (
            <span className="block text-table text-muted">{evidence.reason}</span>
          )}
        </span>
        {evidence.price !== null && (
          <span className="figures font-medium">{figure(evidence.price, evidence.currency)}</span>
        )}
        <StateChip tone={evidence.included ? "positive" : "excluded"}>
          {evidence.included ? "In" : "Out"}
        </StateChip>
      </button>
      <span className="py-1.5">
        <ChoiceButton kind={kind} id={id} evidence={evidence} />
      </span>
    </li>
  );
}
