import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import type { RecordData } from "@/shared/api";
import { type Evidence, useEvidence } from "@/shared/api/research";
import { ChoiceButton } from "@/shared/claims/ChoiceButton";
import { inWords, Time } from "@/shared/format";
import { useSheet } from "@/shared/routing/sheet";
import { figure } from "@/shared/schema/Value";
import {
  Button,
  EmptyState,
  ErrorState,
  Field,
  Select,
  SkeletonLines,
  StateChip,
} from "@/shared/ui";
import { groupedBySource, type Order, ORDERS } from "./evidenceOrder";
import { EvidencePicture } from "./EvidencePicture";
import { LastChoice } from "./LastChoice";

const VIEWS = { in: true, out: false, all: undefined } as const;
const WORDS = { in: "In", out: "Left out", all: "All" } as const;
type View = keyof typeof VIEWS;
const MOST_PAGES = 12;

/** What stands in the address: `?evidence=out&order=price`. */
function useShown() {
  const search = useSearch({ strict: false }) as { evidence?: string; order?: string };
  const navigate = useNavigate();
  const show = (next: { evidence?: View; order?: Order }) =>
    void navigate({
      to: ".",
      search: (old: object) => ({ ...old, ...next }),
      replace: true,
      resetScroll: false,
    });
  const view = search.evidence && search.evidence in VIEWS ? (search.evidence as View) : "in";
  const order = search.order && search.order in ORDERS ? (search.order as Order) : "relevance";
  return { view, order, show };
}

/** What the conclusions rest on, and what was left out with the reason, source by source. */
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
  const { view, order, show } = useShown();
  const [words, find] = useState("");
  const evidence = useEvidence(kind, id, flow, VIEWS[view]);
  const { hasNextPage, isFetching, fetchNextPage } = evidence;
  const pages = evidence.data?.pages.length ?? 0;
  // Only the server's own order can be shown page by page.
  const needsAll = words !== "" || order !== "relevance";
  useEffect(() => {
    if (needsAll && hasNextPage && !isFetching && pages < MOST_PAGES) void fetchNextPage();
  }, [needsAll, hasNextPage, isFetching, pages, fetchNextPage]);
  const rows = useMemo(
    () => evidence.data?.pages.flatMap((page) => page.items) ?? [],
    [evidence.data],
  );
  const groups = useMemo(() => groupedBySource(rows, order, words), [rows, order, words]);
  return (
    <section aria-label="Evidence" className="max-w-[1200px]">
      <header className="mb-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h3 className="text-read font-semibold">Evidence</h3>
        <div className="flex flex-wrap items-center gap-2">
          {(rows.length > 1 || words) && (
            <>
              <div className="w-44">
                <Field
                  label="Find in evidence"
                  isCompact
                  placeholder="Find"
                  value={words}
                  onChange={find}
                />
              </div>
              <div className="w-44">
                <Select
                  label="Order"
                  isCompact
                  value={order}
                  onChange={(next) => show({ order: next as Order })}
                  options={Object.entries(ORDERS).map(([value, label]) => ({ value, label }))}
                />
              </div>
            </>
          )}
          <ToggleButtonGroup
            aria-label="Which evidence"
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[view]}
            onSelectionChange={(keys) => show({ evidence: [...keys][0] as View })}
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
        </div>
      </header>
      <div className="mb-2 empty:hidden">
        <LastChoice kind={kind} record={record} />
      </div>
      {evidence.error ? (
        <ErrorState error={evidence.error} retry={() => void evidence.refetch()} />
      ) : evidence.isPending ? (
        <SkeletonLines />
      ) : groups.length === 0 ? (
        <EmptyState
          icon="quote"
          title={
            words
              ? "Nothing has these words"
              : view === "out"
                ? "Nothing was left out"
                : "No evidence"
          }
        />
      ) : (
        <div className="rounded-ui border border-line bg-raised">
          {groups.map(({ source, items }) => (
            <section
              key={source}
              aria-label={inWords(source)}
              className="border-t border-line first:border-0"
            >
              <h4 className="flex items-center justify-between bg-sunken px-4 py-1.5 text-small font-medium text-muted">
                {inWords(source)}
                <span className="figures">{items.length}</span>
              </h4>
              <ul className="divide-y divide-line">
                {items.map((each) => (
                  <Row key={each.id} kind={kind} id={id} flow={flow} evidence={each} />
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
      {hasNextPage && (
        <Button
          className="mt-2"
          onPress={() => void fetchNextPage()}
          isPending={evidence.isFetchingNextPage}
        >
          Show more
        </Button>
      )}
    </section>
  );
}

function Row({
  kind,
  id,
  flow,
  evidence,
}: {
  kind: string;
  id: string;
  flow: string;
  evidence: Evidence;
}) {
  const { open } = useSheet();
  return (
    <li className="flex items-start gap-2 pr-2 [contain-intrinsic-size:auto_4.5rem] [content-visibility:auto] hover:bg-hover max-sm:flex-wrap">
      <button
        type="button"
        onClick={() => open("evidence", kind, id, evidence.id)}
        className="flex min-w-0 grow flex-wrap items-start gap-x-4 gap-y-1 py-2.5 pl-4 text-left"
      >
        <EvidencePicture kind={kind} id={id} evidence={evidence} flow={flow} />
        <span className="min-w-0 grow basis-64">
          <bdi className="block truncate font-medium">{evidence.title || evidence.sourceId}</bdi>
          <span className="block text-table text-muted">
            {inWords(evidence.type)}
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
      <span className="py-1.5 empty:hidden max-sm:pb-2 max-sm:pl-2">
        <ChoiceButton kind={kind} id={id} evidence={evidence} />
      </span>
    </li>
  );
}
