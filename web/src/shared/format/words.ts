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
