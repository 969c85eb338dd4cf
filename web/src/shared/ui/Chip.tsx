import type { ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components";
import { classes } from "./classes";
import { Icon } from "./icons";

export type Tone = "neutral" | "accent" | "positive" | "caution" | "negative" | "excluded";

const TONES: Record<Tone, string> = {
  neutral: "bg-sunken text-text border-line",
  accent: "bg-accent-soft text-accent border-transparent",
  positive: "bg-positive-soft text-positive border-transparent",
  caution: "bg-caution-soft text-caution border-transparent",
  negative: "bg-negative-soft text-negative border-transparent",
  excluded: "bg-transparent text-muted border-line border-dashed",
};
const SHAPES: Record<Tone, string> = {
  neutral: "rounded-full bg-muted",
  accent: "rounded-full bg-accent",
  positive: "rounded-full bg-positive",
  caution: "rotate-45 bg-caution",
  negative: "bg-negative",
  excluded: "rounded-full border border-excluded",
};

/** A state in a word, with a shape beside the colour. */
export function StateChip({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classes(
        "inline-flex h-5 max-w-full items-center gap-1.5 rounded-full border px-2 text-small font-medium whitespace-nowrap",
        TONES[tone],
      )}
    >
      <span aria-hidden="true" className={classes("size-1.5 shrink-0", SHAPES[tone])} />
      <span className="truncate">{children}</span>
    </span>
  );
}

/** A chosen filter, which its button takes away. */
export function RemovableChip({
  children,
  label,
  onRemove,
}: {
  children: ReactNode;
  /** What the button removes, in words. */
  label: string;
  onRemove: () => void;
}) {
  return (
    <span className="inline-flex h-7 items-center gap-1 rounded-full border border-line bg-accent-soft pr-0.5 pl-2.5 text-table">
      <span className="max-w-64 truncate">{children}</span>
      <AriaButton
        aria-label={`Remove ${label}`}
        onPress={onRemove}
        className="flex size-6 items-center justify-center rounded-full text-muted data-hovered:bg-hover data-hovered:text-text"
      >
        <Icon name="close" size={12} />
      </AriaButton>
    </span>
  );
}

/** A key of the keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-[4px] border border-line bg-sunken px-1 font-sans text-small text-muted">
      {children}
    </kbd>
  );
}

/** A picture of a record, or the first letters of its title. */
export function Thumbnail({
  src,
  title,
  size = 32,
}: {
  src?: string | null;
  title: string;
  size?: 24 | 32 | 64;
}) {
  const box = { 24: "size-6", 32: "size-8", 64: "size-16" }[size];
  if (src)
    return (
      <img
        src={src}
        alt=""
        loading="lazy"
        className={classes("shrink-0 rounded-ui border border-line bg-sunken object-cover", box)}
      />
    );
  const words = title.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = words.slice(0, 2).map((word) => word.match(/[\p{L}\p{N}]/u)?.[0] ?? "");
  return (
    <span
      aria-hidden="true"
      className={classes(
        "flex shrink-0 items-center justify-center rounded-ui bg-sunken font-medium text-muted uppercase",
        box,
        size === 64 ? "text-title" : "text-small",
      )}
    >
      {letters.join("")}
    </span>
  );
}
