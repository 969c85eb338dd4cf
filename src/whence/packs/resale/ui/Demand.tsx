import { ClaimDoor, useDossierContext } from "@/shared/claims/ClaimDoor";
import { inWords, number } from "@/shared/format";
import type { Signal } from "./dossier";

/** How well it sells: each signal with its range where only a sample is known. */
export function Demand({ signals }: { signals: readonly Signal[] }) {
  const { claims } = useDossierContext();
  if (!signals.length) return null;
  return (
    <section>
      <h3 className="mb-2 text-read font-semibold">Demand</h3>
      <dl className="flex flex-col gap-3">
        {signals.map((signal) => (
          <div
            key={signal.name}
            className="grid grid-cols-[1fr_max-content] items-baseline gap-x-3"
          >
            <dt className="text-muted">{inWords(signal.name)}</dt>
            <dd className="figures font-medium whitespace-nowrap">
              <ClaimDoor claim={claims.get(`demand.${signal.name}`)}>
                {figureOf(signal)}
              </ClaimDoor>
            </dd>
            <dd className="col-span-2 text-table text-muted">{signal.words}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function figureOf({ value, unit, low, high }: Signal): string {
  if (value === null) return "not known";
  const isShare = unit === "share";
  const write = (each: number) =>
    isShare ? `${number(each * 100, 0)}%` : number(each, 0);
  const range = low !== null && high !== null && write(low) !== write(high);
  const figure = range ? `${write(low)} to ${write(high)}` : write(value);
  return isShare
    ? figure
    : `${figure} ${figure === "1" ? unit.replace(/s$/, "") : unit}`;
}
