/** `askingPrice` and `asking_price` as people read them: `Asking price`. */
export function inWords(name: string): string {
  const words = name
    .replace(/[_-]+/g, " ")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `12 notes`, `1 note`: the plural is the kind's own word in addresses. */
export function plural(kind: string): string {
  return inWords(kind);
}

/** Confidence in words; the number stands beside it. */
export function confidenceInWords(confidence: number): string {
  if (confidence >= 0.95) return "certain";
  if (confidence >= 0.8) return "fairly sure";
  if (confidence >= 0.6) return "likely";
  if (confidence >= 0.4) return "unsure";
  return "a guess";
}

const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS", "macOS"],
  ["Linux", "Linux"],
] as const;

/** `Chrome on Linux`, from what a browser says of itself; another label as it is. */
export function browserInWords(label: string): string {
  if (!label.startsWith("Mozilla/")) return label || "A browser";
  const of = (names: typeof BROWSERS | typeof SYSTEMS) =>
    names.find(([mark]) => label.includes(mark))?.[1];
  const browser = of(BROWSERS) ?? "A browser";
  const system = of(SYSTEMS);
  return system ? `${browser} on ${system}` : browser;
}
