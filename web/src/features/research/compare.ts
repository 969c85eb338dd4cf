import type { Claim } from "@/shared/api/research";

export interface ClaimChange {
  path: string;
  what: "added" | "gone" | "moved";
  before?: Claim;
  after?: Claim;
  /** What differs besides the words, in words. */
  why: string[];
}

/** How the claims of two dossiers differ: in the order of the body's sections, what is gone last. */
export function changesBetween(
  earlier: readonly Claim[],
  later: readonly Claim[],
  sections: readonly string[] = [],
): { changes: ClaimChange[]; same: number } {
  const old = new Map(earlier.map((claim) => [claim.path, claim]));
  const current = new Set(later.map((claim) => claim.path));
  const changes: ClaimChange[] = [];
  let same = 0;
  for (const after of later) {
    const before = old.get(after.path);
    if (!before) changes.push({ path: after.path, what: "added", after, why: [] });
    else if (isSame(before, after)) same += 1;
    else changes.push({ path: after.path, what: "moved", before, after, why: why(before, after) });
  }
  for (const before of earlier)
    if (!current.has(before.path))
      changes.push({ path: before.path, what: "gone", before, why: [] });
  const place = ({ path }: ClaimChange) => {
    const index = sections.indexOf(path.split(".")[0] ?? "");
    return index < 0 ? sections.length : index;
  };
  const order = (one: ClaimChange, other: ClaimChange) => place(one) - place(other);
  return { changes: changes.toSorted(order), same };
}

const isSame = (one: Claim, other: Claim): boolean =>
  JSON.stringify(one.value) === JSON.stringify(other.value) &&
  one.verdict === other.verdict &&
  one.statement === other.statement;

function why(before: Claim, after: Claim): string[] {
  const old = new Set(before.evidence.map((cite) => cite.evidenceId));
  const current = new Set(after.evidence.map((cite) => cite.evidenceId));
  const added = [...current].filter((each) => !old.has(each)).length;
  const gone = [...old].filter((each) => !current.has(each)).length;
  const words: string[] = [];
  const pieces = (count: number) => `${count} ${count === 1 ? "piece" : "pieces"} of evidence`;
  if (added) words.push(`${pieces(added)} more`);
  if (gone) words.push(`${pieces(gone)} no longer cited`);
  if (before.method !== after.method) words.push("it was concluded in another way");
  if (before.verdict !== after.verdict) words.push(`it is ${after.verdict} now`);
  return words;
}
