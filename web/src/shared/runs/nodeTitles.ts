import { createContext, useCallback, useContext } from "react";
import { useKind } from "@/shared/api";
import type { PackView } from "@/shared/api/schema";
import { inWords } from "@/shared/format";

type TitleOf = (node: string) => string;

/** What people see for a node of a flow: its title, or its name in words for one that is gone. */
export function nodeTitle(kind: PackView["kinds"][number] | undefined, flow: string, node: string) {
  const about = kind?.flows.find((each) => each.id === flow);
  const all = about?.partial ? [...about.nodes, about.partial] : about?.nodes;
  return all?.find((each) => each.name === node)?.title ?? inWords(node);
}

/** The titles of one flow's nodes. */
export function useNodeTitlesOf(kind: string, flow: string): TitleOf {
  const about = useKind(kind)?.kind;
  return useCallback((node) => nodeTitle(about, flow, node), [about, flow]);
}

const NodeTitles = createContext<TitleOf>(inWords);

/** The run that is shown, so that its log, its calls and its timeline name nodes alike. */
export const NodeTitlesProvider = NodeTitles.Provider;
export const useNodeTitle = (): TitleOf => useContext(NodeTitles);
