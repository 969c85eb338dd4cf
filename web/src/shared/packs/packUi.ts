import type { ComponentType, ReactNode } from "react";
import type { RecordTab, RecordTabProps } from "@/shared/feature/feature";
import type { DossierAnswer, EvidenceAnswer } from "@/shared/api/schema";

/** A page of a pack's own, at `/packs/{pack}/{name}`. */
export interface PackPage {
  title: string;
  Page: ComponentType;
}

/** A page that a pack adds to the settings, at `/settings/packs/{pack}/{name}`. */
export interface PackSettings extends PackPage {
  /** One line about it. */
  about?: string;
}

export interface DossierProps extends RecordTabProps {
  dossier: DossierAnswer;
  /** The list of its evidence, for the conclusion to place. */
  evidence: ReactNode;
}

/** What a pack's `ui/index.tsx` exports as `default`.  What it leaves out is drawn generically. */
export interface PackUi {
  pages?: Record<string, PackPage>;
  settings?: Record<string, PackSettings>;
  /** By kind: tabs that are added, or that replace the tab of the same id. */
  recordTabs?: Record<string, RecordTab[]>;
  /** By `kind/flow`: the top of the Research tab, in place of the generic blocks. */
  conclusions?: Record<string, ComponentType<DossierProps>>;
  /** By evidence type: one piece of evidence, in place of the generic card. */
  evidence?: Record<string, ComponentType<{ evidence: EvidenceAnswer }>>;
}

export const definePackUi = (ui: PackUi): PackUi => ui;
