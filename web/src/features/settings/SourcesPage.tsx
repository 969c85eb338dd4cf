import { useSources, useTestSource } from "@/shared/api/models";
import type { SourceLimitView, SourceView } from "@/shared/api/schema";
import { duration, number, Time } from "@/shared/format";
import {
  Button,
  EmptyState,
  ErrorState,
  SkeletonLines,
  StateChip,
  toastError,
  type Tone,
} from "@/shared/ui";
import { Card, PageHeader } from "@/shared/ui/Page";
import { Meter } from "./Meter";
import { OwnersOnly } from "./OwnersOnly";

/** The outside systems that packs ask: whether they answer, and how often they may be asked. */
export function SourcesPage() {
  return (
    <OwnersOnly title="Sources">
      <PageHeader
        title="Sources"
        about="Outside systems that research and conversations ask. Nothing leaves this server until a source is configured."
      />
      <Sources />
    </OwnersOnly>
  );
}

function Sources() {
  const sources = useSources();
  if (sources.error && !sources.data)
    return <ErrorState error={sources.error} retry={() => void sources.refetch()} />;
  if (!sources.data) return <SkeletonLines lines={12} />;
  if (!sources.data.sources.length)
    return (
      <EmptyState icon="out" title="No pack asks an outside source">
        What is known comes from records and imports alone.
      </EmptyState>
    );
  const packs = [...new Set(sources.data.sources.map((source) => source.pack))];
  return (
    <div className="flex flex-col gap-4">
      {packs.map((pack) => (
        <Card key={pack} title={pack}>
          <ul className="-my-3 divide-y divide-line">
            {sources.data.sources
              .filter((source) => source.pack === pack)
              .map((source) => (
                <Row key={source.id} source={source} />
              ))}
          </ul>
        </Card>
      ))}
      {sources.data.limits.length > 0 && <Budgets limits={sources.data.limits} />}
    </div>
  );
}

const STATES: Record<SourceView["status"], [string, Tone]> = {
  ready: ["Ready", "positive"],
  not_configured: ["Not configured", "excluded"],
  away: ["Away", "caution"],
  failing: ["Failing", "negative"],
};

/** Whether it answers is not known before it was asked once. */
const UNTRIED: [string, Tone] = ["Configured, not asked yet", "neutral"];

function Row({ source }: { source: SourceView }) {
  const test = useTestSource();
  const isUntried = source.status === "ready" && source.mayTest && !source.answeredAt;
  const [word, tone] = isUntried ? UNTRIED : STATES[source.status];
  return (
    <li aria-label={source.title} className="py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 grow basis-80">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium">{source.title}</span>
            <StateChip tone={tone}>{word}</StateChip>
            {source.since && (
              <span className="text-table text-muted">
                since <Time at={source.since} />
              </span>
            )}
          </p>
          <p className="mt-0.5 text-table text-muted">
            {source.offers}
            {source.requestsToday > 0 &&
              ` · ${number(source.requestsToday)} ${source.requestsToday === 1 ? "request" : "requests"} today${source.failuresToday ? `, ${number(source.failuresToday)} failed` : ""}`}
            {source.answeredAt && (
              <>
                {" "}
                · last answer <Time at={source.answeredAt} />
              </>
            )}
          </p>
          {source.note && <p className="mt-1 text-table">{source.note}</p>}
          {source.error && !test.data && (
            <p className="mt-1 text-table text-negative wrap-anywhere">{source.error}</p>
          )}
        </div>
        {source.mayTest && (
          <Button
            isPending={test.isPending}
            onPress={() => test.mutate(source.id, { onError: toastError })}
          >
            Test
          </Button>
        )}
      </div>
      {test.data && (
        <p role="status" className="mt-2 rounded-ui bg-sunken px-3 py-2 text-table">
          <StateChip tone={test.data.answered ? "positive" : "negative"}>
            {test.data.answered ? "Answered" : "Failed"}
          </StateChip>{" "}
          <span className="figures text-muted">{duration(test.data.seconds * 1000)}</span> ·{" "}
          {test.data.message}
        </p>
      )}
    </li>
  );
}

function Budgets({ limits }: { limits: readonly SourceLimitView[] }) {
  return (
    <Card title="Budget of today">
      <ul className="flex flex-col gap-3">
        {limits.map((limit) => (
          <li key={limit.setting}>
            <Meter title={limit.title} used={limit.used} most={limit.most} show={number} />
            <p className="mt-1 text-small text-muted">
              <code className="font-mono">{limit.setting}</code> · resets at midnight UTC. Research
              asks beyond it.
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
