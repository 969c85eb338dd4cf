import type { Evidence } from "@/shared/api/research";

export const ORDERS = {
  relevance: "Most relevant first",
  newest: "Newest first",
  price: "Cheapest first",
} as const;
export type Order = keyof typeof ORDERS;

type Sorted = Pick<Evidence, "source" | "title" | "reason" | "observedAt" | "price">;

const BY: Record<Order, ((one: Sorted, other: Sorted) => number) | undefined> = {
  relevance: undefined, // as the server sends it
  newest: (one, other) => (other.observedAt ?? "").localeCompare(one.observedAt ?? ""),
  price: (one, other) => (one.price ?? Infinity) - (other.price ?? Infinity) || 0,
};

/** The evidence that has all the words, by source: sources in the order of their first piece. */
export function groupedBySource<Each extends Sorted>(
  evidence: readonly Each[],
  order: Order,
  words = "",
): { source: string; items: Each[] }[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, Each[]>();
  for (const each of evidence) {
    const text = `${each.title} ${each.source} ${each.reason}`.toLowerCase();
    if (!wanted.every((word) => text.includes(word))) continue;
    groups.set(each.source, [...(groups.get(each.source) ?? []), each]);
  }
  const by = BY[order];
  return [...groups].map(([source, items]) => ({
    source,
    items: by ? items.toSorted(by) : items,
  }));
}
