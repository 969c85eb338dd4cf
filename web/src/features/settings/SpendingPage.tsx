import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useSpending } from "@/shared/api/spending";
import type { Spending } from "@/shared/api/schema";
import { inWords, money, number } from "@/shared/format";
import { ErrorState, Select, SkeletonLines } from "@/shared/ui";
import { Card, PageHeader } from "@/shared/ui/Page";
import { DayChart } from "./DayChart";
import { Meter } from "./Meter";
import { OwnersOnly } from "./OwnersOnly";
import { daysOf, type Sum, sumsBy } from "./spending";

const route = getRouteApi("/shell/settings-frame/settings/spending");
const RANGES = [7, 30, 90].map((days) => ({ value: String(days), label: `Last ${days} days` }));
const DEFAULT_DAYS = 30;

/** What was spent on models and how often sources were asked, and what is left. */
export function SpendingPage() {
  return (
    <OwnersOnly title="Spending">
      <Page />
    </OwnersOnly>
  );
}

function Page() {
  const days = route.useSearch().days ?? DEFAULT_DAYS;
  const navigate = useNavigate();
  const spending = useSpending(days);
  return (
    <>
      <PageHeader
        title="Spending"
        about="What models cost by day, and what is left of each limit. Days are those of UTC."
        actions={
          <div className="w-40">
            <Select
              isCompact
              label="Days shown"
              options={RANGES}
              value={String(days)}
              onChange={(value) =>
                void navigate({
                  to: "/settings/spending",
                  search: { days: Number(value) },
                  replace: true,
                })
              }
            />
          </div>
        }
      />
      {spending.error && !spending.data ? (
        <ErrorState error={spending.error} retry={() => void spending.refetch()} />
      ) : !spending.data ? (
        <SkeletonLines lines={16} />
      ) : (
        <Figures spending={spending.data} />
      )}
    </>
  );
}

/** Amounts below ten cents need more than two places. */
export function cost(usd: number): string {
  if (usd === 0 || usd >= 0.1) return money(usd, "USD");
  return `${usd < 0.0001 ? "<" : ""}${money(0, "USD").replace(/[\d.,]+/, number(Math.max(usd, 0.0001), 4))}`;
}

function Figures({ spending }: { spending: Spending }) {
  const days = daysOf(spending);
  const total = days.reduce((sum, each) => sum + each.usd, 0);
  const tokens = days.reduce((sum, each) => sum + each.tokens, 0);
  const requests = days.reduce((sum, each) => sum + each.requests, 0);
  const unpriced = spending.models.reduce((sum, each) => sum + each.unpriced, 0);
  return (
    <div className="flex flex-col gap-4">
      <Card>
        <dl className="flex flex-wrap gap-x-10 gap-y-3">
          <Figure name="Models" value={cost(total)} isMain />
          <Figure name="Tokens" value={number(tokens)} />
          <Figure name="Requests to sources" value={number(requests)} />
        </dl>
        {unpriced > 0 && (
          <p className="mt-2 text-table text-caution">
            {number(unpriced)} uses are missing in the money: the price of their model is not known.
          </p>
        )}
        <div className="mt-5 flex flex-col gap-6">
          <DayChart title="US dollars by day" days={days} value={(day) => day.usd} show={cost} />
          {requests > 0 && (
            <DayChart
              title="Requests to sources by day"
              days={days}
              value={(day) => day.requests}
              show={number}
            />
          )}
        </div>
        <DayTable days={days} />
      </Card>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Card title="By purpose">
          <Sums sums={sumsBy(spending.models, (line) => purpose(line.usedFor))} />
        </Card>
        <Card title="By model">
          <Sums sums={sumsBy(spending.models, (line) => line.model)} />
        </Card>
      </div>
      <Limits spending={spending} />
      <p className="text-table text-muted">
        The log of calls is kept for {number(spending.keptDays)} days.
      </p>
    </div>
  );
}

const PURPOSES: Record<string, string> = {
  chat: "Conversations",
  test: "Test calls",
  erased: "Erased research",
};

/** `items/research` is the research of items. */
function purpose(usedFor: string): string {
  const [kind, flow] = usedFor.split("/");
  if (kind && flow) return `${inWords(kind)}: ${inWords(flow).toLowerCase()}`;
  return PURPOSES[usedFor] ?? usedFor;
}

function Figure({ name, value, isMain }: { name: string; value: string; isMain?: boolean }) {
  return (
    <div>
      <dt className="text-table text-muted">{name}</dt>
      <dd className={isMain ? "figures text-figure font-semibold" : "figures text-title"}>
        {value}
      </dd>
    </div>
  );
}

function DayTable({ days }: { days: ReturnType<typeof daysOf> }) {
  const busy = days.filter((each) => each.calls || each.requests).reverse();
  return (
    <details className="mt-4 text-table">
      <summary className="cursor-pointer text-muted hover:text-text">As a table</summary>
      {busy.length === 0 ? (
        <p className="mt-2 text-muted">Nothing was spent on these days.</p>
      ) : (
        <div className="mt-2 overflow-x-auto">
          <table className="w-full min-w-96">
            <thead className="text-right text-muted">
              <tr>
                <th className="py-1 text-left font-medium">Day</th>
                <th className="py-1 font-medium">Spent</th>
                <th className="py-1 font-medium">Tokens</th>
                <th className="py-1 font-medium">Calls</th>
                <th className="py-1 font-medium">Requests</th>
              </tr>
            </thead>
            <tbody className="figures text-right">
              {busy.map((each) => (
                <tr key={each.day} className="border-t border-line">
                  <td className="py-1 text-left">{each.day}</td>
                  <td className="py-1">{cost(each.usd)}</td>
                  <td className="py-1">{number(each.tokens)}</td>
                  <td className="py-1">{number(each.calls)}</td>
                  <td className="py-1">{number(each.requests)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

function Sums({ sums }: { sums: readonly Sum[] }) {
  if (!sums.length) return <p className="text-muted">No model was asked on these days.</p>;
  return (
    <div className="-my-2 overflow-x-auto">
      <table className="w-full text-table">
        <thead className="text-right text-muted">
          <tr>
            <th className="py-1 pr-3 text-left font-medium">
              <span className="sr-only">Name</span>
            </th>
            <th className="py-1 pl-3 font-medium">Spent</th>
            <th className="py-1 pl-3 font-medium">Tokens</th>
            <th className="py-1 pl-3 font-medium">Failed</th>
          </tr>
        </thead>
        <tbody className="figures text-right">
          {sums.map((sum) => (
            <tr key={sum.name} className="border-t border-line">
              <td className="max-w-40 truncate py-1.5 pr-3 text-left" title={sum.name}>
                {sum.name}
              </td>
              <td className="py-1.5 pl-3">
                {sum.usd || !sum.unpriced ? cost(sum.usd) : "not known"}
              </td>
              <td className="py-1.5 pl-3">{number(sum.tokens)}</td>
              <td className="py-1.5 pl-3 text-muted">{sum.failed || "—"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Limits({ spending }: { spending: Spending }) {
  const shown = (unit: string) => (value: number) =>
    unit === "USD" ? cost(value) : `${number(value)} ${unit}`;
  const daily = spending.limits.filter((limit) => limit.used !== null);
  const each = spending.limits.filter((limit) => limit.used === null);
  return (
    <Card title="Limits in force">
      <div className="flex flex-col gap-4">
        {daily.map((limit) => (
          <div key={limit.variable}>
            <Meter
              title={limit.title}
              used={limit.used ?? 0}
              most={limit.most}
              show={shown(limit.unit)}
            />
            <code className="mt-1 block font-mono text-small text-muted">{limit.variable}</code>
          </div>
        ))}
        <ul className="border-t border-line pt-2">
          {each.map((limit) => (
            <li
              key={limit.variable}
              className="flex flex-wrap items-baseline justify-between gap-x-4 py-1"
            >
              <span>
                {limit.title}: <span className="figures">{shown(limit.unit)(limit.most)}</span>
              </span>
              <code className="font-mono text-small text-muted">{limit.variable}</code>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}
