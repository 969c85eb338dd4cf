/** An amount between the signs and codes that people write beside it: `$1,145`, `145,50 EUR`. */
const AMOUNT = /^(?:[A-Z]{3}|[$€£¥])?\s*(-?\d[\d.,\s\u00a0'’]*)\s*(?:[A-Z]{3}|[$€£¥])?$/;
const GROUPED = /^-?\d{1,3}([.,])\d{3}(?:\1\d{3})*$/;

/**
 * The number that somebody wrote; undefined for anything else.
 *
 * Of two different separators the last one begins the decimals.  A single comma before exactly three
 * digits separates thousands, as in `1,145`; a single point is always a decimal point.
 */
export function readNumber(text: string): number | undefined {
  const written = AMOUNT.exec(text.trim())?.[1]?.replace(/[\s\u00a0'’]/g, "");
  if (!written) return undefined;
  const value = Number(withPoint(written));
  return Number.isFinite(value) ? value : undefined;
}

function withPoint(written: string): string {
  const comma = written.lastIndexOf(",");
  const point = written.lastIndexOf(".");
  if (comma >= 0 && point >= 0) {
    const [decimal, thousands] = comma > point ? [",", "."] : [".", ","];
    return written.replaceAll(thousands, "").replace(decimal, ".");
  }
  const isGrouped = GROUPED.test(written) && (comma >= 0 || written.split(".").length > 2);
  if (isGrouped) return written.replace(/[.,]/g, "");
  return written.replace(",", ".");
}
