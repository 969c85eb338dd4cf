import { type ReactNode, useMemo, useState } from "react";
import { number } from "@/shared/format";
import { Button, EmptyState, ErrorState, Skeleton } from "@/shared/ui";

interface List<T> {
  data: { pages: readonly { items: readonly T[] }[] } | undefined;
  error: unknown;
  isPending: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
}

/** Runs or jobs, newest first; those that came since stand above once they are asked for. */
export function WorkList<T extends { id: string }>({
  list,
  noun,
  isNarrowed,
  empty,
  children,
}: {
  list: List<T>;
  /** What they are, such as "runs". */
  noun: string;
  isNarrowed: boolean;
  empty: ReactNode;
  children: (rows: readonly T[]) => ReactNode;
}) {
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  const [newest, show] = useState<string>();
  const first = newest ?? rows[0]?.id;
  if (newest === undefined && first !== undefined) show(first);
  // Ids are made from the time: a greater one is newer.
  const shown = first === undefined ? rows : rows.filter((row) => row.id <= first);
  const arrived = rows.length - shown.length;
  if (list.error && !list.data)
    return <ErrorState error={list.error} retry={() => void list.refetch()} />;
  if (list.isPending) return <RowsSkeleton />;
  if (rows.length === 0)
    return isNarrowed ? (
      <EmptyState icon="filter" title={`No ${noun} match`}>
        Take away a filter.
      </EmptyState>
    ) : (
      empty
    );
  return (
    <>
      <div aria-live="polite" className="empty:hidden">
        {arrived > 0 && (
          <Button
            look="quiet"
            icon="up"
            className="mb-2 text-accent"
            onPress={() => show(rows[0]!.id)}
          >
            {number(arrived)} new
          </Button>
        )}
      </div>
      {children(shown)}
      {list.hasNextPage && (
        <div className="mt-3 flex justify-center">
          <Button isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

function RowsSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="rounded-ui border border-line bg-raised">
      {Array.from({ length: 10 }, (_, row) => (
        <div
          key={row}
          className="flex h-[52px] items-center gap-4 border-b border-line px-4 last:border-0"
        >
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-5 w-20" />
          <span className="grow" />
          <Skeleton className="h-4 w-16" />
          <Skeleton className="h-4 w-16" />
        </div>
      ))}
    </div>
  );
}
