import { useState } from "react";
import type { Kind } from "@/shared/api";
import { useStartResearch } from "@/shared/api/research";
import { Button, describeError, toast, toastError } from "@/shared/ui";

/** Starts the research of every selected record, one request after another. */
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
  const [done, count] = useState<number>();
  const type = kind.flows.some((flow) => flow.id === "research") ? "research" : kind.flows[0]!.id;
  async function all() {
    let started = 0;
    const refusals: unknown[] = [];
    for (const [index, id] of ids.entries()) {
      count(index);
      try {
        await start.mutateAsync({ id, type });
        started += 1;
      } catch (error) {
        refusals.push(error);
      }
    }
    count(undefined);
    toast(`Research started: ${started} of ${ids.length}`);
    if (refusals.length === 1) toastError(refusals[0]);
    else if (refusals.length > 1)
      toastError(
        new Error(
          `${refusals.length} could not be started. The first: ${describeError(refusals[0]).detail}`,
        ),
      );
    onDone();
  }
  return (
    <Button
      look="primary"
      icon="research"
      onPress={() => void all()}
      isPending={done !== undefined}
    >
      {done === undefined ? "Research" : `Starting ${done + 1} of ${ids.length}`}
    </Button>
  );
}
