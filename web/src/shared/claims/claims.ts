import type { Claim, Dossier } from "@/shared/api/research";
import { inWords } from "@/shared/format";

/** The claims of a dossier by their paths. */
export type Claims = ReadonlyMap<string, Claim>;

export const claimsOf = (dossier: Pick<Dossier, "claims">): Claims =>
  new Map(dossier.claims.map((claim) => [claim.path, claim]));

/** Fields that name an entry of a list, so that a path may say `demand.sell_through`. */
const NAMES = ["name", "id", "key", "field", "law", "marketplace", "title"];

/** The paths by which a claim may mean an entry of a list: its place, or what names it. */
export function pathsOfEntry(path: string, index: number, entry: unknown): string[] {
  const names =
    typeof entry === "object" && entry !== null
      ? NAMES.flatMap((name) => {
          const value = (entry as Record<string, unknown>)[name];
          return typeof value === "string" ? [`${path}.${value}`] : [];
        })
      : [];
  // A list often stands in an object of its own: `demand.signals` for `demand.sell_through`.
  const parent = path.split(".").slice(0, -1).join(".");
  const shorter = parent ? names.map((each) => parent + each.slice(path.length)) : [];
  return [...names, ...shorter, `${path}.${index}`, `${path}[${index}]`];
}

/** The first claim that any of these paths carries. */
export function claimAt(claims: Claims, paths: readonly string[]): Claim | undefined {
  for (const path of paths) {
    const claim = claims.get(path);
    if (claim) return claim;
  }
  return undefined;
}

/** A claim's path as people say it: `price.ceiling.amount` is the `Price ceiling`. */
export function claimInWords(path: string): string {
  const parts = path.replace(/\[(\d+)\]/g, ".$1").split(".");
  while (parts.length > 1 && BARE.has(parts.at(-1)!)) parts.pop();
  const words = parts.map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part));
  return inWords(words.join(" "));
}

/** Last parts of a path that say nothing: the thing itself is meant. */
const BARE = new Set(["amount", "value"]);

/** Who concluded it: rules, or which model with which skill. */
export function methodInWords(method: string): string {
  const [how, rest = ""] = splitOnce(method, ":");
  if (how === "rules") {
    const [name = "", version] = rest.split("@");
    return `Computed by the rule ${name.replaceAll("_", " ")}${version ? `, version ${version}` : ""}`;
  }
  if (how === "model") {
    const [model = "", skill] = splitOnce(rest, "/");
    return `Judged by the model ${model}${skill ? `, with ${skill.replaceAll("_", " ")}` : ""}`;
  }
  return method;
}

function splitOnce(text: string, at: string): [string, string?] {
  const place = text.indexOf(at);
  return place < 0 ? [text] : [text.slice(0, place), text.slice(place + 1)];
}
