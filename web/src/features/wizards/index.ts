import { useNavigate } from "@tanstack/react-router";
import { useMayWrite, useWizards } from "@/shared/api";
import { lazy } from "react";
import type { Command, Feature, ListActionProps } from "@/shared/feature/feature";
import { useBegin } from "./begin";
import { RecordWizards } from "./RecordWizards";

export const feature: Feature = {
  id: "wizards",
  nav: [{ to: "/wizards", label: "Forms", icon: "wizard", place: "work", key: "f" }],
  recordActions: [{ id: "wizards", appliesTo: () => true, Button: RecordWizards }],
  messageParts: {
    wizard: lazy(() => import("./ChatStep").then((m) => ({ default: m.ChatStep }))),
  },
  useNewRecord,
  useCommands,
};

/** Starts the form that writes records of the kind. */
function useNewRecord({ pack, kind }: ListActionProps): (() => void) | undefined {
  const { begin } = useBegin();
  const wizard = pack.wizards.find((each) => each.writes && each.kind === kind.kind);
  return wizard && (() => begin(wizard.id));
}

function useCommands(): Command[] {
  const wizards = useWizards();
  const mayWrite = useMayWrite();
  const navigate = useNavigate();
  const { begin } = useBegin();
  return [
    {
      id: "wizards",
      label: "Forms",
      icon: "wizard",
      run: () => void navigate({ to: "/wizards" }),
    },
    ...(mayWrite ? (wizards.data ?? []) : []).map((wizard): Command => ({
      id: `wizard-${wizard.id}`,
      label: wizard.title,
      icon: "wizard",
      run: () => begin(wizard.id),
    })),
  ];
}
