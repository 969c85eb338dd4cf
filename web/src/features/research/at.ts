import { resolve, type Schema } from "@/shared/schema/schema";

/** Where a value stands in the dossier: the paths by which a claim may name it. */
export interface At {
  value: unknown;
  schema?: Schema;
  root: Schema;
  paths: string[];
  unit?: string;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const isEvidence = (name: string) => /^evidenceIds?$/.test(name);

export const isRefusal = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && typeof value["reason"] === "string" && "wouldSettle" in value;

export interface FigureValue {
  amount?: number | null;
  value?: number | null;
  confidence: number;
  reasoning?: string;
  reason?: string;
  [name: string]: unknown;
}
export const isFigure = (value: unknown): value is FigureValue =>
  isObject(value) &&
  typeof value["confidence"] === "number" &&
  (typeof value["amount"] === "number" || typeof value["value"] === "number");

export function child(at: At, name: string, parents = at.paths): At {
  const value = (at.value as Record<string, unknown>)[name];
  return {
    value,
    schema: resolve(at.schema, at.root).properties?.[name],
    root: at.root,
    unit: typeof value === "number" ? unitFor(name, at) : (unitOf(at.value) ?? at.unit),
    paths: parents.map((path) => (path ? `${path}.${name}` : name)),
  };
}

/** Only what reads as money takes the currency that stands beside it. */
const MONEY = /amount|price|fee|net|cost|shipping|floor|target|ceiling|even|proceeds|value$/i;
function unitFor(name: string, at: At): string | undefined {
  return MONEY.test(name) ? (unitOf(at.value) ?? at.unit) : undefined;
}

export function unitOf(value: unknown): string | undefined {
  const unit = isObject(value) ? (value["currency"] ?? value["unit"]) : undefined;
  return typeof unit === "string" && unit ? unit : undefined;
}

export function split(value: Record<string, unknown>): { simple: string[]; nested: string[] } {
  const isEmpty = (each: unknown) =>
    each === null || each === "" || (typeof each === "object" && Object.keys(each).length === 0);
  const names = Object.keys(value).filter((name) => !isEmpty(value[name]));
  const isSimple = (name: string) => {
    const each = value[name];
    return (
      typeof each !== "object" ||
      (Array.isArray(each) && each.every((item) => typeof item !== "object") && each.length < 4)
    );
  };
  return { simple: names.filter(isSimple), nested: names.filter((name) => !isSimple(name)) };
}
