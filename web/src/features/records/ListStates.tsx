import type { ReactNode } from "react";
import { type Kind, useKind } from "@/shared/api";
import { useFeatures } from "@/shared/feature/feature";
import { inWords } from "@/shared/format";
import { EmptyState, Skeleton } from "@/shared/ui";

/** A list without rows: because nobody added any, or because none match. */
export function Nothing(props: {
  kind: Kind;
  isNarrowed: boolean;
  mayWrite: boolean;
  /** The buttons for a new record. */
  add: ReactNode;
}) {
  const plural = inWords(props.kind.kind).toLowerCase();
  if (props.isNarrowed)
    return (
      <EmptyState icon="filter" title={`No ${plural} match`}>
        Take away a filter, or search for fewer words.
      </EmptyState>
    );
  return (
    <EmptyState
      icon="table"
      title={`No ${plural} yet`}
      action={
        props.mayWrite && (
          <>
            {props.add}
            <ListActions kind={props.kind} />
          </>
        )
      }
    >
      {props.mayWrite ? "Add the first one to begin." : "Nobody has added one."}
    </EmptyState>
  );
}

/** What features offer beside the list, such as an import. */
export function ListActions({ kind }: { kind: Kind }) {
  const pack = useKind(kind.kind)?.pack;
  const actions = useFeatures().flatMap((feature) => feature.listActions ?? []);
  return pack && actions.map(({ id, Action }) => <Action key={id} pack={pack} kind={kind} />);
}

/** Rows that are on their way, as high as the rows themselves. */
export function RowsSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="rounded-ui border border-line">
      {Array.from({ length: 8 }, (_, row) => (
        <div
          key={row}
          className="flex h-[52px] items-center gap-3 border-b border-line px-3 last:border-0"
        >
          <Skeleton className="size-8" />
          <Skeleton className="h-4 grow" />
          <Skeleton className="h-4 w-24" />
        </div>
      ))}
    </div>
  );
}

export const TableSkeleton = () => (
  <>
    <Skeleton className="mb-6 h-7 w-48" />
    <RowsSkeleton />
  </>
);
