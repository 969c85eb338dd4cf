import { useEffect } from "react";
import { type Evidence, useEvidence } from "@/shared/api/research";
import type { Price } from "./dossier";

export type ListingState = "sold" | "active" | "ended" | "unknown" | "excluded";

export interface Listing {
  id: string;
  amount: number;
  state: ListingState;
  title: string;
  /** Why it does not count; null for those that do. */
  reason: string | null;
}

const STATES: Record<string, ListingState> = {
  sold_listing: "sold",
  active_listing: "active",
  ended_listing: "ended",
};
const MOST_PAGES = 6;

/** The listings of the price axis: those that count, and the priced ones that were left out. */
export function useListings(
  kind: string,
  id: string,
  flow: string,
  price: Price,
): Listing[] {
  const { data, hasNextPage, isFetching, fetchNextPage } = useEvidence(
    kind,
    id,
    flow,
  );
  const pages = data?.pages ?? [];
  useEffect(() => {
    if (hasNextPage && !isFetching && pages.length < MOST_PAGES)
      void fetchNextPage();
  }, [hasNextPage, isFetching, pages.length, fetchNextPage]);
  return listingsOf(
    price,
    pages.flatMap((page) => page.items),
  );
}

export function listingsOf(
  price: Price,
  evidence: readonly Evidence[],
): Listing[] {
  const byId = new Map(evidence.map((each) => [each.id, each]));
  const used = price.used.map((each): Listing => {
    const about = byId.get(each.evidenceId);
    return {
      id: each.evidenceId,
      amount: each.amount,
      state: about
        ? (STATES[about.type] ?? "unknown")
        : each.isBound
          ? "active"
          : "sold",
      title: about?.title ?? "",
      reason: null,
    };
  });
  const excluded = [...price.trimmed, ...price.leftOut].flatMap(
    (each): Listing[] => {
      const about = byId.get(each.evidenceId);
      if (about?.price == null || about.currency !== price.currency) return [];
      const { title, price: amount } = about;
      return [
        {
          id: each.evidenceId,
          amount,
          state: "excluded",
          title,
          reason: each.reason,
        },
      ];
    },
  );
  return [...used, ...excluded];
}
