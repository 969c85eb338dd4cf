import type { Kind } from "@/shared/api";
import { useStartResearch } from "@/shared/api/research";
import { Button, toast } from "@/shared/ui";
import { useInTurn } from "@/shared/ui/useInTurn";

/** Starts the research of every selected record. */
export function BulkResearch({
  kind,
  ids,
  onDone,
}: {
  kind: Kind;
  ids: string[];
  onDone: () => void;
}) {
  const start = useStartResearch(kind.kind);
  const { at, forEach } = useInTurn();
  const type = kind.flows.some((flow) => flow.id === "research") ? "research" : kind.flows[0]!.id;
  async function all() {
    const started = await forEach(ids, (id) => start.mutateAsync({ id, type }));
    toast(`Research started: ${started} of ${ids.length}`);
    onDone();
  }
  return (
    <Button look="primary" icon="research" onPress={() => void all()} isPending={at !== undefined}>
      {at === undefined ? "Research" : `Starting ${at + 1} of ${ids.length}`}
    </Button>
  );
}
