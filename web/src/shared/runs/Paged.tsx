import type { ReactNode } from "react";
import { Button, ErrorState, SkeletonLines } from "@/shared/ui";

interface List<T> {
  data: { pages: readonly { items: readonly T[] }[] } | undefined;
  error: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
}

/** A list in pages, with all its states. */
export function Paged<T>({
  list,
  empty,
  children,
}: {
  list: List<T>;
  empty: ReactNode;
  children: (item: T) => ReactNode;
}) {
  if (list.error && !list.data)
    return <ErrorState error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <SkeletonLines lines={3} />;
  const items = list.data.pages.flatMap((page) => page.items);
  if (!items.length) return <p className="text-table text-muted">{empty}</p>;
  return (
    <>
      <ul className="flex flex-col divide-y divide-line rounded-ui border border-line">
        {items.map(children)}
      </ul>
      {list.hasNextPage && (
        <Button
          look="quiet"
          className="mt-1"
          isPending={list.isFetchingNextPage}
          onPress={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </>
  );
}
