import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Kind } from "@/shared/api";
import { type Claim, type Dossier, useDossiers, useEvidenceChanges } from "@/shared/api/research";
import { claimInWords } from "@/shared/claims/claims";
import { confidenceInWords, inWords, dayAndTime, number, Time } from "@/shared/format";
import { useSheet } from "@/shared/routing/sheet";
import { Button, classes, EmptyState, Icon, Select, SkeletonLines, StateChip } from "@/shared/ui";
import { Card } from "@/shared/ui/Page";
import { type ClaimChange, changesBetween } from "./compare";

/** The two dossiers that the address names, as `?compare=flow/earlier/later`. */
export function useCompared() {
  const { compare } = useSearch({ strict: false }) as { compare?: string };
  const navigate = useNavigate();
  return useMemo(() => {
    const [flow, earlier, later] = compare?.split("/") ?? [];
    const show = (next: string | undefined) =>
      void navigate({
        to: ".",
        search: (old: object) => ({ ...old, compare: next }),
        resetScroll: false,
      });
    return {
      chosen: flow && earlier && later ? { flow, earlier, later } : undefined,
      compare: (of: string, from: string, to: string) => show(`${of}/${from}/${to}`),
      close: () => show(undefined),
    };
  }, [compare, navigate]);
}

/** Two dossiers of a record side by side: what changed, and what it rests on. */
export function Comparison({ kind, id }: { kind: Kind; id: string }) {
  const { chosen, compare, close } = useCompared();
  const flow = chosen?.flow ?? "research";
  const dossiers = useDossiers(kind.kind, id, flow);
  const all = dossiers.data?.pages.flatMap((page) => page.items) ?? [];
  if (!chosen) return null;
  const earlier = all.find((each) => each.id === chosen.earlier);
  const later = all.find((each) => each.id === chosen.later);
  const options = all.map((each) => ({
    value: each.id,
    label: `${dayAndTime(each.createdAt)} · ${typeInWords(kind, flow, each.runType)}`,
  }));
  return (
    <Card
      title="What changed"
      actions={
        <Button look="quiet" icon="close" onPress={close}>
          Close
        </Button>
      }
    >
      {dossiers.isPending ? (
        <SkeletonLines lines={6} />
      ) : !earlier || !later ? (
        <EmptyState title="One of the two is not in this list">
          {dossiers.hasNextPage ? (
            <Button onPress={() => void dossiers.fetchNextPage()}>Look further back</Button>
          ) : (
            "It is no longer kept."
          )}
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-5">
          <div className="grid gap-4 sm:grid-cols-2">
            <Side
              kind={kind}
              title="Earlier"
              dossier={earlier}
              options={options}
              onChoose={(next) => compare(flow, next, later.id)}
            />
            <Side
              kind={kind}
              title="Later"
              dossier={later}
              options={options}
              onChoose={(next) => compare(flow, earlier.id, next)}
            />
          </div>
          <ClaimChanges kind={kind.kind} id={id} earlier={earlier} later={later} />
          <EvidenceChanges kind={kind.kind} id={id} earlier={earlier} later={later} />
        </div>
      )}
    </Card>
  );
}

function Side({
  kind,
  title,
  dossier,
  options,
  onChoose,
}: {
  kind: Kind;
  title: string;
  dossier: Dossier;
  options: { value: string; label: string }[];
  onChoose: (id: string) => void;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Select label={title} value={dossier.id} onChange={onChoose} options={options} />
      <p className="text-table text-muted">
        <Time at={dossier.createdAt} /> · {typeInWords(kind, dossier.type, dossier.runType)}
        {dossier.subjectVersion !== null && ` · version ${dossier.subjectVersion} of the record`}
      </p>
      {dossier.isPartial && (
        <span>
          <StateChip tone="caution">Incomplete</StateChip>
        </span>
      )}
      <p className="font-medium wrap-anywhere">{dossier.summary}</p>
    </div>
  );
}

interface Two {
  kind: string;
  id: string;
  earlier: Dossier;
  later: Dossier;
}

function ClaimChanges({ earlier, later }: Two) {
  const { changes, same } = useMemo(
    () => changesBetween(earlier.claims, later.claims, Object.keys(later.body)),
    [earlier, later],
  );
  return (
    <section>
      <h3 className="mb-2 font-semibold">Conclusions</h3>
      {changes.length === 0 ? (
        <p className="text-muted">All {same} stayed the same.</p>
      ) : (
        <>
          <ul className="divide-y divide-line rounded-ui border border-line">
            {changes.map((change) => (
              <ClaimRow key={change.path} change={change} />
            ))}
          </ul>
          <p className="mt-2 text-table text-muted">{same} stayed the same.</p>
        </>
      )}
    </section>
  );
}

const WORDS = {
  added: ["Added", "positive"],
  gone: ["Gone", "excluded"],
  moved: ["Changed", "accent"],
} as const;

function ClaimRow({ change }: { change: ClaimChange }) {
  const [word, tone] = WORDS[change.what];
  return (
    <li className="grid gap-x-4 gap-y-1 px-3 py-2.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <p className="flex flex-wrap items-center gap-2 sm:col-span-2">
        <StateChip tone={tone}>{word}</StateChip>
        <span className="text-table text-muted">{claimInWords(change.path)}</span>
      </p>
      <Stand claim={change.before} isOld />
      <Stand claim={change.after} />
      {change.why.length > 0 && (
        <p className="text-table text-muted sm:col-span-2">{change.why.join("; ")}.</p>
      )}
    </li>
  );
}

function Stand({ claim, isOld }: { claim?: Claim; isOld?: boolean }) {
  if (!claim) return <p className="text-muted">Not concluded.</p>;
  return (
    <div className={classes("min-w-0", isOld && "text-muted")}>
      <p className="wrap-anywhere">{claim.statement}</p>
      <p className="figures text-table text-muted">
        {confidenceInWords(claim.confidence)} · {number(claim.confidence, 2)}
      </p>
    </div>
  );
}

const STANDING = { in: "counted", out: "left out", absent: "not there" } as const;

function EvidenceChanges({ kind, id, earlier, later }: Two) {
  const changes = useEvidenceChanges(kind, id, earlier.type, earlier.jobId, later.jobId);
  const { open } = useSheet();
  return (
    <section>
      <h3 className="mb-2 font-semibold">Evidence</h3>
      {changes.isPending ? (
        <SkeletonLines />
      ) : !changes.data?.length ? (
        <p className="text-muted">Both rest on the same evidence.</p>
      ) : (
        <ul className="max-h-96 divide-y divide-line overflow-auto rounded-ui border border-line">
          {changes.data.map((each) => (
            <li key={each.evidenceId}>
              <button
                type="button"
                onClick={() => open("evidence", kind, id, each.evidenceId)}
                className="flex w-full flex-wrap items-baseline justify-between gap-x-4 px-3 py-2 text-left hover:bg-hover"
              >
                <span className="min-w-0 grow basis-64">
                  <bdi className="block truncate">{each.title || "Evidence"}</bdi>
                  <span className="block text-table text-muted">{each.reason}</span>
                </span>
                <span className="inline-flex items-center gap-1.5 text-table">
                  <span className="text-muted">{STANDING[each.before]}</span>
                  <Icon name="right" size={12} className="text-muted" />
                  {STANDING[each.after]}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Why a run was made, as its flow says it. */
export function typeInWords(kind: Kind, flow: string, runType: string): string {
  const types = kind.flows.find((each) => each.id === flow)?.types ?? [];
  const known = types.find((each) => each.name === runType);
  return known && runType !== "default" ? inWords(known.name) : inWords(flow);
}
