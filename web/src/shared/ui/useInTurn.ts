import { useState } from "react";
import { describeError } from "./states";
import { toastError } from "./toast";

/** Does something for one after another; what is refused is told once, and keeps nothing back. */
export function useInTurn() {
  const [at, setAt] = useState<number>();
  async function forEach(ids: readonly string[], act: (id: string) => Promise<unknown>) {
    const refusals: unknown[] = [];
    for (const [index, id] of ids.entries()) {
      setAt(index);
      try {
        await act(id);
      } catch (error) {
        refusals.push(error);
      }
    }
    setAt(undefined);
    if (refusals.length === 1) toastError(refusals[0]);
    else if (refusals.length > 1)
      toastError(
        new Error(
          `${refusals.length} were refused. The first: ${describeError(refusals[0]).detail}`,
        ),
      );
    return ids.length - refusals.length;
  }
  /** `at`: the place of the one that is on now, from 0. */
  return { at, forEach };
}
