import { useKind, useMayWrite } from "@/shared/api";
import { useChoices } from "@/shared/routing/choices";
import { Button } from "@/shared/ui";

/** Tries the conclusions with or without this evidence; nothing where it cannot be chosen. */
export function ChoiceButton({
  kind,
  id,
  evidence,
}: {
  kind: string;
  id: string;
  evidence: { id: string; role: string; included: boolean; title: string };
}) {
  const offered = useKind(kind)?.kind.evidenceChoices;
  const mayWrite = useMayWrite();
  const { choices, choose, forget } = useChoices(kind, id);
  if (!mayWrite || offered?.role !== evidence.role) return null;
  const isTried = choices.has(evidence.id);
  const word = evidence.included ? "Exclude" : "Include";
  return (
    <Button
      look={isTried ? "plain" : "quiet"}
      icon={isTried ? "close" : evidence.included ? "minus" : "plus"}
      aria-label={
        isTried ? `Do not ${word.toLowerCase()} ${evidence.title}` : `${word} ${evidence.title}`
      }
      onPress={() => (isTried ? forget(evidence.id) : choose(evidence.id, !evidence.included))}
    >
      {isTried ? (evidence.included ? "Keep in" : "Leave out") : word}
    </Button>
  );
}
