import { useMe } from "@/shared/api";
import { useStoredDraft } from "@/shared/drafts/drafts";
import type { Draft } from "./values";

type Typed = Record<string, Draft>;

/** What was typed into a form and not sent yet, by step; its page and its conversation share it. */
export function useTyped(run: string) {
  const person = useMe().data?.userId ?? "";
  const [typed = {}, keep] = useStoredDraft<Typed>(person, `form.${run}`);
  return {
    typed,
    type: (step: string, draft: Draft) => keep({ ...typed, [step]: draft }),
    forget: (step: string) => {
      const { [step]: _, ...others } = typed;
      keep(Object.keys(others).length ? others : undefined);
    },
  };
}
