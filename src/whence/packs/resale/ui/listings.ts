import { useEffect } from "react";
import { type Evidence, useEvidence } from "@/shared/api/research";
import type { Price } from "./dossier";

export type ListingState = "sold" | "active" | "ended" | "unknown" | "excluded";

export interface Listing {
  id: string;
  /** Where it counts, with shipping and adjusted to the item's condition. */
  amount: number;
  /** The price that the listing itself states, without shipping. */
  listed: number | null;
  state: ListingState;
  title: string;
  /** Why it does not count; null for those that do. */
  reason: string | null;
  /** As research judged it: a listing may be in and still be too far off for the price. */
  role: string;
  included: boolean;
}

const STATES: Record<string, ListingState> = {
  sold_listing: "sold",
  active_listing: "active",
  ended_listing: "ended",
};
const MOST_PAGES = 6;
/** More would hide those that count; the evidence below has them all. */
const MOST_EXCLUDED = 40;

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
      listed: about?.price ?? null,
      state: about
        ? (STATES[about.type] ?? "unknown")
        : each.isBound
          ? "active"
          : "sold",
      title: about?.title ?? "",
      reason: null,
      role: about?.role ?? "",
      included: true,
    };
  });
  const counted = new Set(used.map(({ id }) => id));
  const reasons = new Map(
    [...price.trimmed, ...price.leftOut].map((each) => [
      each.evidenceId,
      each.reason,
    ]),
  );
  const excluded = evidence
    .filter(
      (each) =>
        !counted.has(each.id) &&
        each.price !== null &&
        each.currency === price.currency &&
        (reasons.has(each.id) || each.type in STATES),
    )
    .slice(0, MOST_EXCLUDED)
    .map((each): Listing => ({
      id: each.id,
      amount: each.price ?? 0,
      listed: each.price,
      state: "excluded",
      title: each.title,
      reason: reasons.get(each.id) ?? each.reason,
      role: each.role,
      included: each.included,
    }));
  return [...used, ...excluded];
}
