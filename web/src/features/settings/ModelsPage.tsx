import { type ModelRole, useModels, useTestModel } from "@/shared/api/models";
import type { LimitView, ModelTestView, ModelView } from "@/shared/api/schema";
import { duration, money, number, Time } from "@/shared/format";
import {
  Button,
  ErrorState,
  Notice,
  SkeletonLines,
  StateChip,
  toastError,
  type Tone,
} from "@/shared/ui";
import { Card, PageHeader } from "@/shared/ui/Page";
import { OwnersOnly } from "./OwnersOnly";

/** Which model does what, whether it answers, and the limits in force. */
export function ModelsPage() {
  return (
    <OwnersOnly title="Models">
      <PageHeader
        title="Models"
        about="Each is set for the whole server by a variable. Without one, rules do the work, and every result says which of the two made it."
      />
      <Models />
    </OwnersOnly>
  );
}

function Models() {
  const models = useModels();
  if (models.error && !models.data)
    return <ErrorState error={models.error} retry={() => void models.refetch()} />;
  if (!models.data) return <SkeletonLines lines={14} />;
  return (
    <div className="flex flex-col gap-4">
      {models.data.models.map((model) => (
        <Model key={model.role} model={model} />
      ))}
      <Limits limits={models.data.limits} />
    </div>
  );
}

const TITLES: Record<ModelRole, string> = { text: "Text", vision: "Photographs" };

function Model({ model }: { model: ModelView }) {
  const test = useTestModel();
  const mayTest = Boolean(model.model) && !model.problem;
  return (
    <Card
      title={TITLES[model.role]}
      actions={
        mayTest && (
          <Button
            isPending={test.isPending}
            onPress={() => test.mutate(model.role, { onError: toastError })}
          >
            Test call
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {model.model ? (
            <code className="font-mono text-read wrap-anywhere">{model.model}</code>
          ) : (
            <span className="text-read">No model</span>
          )}
          <State model={model} />
        </div>
        {model.problem && <Notice tone="caution">{model.problem}</Notice>}
        {test.data && <Result result={test.data} />}
        <dl className="grid grid-cols-[9rem_1fr] gap-x-6 gap-y-1.5 text-table max-sm:grid-cols-1 max-sm:gap-y-0.5">
          <Fact name="Set by">
            <code className="font-mono">{model.variable}</code>
          </Fact>
          {model.model && (
            <>
              <Fact name="Key">
                {model.keyVariable ? (
                  <>
                    {model.hasKey ? "present" : "missing"} in{" "}
                    <code className="font-mono">{model.keyVariable}</code>
                  </>
                ) : (
                  "none needed"
                )}
              </Fact>
              {model.server && <Fact name="Server">{model.server}</Fact>}
              <Fact name="Price">
                {model.price
                  ? `${money(model.price.tokensIn, "USD")} in, ${money(model.price.tokensOut, "USD")} out, for a million tokens (${model.price.asOf})`
                  : "not known, so no budget in money limits it; add it to prices.toml"}
              </Fact>
              <Fact name="Last test">
                {model.lastTest ? (
                  <>
                    <Time at={model.lastTest.at} />:{" "}
                    {model.lastTest.answered ? "answered" : "failed"} after{" "}
                    {duration(model.lastTest.seconds * 1000)}
                  </>
                ) : (
                  "never"
                )}
              </Fact>
            </>
          )}
        </dl>
        <Uses model={model} />
      </div>
    </Card>
  );
}

function Uses({ model }: { model: ModelView }) {
  if (!model.uses.length)
    return <p className="text-table text-muted">Nothing of the installed packs uses it.</p>;
  return (
    <ul className="divide-y divide-line border-t border-line text-table">
      {model.uses.map((use) => (
        <li key={use.title} className="grid gap-x-6 py-2 sm:grid-cols-[16rem_minmax(0,1fr)]">
          <span>
            {use.title} <span className="text-muted">· {use.pack ?? "all packs"}</span>
          </span>
          <span className="text-muted">Without it, {use.without}.</span>
        </li>
      ))}
    </ul>
  );
}

function State({ model }: { model: ModelView }) {
  if (model.problem) return <StateChip tone="negative">Cannot be asked</StateChip>;
  if (!model.model) return <StateChip tone="excluded">Rules only</StateChip>;
  if (!model.lastTest) return <StateChip>Not tested</StateChip>;
  return model.lastTest.answered ? (
    <StateChip tone="positive">Answers</StateChip>
  ) : (
    <StateChip tone="negative">Last test failed</StateChip>
  );
}

const RESULTS: Record<ModelTestView["result"], [string, Tone]> = {
  ok: ["It answers", "positive"],
  key_refused: ["Key refused", "negative"],
  rate_limited: ["Rate limit", "caution"],
  timeout: ["Timeout", "negative"],
  nonsense: ["Nonsense", "negative"],
  unreachable: ["Unreachable", "negative"],
  refused: ["Refused", "negative"],
  failed: ["Failed", "negative"],
};

function Result({ result }: { result: ModelTestView }) {
  const [title, tone] = RESULTS[result.result];
  const tokens = result.tokensIn + result.tokensOut;
  return (
    <div role="status" className="rounded-ui border border-line bg-sunken p-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateChip tone={tone}>{title}</StateChip>
        <span className="figures text-table text-muted">
          {duration(result.seconds * 1000)} · {result.isExact ? "" : "about "}
          {number(tokens)} tokens
          {result.usd !== null && tokens > 0 && ` · ${smallMoney(result.usd)}`}
        </span>
      </p>
      <p className="mt-1.5">{result.explanation}</p>
      {result.detail && (
        <p className="mt-1 font-mono text-small text-muted wrap-anywhere">{result.detail}</p>
      )}
    </div>
  );
}

/** A call costs fractions of a cent. */
const smallMoney = (usd: number) =>
  usd > 0 && usd < 0.01 ? "less than a cent" : money(usd, "USD");

function Limits({ limits }: { limits: readonly LimitView[] }) {
  return (
    <Card title="Limits in force">
      <ul className="-my-2 divide-y divide-line text-table">
        {limits.map((limit) => (
          <li
            key={limit.variable}
            className="grid grid-cols-[minmax(0,1fr)_max-content] gap-x-6 py-1.5 sm:grid-cols-[minmax(0,1fr)_max-content_15rem]"
          >
            <span>{limit.title}</span>
            <span className="figures text-right">
              {limit.unit === "USD" ? money(limit.value, "USD") : number(limit.value)}{" "}
              {limit.unit !== "USD" && limit.unit}
            </span>
            <code className="min-w-0 font-mono text-small text-muted wrap-anywhere max-sm:col-span-2">
              {limit.variable}
            </code>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="wrap-anywhere max-sm:mb-1.5">{children}</dd>
    </>
  );
}
