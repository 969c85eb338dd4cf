import type { ComponentType } from "react";
import type { RecordTab, RecordTabProps } from "@/shared/feature/feature";
import type { DossierAnswer, EvidenceAnswer } from "@/shared/api/schema";

/** A page of a pack's own, at `/packs/{pack}/{name}`. */
export interface PackPage {
  title: string;
  Page: ComponentType;
}

export interface DossierProps extends RecordTabProps {
  dossier: DossierAnswer;
}

/** What a pack's `ui/index.tsx` exports as `default`.  What it leaves out is drawn generically. */
export interface PackUi {
  pages?: Record<string, PackPage>;
  /** By kind: tabs that are added, or that replace the tab of the same id. */
  recordTabs?: Record<string, RecordTab[]>;
  /** By `kind/flow`: the top of the Research tab, in place of the generic blocks. */
  conclusions?: Record<string, ComponentType<DossierProps>>;
  /** By evidence type: one piece of evidence, in place of the generic card. */
  evidence?: Record<string, ComponentType<{ evidence: EvidenceAnswer }>>;
}

export const definePackUi = (ui: PackUi): PackUi => ui;

const modules = import.meta.glob<{ default: PackUi }>(
  "../../../../src/whence/packs/*/ui/index.tsx",
  { eager: true },
);
const byPack = new Map(
  Object.entries(modules).map(([path, module]) => [path.split("/").at(-3) ?? "", module.default]),
);
const NONE: PackUi = {};

/** The pages that this pack ships with; empty for a pack without any. */
export const packUi = (pack: string): PackUi => byPack.get(pack) ?? NONE;
