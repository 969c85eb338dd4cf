import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** WCAG 2.2, 1.4.3: the least contrast of small text. */
const LEAST = 4.5;
const css = readFileSync(fileURLToPath(new URL("./tokens.css", import.meta.url)), "utf8");

/** The text of each tone of a chip, and what it stands on. */
const PAIRS = [
  ["text", "sunken"],
  ["accent", "accent-soft"],
  ["positive", "positive-soft"],
  ["caution", "caution-soft"],
  ["negative", "negative-soft"],
  ["muted", "surface"],
  ["muted", "raised"],
  ["muted", "hover"],
] as const;

test.each(PAIRS)("%s on %s can be read, light and dark", (text, ground) => {
  for (const theme of [0, 1]) {
    const [one, other] = [luminance(text, theme), luminance(ground, theme)].toSorted(
      (left, right) => right - left,
    );
    expect((one! + 0.05) / (other! + 0.05)).toBeGreaterThanOrEqual(LEAST);
  }
});

/** The relative luminance of a role, 0 to 1; theme 0 is light, 1 dark. */
function luminance(role: string, theme: number): number {
  const line = css.match(new RegExp(`--${role}: light-dark\\((.*)\\);`))?.[1] ?? "";
  const [lightness, chroma, hue] = [...line.matchAll(/oklch\(([^)]*)\)/g)]
    [theme]![1]!.split(/\s+/)
    .map(Number) as [number, number, number];
  // https://bottosson.github.io/posts/oklab/: to linear sRGB.
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s;
  const within = (value: number) => Math.min(1, Math.max(0, value));
  return 0.2126 * within(red) + 0.7152 * within(green) + 0.0722 * within(blue);
}
