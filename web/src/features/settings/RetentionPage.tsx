import { useRetention } from "@/shared/api/retention";
import type { RetentionSettings } from "@/shared/api/schema";
import { number } from "@/shared/format";
import { ErrorState, SkeletonLines } from "@/shared/ui";
import { Card, PageHeader } from "@/shared/ui/Page";
import { EraseButton } from "./Erase";
import { Erasures } from "./Erasures";
import { OwnersOnly } from "./OwnersOnly";

/** What is kept for how long, and what was erased for good. */
export function RetentionPage() {
  return (
    <OwnersOnly title="Retention">
      <PageHeader
        title="Retention"
        about="What is kept for how long. The variables are set on the server, where it is started."
        actions={<EraseButton />}
      />
      <div className="flex flex-col gap-4">
        <Card title="Kept">
          <Kept />
        </Card>
        <Erasures />
      </div>
    </OwnersOnly>
  );
}

function Kept() {
  const retention = useRetention();
  if (retention.error && !retention.data)
    return <ErrorState error={retention.error} retry={() => void retention.refetch()} />;
  if (!retention.data) return <SkeletonLines lines={10} />;
  return <Rules retention={retention.data} />;
}

function Rules({ retention }: { retention: RetentionSettings }) {
  const stays = retention.deletion === "keep";
  return (
    <>
      <ul className="-my-2 divide-y divide-line">
        {retention.rules.map((rule) => (
          <li
            key={rule.what}
            className="grid gap-x-6 py-2 sm:grid-cols-[minmax(0,1fr)_14rem_15rem] sm:items-baseline"
          >
            <span>{rule.what}</span>
            <span className="figures text-table">
              {rule.days === null ? "always" : <Days days={rule.days} after={rule.after} />}
            </span>
            <span className="text-small text-muted">
              {rule.variable ? (
                <>
                  <span className="sm:sr-only">Set by </span>
                  <code className="font-mono">{rule.variable}</code>
                </>
              ) : (
                "fixed"
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-4 border-t border-line pt-3 text-table text-muted">
        {stays
          ? "Research and conversations of a deleted record stay stored. "
          : "Research and conversations of a deleted record are erased with it. "}
        <code className="font-mono text-small">{retention.deletionVariable}</code> sets it.
      </p>
    </>
  );
}

function Days({ days, after }: { days: number; after: string }) {
  if (days === 0) return <>removed at once</>;
  return (
    <>
      {number(days)} {days === 1 ? "day" : "days"} <span className="text-muted">after {after}</span>
    </>
  );
}
