import { createContext, type ReactNode, useContext, useMemo } from "react";
import { Button as AriaButton, TooltipTrigger } from "react-aria-components";
import type { Claim, Dossier } from "@/shared/api/research";
import { confidenceInWords, number } from "@/shared/format";
import { useSheet } from "@/shared/routing/sheet";
import { classes, Hint } from "@/shared/ui";
import { type Claims, claimsOf, methodInWords } from "./claims";

interface About {
  kind: string;
  id: string;
  dossier: Dossier;
  claims: Claims;
}
const DossierContext = createContext<About | undefined>(undefined);

/** The dossier that the figures below come from. */
export function DossierProvider({
  kind,
  id,
  dossier,
  children,
}: {
  kind: string;
  id: string;
  dossier: Dossier;
  children: ReactNode;
}) {
  const about = useMemo(
    () => ({ kind, id, dossier, claims: claimsOf(dossier) }),
    [kind, id, dossier],
  );
  return <DossierContext value={about}>{children}</DossierContext>;
}

export function useDossierContext(): About {
  const about = useContext(DossierContext);
  if (!about) throw new Error("A claim is shown outside a DossierProvider.");
  return about;
}

/** A figure or sentence that a claim carries: hovering says how, pressing opens why. */
export function ClaimDoor({
  claim,
  children,
  className,
}: {
  claim: Claim | undefined;
  children: ReactNode;
  className?: string;
}) {
  const { kind, id, dossier } = useDossierContext();
  const { open } = useSheet();
  if (!claim) return <span className={className}>{children}</span>;
  const isUnsupported = claim.verdict === "unsupported";
  return (
    <TooltipTrigger delay={400}>
      <AriaButton
        onPress={() => open("claim", kind, id, dossier.type, claim.path)}
        className={classes(
          "rounded-[3px] text-left underline decoration-dotted decoration-1 underline-offset-4",
          "data-hovered:bg-accent-soft data-hovered:decoration-accent",
          isUnsupported ? "decoration-wavy decoration-caution" : "decoration-line-strong",
          className,
        )}
      >
        {children}
        {isUnsupported && <span className="sr-only"> (unsupported)</span>}
      </AriaButton>
      <Hint>{hintOf(claim)}</Hint>
    </TooltipTrigger>
  );
}

function hintOf(claim: Claim): string {
  const sources = new Set(claim.evidence.map((cite) => cite.evidenceId)).size;
  const from = sources === 1 ? "1 source" : `${sources} sources`;
  const sure = `${confidenceInWords(claim.confidence)} · ${number(claim.confidence, 2)}`;
  return `${methodInWords(claim.method)} · ${sure} · ${from}`;
}

/** Confidence in words and as a bar. */
export function Confidence({ value, isCompact }: { value: number; isCompact?: boolean }) {
  const share = Math.max(0, Math.min(1, value));
  return (
    <span className="inline-flex items-center gap-2 text-table text-muted">
      <svg
        viewBox="0 0 48 4"
        className={isCompact ? "h-1 w-8" : "h-1 w-12"}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect width="48" height="4" rx="2" className="fill-line" />
        <rect width={48 * share} height="4" rx="2" className="fill-accent" />
      </svg>
      <span className="figures whitespace-nowrap">
        {!isCompact && `${confidenceInWords(value)} · `}
        {number(value, 2)}
      </span>
    </span>
  );
}
