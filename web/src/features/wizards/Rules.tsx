import type { RuleRow } from "@/shared/api";
import { StateChip } from "@/shared/ui";
import { byLaw, RESULTS } from "./words";

/** Rule by rule, by law: what it needs, what is the case, and the section that says so. */
export function Rules({ rows }: { rows: readonly RuleRow[] }) {
  return (
    <div className="flex flex-col gap-5">
      {byLaw(rows).map(([law, rules]) => (
        <section key={law} aria-label={law} className="break-inside-avoid">
          <h3 className="mb-1 font-semibold">{law}</h3>
          <ul className="rounded-ui border border-line bg-raised">
            {rules.map((row, index) => (
              <Rule key={`${row.rule}:${index}`} row={row} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Rule({ row }: { row: RuleRow }) {
  const { words, tone } = RESULTS[row.result];
  return (
    <li className="break-inside-avoid border-b border-line px-3 py-2.5 last:border-b-0">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <span className="min-w-0 grow basis-48 font-medium">{capitalized(row.rule)}</span>
        <StateChip tone={tone}>{words}</StateChip>
      </div>
      <dl className="mt-1 grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3 text-table">
        <dt className="text-muted">Needed</dt>
        <dd>{row.needed}</dd>
        <dt className="text-muted">Stated</dt>
        <dd>{row.actual}</dd>
        <dt className="text-muted">Source</dt>
        <dd className="text-muted">{row.source}</dd>
      </dl>
    </li>
  );
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
