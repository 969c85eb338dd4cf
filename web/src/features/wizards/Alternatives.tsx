import type { OutcomeShown } from "@/shared/api";

type Alternative = OutcomeShown["alternatives"][number];

/** What would change the result: each fact as it might be, and what would then follow. */
export function Alternatives({ all }: { all: readonly Alternative[] }) {
  const byFact = new Map<string, Alternative[]>();
  for (const one of all) byFact.set(one.fact, [...(byFact.get(one.fact) ?? []), one]);
  return (
    <ul className="flex flex-col rounded-ui border border-line bg-raised">
      {[...byFact].map(([fact, ways]) => (
        <li
          key={fact}
          className="break-inside-avoid border-b border-line px-3 py-2.5 last:border-b-0"
        >
          <p>
            <span className="font-medium">{capitalized(fact)}</span>
            <span className="text-muted"> · {ways[0]!.stated}</span>
          </p>
          <dl className="mt-1 flex flex-col gap-1 text-table">
            {ways.map((way) => (
              <div key={way.supposed} className="grid gap-x-4 @lg:grid-cols-[12rem_minmax(0,1fr)]">
                <dt>
                  <span className="text-muted">If </span>
                  {way.supposed}
                </dt>
                <dd>
                  {way.effects.map((effect) => (
                    <p key={effect}>{effect}</p>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
