/** The body of an item's dossier, as `flows/dossier_schema.py` describes it. */
export interface ItemDossier {
  identification: Identification;
  price: Price | null;
  notEnough: { reason: string; wouldSettle: string[] } | null;
  demand: Signal[];
  missing: MissingInformation[];
  marketplaces: Marketplace[];
  comps: { found: number; included: number; priced: number; excluded: number };
}

export interface Band {
  amount: number;
  confidence: number;
  reasoning: string;
}

export interface UsedListing {
  evidenceId: string;
  /** Adjusted to the item's condition, in the price's currency. */
  amount: number;
  share: number;
  /** It found no buyer: it bounds the price from above. */
  isBound: boolean;
}

export interface Price {
  currency: string;
  floor: Band;
  target: Band;
  ceiling: Band;
  used: UsedListing[];
  trimmed: { evidenceId: string; reason: string }[];
  leftOut: { evidenceId: string; reason: string }[];
}

export interface Signal {
  name: string;
  value: number | null;
  unit: string;
  words: string;
  low: number | null;
  high: number | null;
}

export interface MissingInformation {
  field: string;
  importance: string;
  question: string | null;
  why: string;
  amount: number | null;
  currency: string;
}

export interface Marketplace {
  marketplace: string;
  name: string;
  currency: string;
  price: number;
  fee: number;
  shipping: number;
  cost: number | null;
  net: number;
  recommended: boolean;
  reason: string;
}

export interface Identification {
  title: string;
  brand: string | null;
  model: string | null;
  mpn: string | null;
  gtin: string | null;
  category: string | null;
  variant: Record<string, string>;
  confidence: number;
  reason: string;
}

/** Below this confidence a price steps back behind what would sharpen it. */
export const WEAK = 0.5;
