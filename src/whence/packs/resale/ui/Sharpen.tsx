import { money } from "@/shared/format";
import type { MissingInformation } from "./dossier";

/** What is missing, by how far it could move the price. */
export function Sharpen({
  missing,
}: {
  missing: readonly MissingInformation[];
}) {
  if (!missing.length) return null;
  return (
    <section>
      <h3 className="mb-2 text-read font-semibold">What would sharpen this</h3>
      <ol className="divide-y divide-line rounded-ui border border-line bg-raised">
        {missing.map((each) => (
          <li
            key={each.field}
            className="flex items-start justify-between gap-4 px-4 py-2.5"
          >
            <span className="min-w-0">
              <span className="block font-medium">
                {each.question ?? each.why}
              </span>
              {each.question && (
                <span className="block text-table text-muted">{each.why}</span>
              )}
            </span>
            {each.amount !== null && each.amount >= 0.005 && (
              <span
                className="figures shrink-0 whitespace-nowrap"
                title="How far it could move"
              >
                ± {money(each.amount, each.currency)}
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
