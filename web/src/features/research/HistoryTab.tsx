import { useMemo } from "react";
import { useRecordHistory } from "@/shared/api";
import { useDossiers } from "@/shared/api/research";
import type { HistoryEntry, Kind } from "@/shared/api";
import type { RecordTabProps } from "@/shared/feature/feature";
import { actionInWords, fullTime, inWords, Time } from "@/shared/format";
import { asTold } from "@/shared/proposals/values";
import { useSheet } from "@/shared/routing/sheet";
import { Pairs, Value } from "@/shared/schema/Value";
import { Button, EmptyState, ErrorState, Icon, SkeletonLines, StateChip } from "@/shared/ui";
import type { Schema } from "@/shared/schema/schema";
import { Card } from "@/shared/ui/Page";
import { Comparison, typeInWords, useCompared } from "./Comparison";

/** What happened to the record, and every dossier about it. */
export function HistoryTab({ kind, record }: RecordTabProps) {
  return (
    <div className="grid max-w-[1200px] items-start gap-6 lg:grid-cols-[2fr_1fr]">
      <div className="flex min-w-0 flex-col gap-6">
        <Comparison kind={kind} id={record.id} />
        <Changes kind={kind} id={record.id} />
      </div>
      <div className="flex flex-col gap-4">
        {kind.flows.map((flow) => (
          <Dossiers key={flow.id} kind={kind} id={record.id} flow={flow.id} />
        ))}
      </div>
    </div>
  );
}

function Changes({ kind, id }: { kind: Kind; id: string }) {
  const history = useRecordHistory(kind.kind, id);
  const rows = history.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Card title="Changes">
      {history.error ? (
        <ErrorState error={history.error} retry={() => void history.refetch()} />
      ) : history.isPending ? (
        <SkeletonLines />
      ) : rows.length === 0 ? (
        <EmptyState icon="history" title="Nothing yet" />
      ) : (
        <ol className="flex flex-col">
          {rows.map((entry) => (
            <Change key={entry.id} kind={kind} entry={entry} />
          ))}
        </ol>
      )}
      {history.hasNextPage && (
        <Button onPress={() => void history.fetchNextPage()} isPending={history.isFetchingNextPage}>
          Show earlier
        </Button>
      )}
    </Card>
  );
}

const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);

function Change({ kind, entry }: { kind: Kind; entry: HistoryEntry }) {
  const root = kind.record as Schema;
  const label = (name: string) =>
    kind.fields.find((field) => field.name === name)?.label ?? inWords(name);
  const changes = entry.changes
    .map(({ field, before, after }) => ({ field, before: asTold(before), after: asTold(after) }))
    .filter(({ before, after }) => !(isNothing(before) && isNothing(after)));
  return (
    <li className="border-b border-line py-2.5 last:border-0">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span>
          <span className="font-medium">{actionInWords(entry.action)}</span>{" "}
          <span className="text-muted">
            by {entry.userName ?? "somebody who has left"}
            {entry.byAgent && ", automatically"}
          </span>
        </span>
        <span className="text-table text-muted">
          <Time at={entry.at} />
        </span>
      </p>
      {entry.reason && <p className="text-table text-muted">“{entry.reason}”</p>}
      {changes.length > 0 && (
        <dl className="mt-1 grid grid-cols-[minmax(6rem,max-content)_1fr] gap-x-4 gap-y-0.5 text-table">
          {changes.map((change) => (
            <div key={change.field} className="contents">
              <dt className="text-muted">{label(change.field)}</dt>
              <dd className="flex min-w-0 flex-wrap items-center gap-1">
                {change.before !== null && change.before !== "" && (
                  <>
                    <del className="text-muted">
                      <Value
                        value={change.before}
                        schema={root.properties?.[change.field]}
                        root={root}
                      />
                    </del>
                    <Icon name="right" size={12} className="text-muted" />
                  </>
                )}
                <Value value={change.after} schema={root.properties?.[change.field]} root={root} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

function Dossiers({ kind, id, flow }: { kind: Kind; id: string; flow: string }) {
  const dossiers = useDossiers(kind.kind, id, flow);
  const { open } = useSheet();
  const { chosen, compare } = useCompared();
  const rows = dossiers.data?.pages.flatMap((page) => page.items) ?? [];
  if (!rows.length) return null;
  return (
    <Card title={inWords(flow)}>
      <ol className="-my-1 flex flex-col divide-y divide-line">
        {rows.map((dossier, index) => {
          const before = rows[index + 1];
          const isShown = chosen?.later === dossier.id && chosen.earlier === before?.id;
          return (
            <li key={dossier.id} className="py-1">
              <button
                type="button"
                onClick={() => open("dossier", kind.kind, id, flow, dossier.id)}
                className="-mx-2 w-[calc(100%+1rem)] rounded-ui px-2 py-1.5 text-left hover:bg-hover"
              >
                <span className="flex items-center justify-between gap-2">
                  <Time at={dossier.createdAt} />
                  {dossier.isCurrent && <StateChip tone="positive">Current</StateChip>}
                  {dossier.isPartial && <StateChip tone="caution">Incomplete</StateChip>}
                </span>
                <span className="block text-small text-muted">
                  {typeInWords(kind, flow, dossier.runType)}
                </span>
                <span className="line-clamp-2 text-table text-muted">{dossier.summary}</span>
              </button>
              {before && (
                <Button
                  look="quiet"
                  className="-ml-2"
                  isDisabled={isShown}
                  onPress={() => compare(flow, before.id, dossier.id)}
                >
                  {isShown ? "Shown beside" : "Compare with the one before"}
                </Button>
              )}
            </li>
          );
        })}
      </ol>
      {dossiers.hasNextPage && (
        <Button look="quiet" onPress={() => void dossiers.fetchNextPage()}>
          Show earlier
        </Button>
      )}
    </Card>
  );
}

/** An earlier dossier, claim by claim. */
export function DossierSheet({ args }: { args: string[] }) {
  const [kind = "", id = "", flow = "", dossierId = ""] = args;
  const dossiers = useDossiers(kind, id, flow);
  const dossier = useMemo(
    () => dossiers.data?.pages.flatMap((page) => page.items).find((each) => each.id === dossierId),
    [dossiers.data, dossierId],
  );
  if (dossiers.error)
    return <ErrorState error={dossiers.error} retry={() => void dossiers.refetch()} />;
  if (dossiers.isPending) return <SkeletonLines lines={6} />;
  if (!dossier) return <EmptyState title="This research is no longer kept" />;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">{fullTime(dossier.createdAt)}</p>
      <p className="text-read font-medium">{dossier.summary}</p>
      {dossier.claims.length > 0 ? (
        <ul className="flex flex-col gap-2">
          {dossier.claims.map((claim) => (
            <li key={claim.path} className="rounded-ui border border-line bg-surface p-3">
              {claim.statement}
            </li>
          ))}
        </ul>
      ) : (
        <Pairs value={dossier.body} root={{}} />
      )}
    </div>
  );
}
