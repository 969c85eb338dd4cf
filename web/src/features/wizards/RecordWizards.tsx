import { useMayWrite } from "@/shared/api";
import type { RecordTabProps } from "@/shared/feature/feature";
import { Button } from "@/shared/ui";
import { useBegin } from "./begin";

/** The wizards that can be begun about this record. */
export function RecordWizards({ pack, kind, record }: RecordTabProps) {
  const { begin, isPending } = useBegin();
  if (!useMayWrite()) return null;
  return pack.wizards
    .filter((wizard) => wizard.kind === kind.kind)
    .map((wizard) => (
      <Button
        key={wizard.id}
        icon="wizard"
        isPending={isPending}
        onPress={() => begin(wizard.id, record.id)}
      >
        {wizard.title}
      </Button>
    ));
}
