import { Link } from "@tanstack/react-router";
import { useEffect, useReducer } from "react";
import { type Kind, useKind, useMayWrite, useMe, useRecord } from "@/shared/api";
import { type Decision, type Proposal, useDecide } from "@/shared/api/proposals";
import { inWords, Time } from "@/shared/format";
import { titleOf, unitIn } from "@/shared/format/record";
import { useSheet } from "@/shared/routing/sheet";
import type { Schema } from "@/shared/schema/schema";
import { Value } from "@/shared/schema/Value";
import { Button, classes, describeError, Icon, StateChip, type Tone } from "@/shared/ui";
import { fieldLabel } from "./values";

const STATES: Record<Proposal["status"], [string, Tone]> = {
  proposed: ["Waits for a decision", "accent"],
  applied: ["Applied", "positive"],
  undone: ["Taken back", "excluded"],
  declined: ["Dismissed", "excluded"],
  expired: ["Expired", "excluded"],
  stale: ["Out of date", "caution"],
};
const MINUTE = 60_000;

/** Where a proposal stands now: it expires, and goes stale with the record's next version. */
export function useStatus(proposal: Proposal): Proposal["status"] {
  const record = useRecord(proposal.kind, proposal.subjectId).data;
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, MINUTE);
    return () => clearInterval(timer);
  }, []);
  if (proposal.status !== "proposed") return proposal.status;
  if (new Date(proposal.expiresAt) <= new Date()) return "expired";
  return record && record.version > proposal.subjectVersion ? "stale" : "proposed";
}

/** A change that waits for a person: what it is, why, and the decision. */
export function ProposalCard({
  proposal,
  showsRecord,
  isCurrent,
}: {
  proposal: Proposal;
  /** Names the record, where the page is not about it. */
  showsRecord?: boolean;
  /** The one that the keyboard acts on. */
  isCurrent?: boolean;
}) {
  const kind = useKind(proposal.kind)?.kind;
  const status = useStatus(proposal);
  const [word, tone] = STATES[status];
  return (
    <section
      aria-label="Proposed change"
      className={classes(
        "rounded-ui border bg-raised",
        isCurrent ? "border-accent" : "border-line",
      )}
    >
      <header className="flex min-h-10 flex-wrap items-center justify-between gap-2 border-b border-line px-3 py-1.5">
        <h3 className="flex min-w-0 items-center gap-2 font-medium">
          <Icon name="edit" className="text-muted" />
          {showsRecord ? <RecordLink proposal={proposal} kind={kind} /> : "Proposed change"}
        </h3>
        <StateChip tone={tone}>{word}</StateChip>
      </header>
      <div className="flex flex-col gap-3 p-3">
        <Changes proposal={proposal} kind={kind} />
        <Why proposal={proposal} kind={kind} />
        <Decisions proposal={proposal} status={status} />
      </div>
    </section>
  );
}

function RecordLink({ proposal, kind }: { proposal: Proposal; kind: Kind | undefined }) {
  const record = useRecord(proposal.kind, proposal.subjectId).data;
  return (
    <Link
      to="/records/$kind/$id"
      params={{ kind: proposal.kind, id: proposal.subjectId }}
      className="truncate hover:underline"
    >
      {kind && record ? titleOf(kind, record) : (kind?.title ?? proposal.kind)}
    </Link>
  );
}

/** Before and after, field by field. */
function Changes({ proposal, kind }: { proposal: Proposal; kind: Kind | undefined }) {
  const record = useRecord(proposal.kind, proposal.subjectId).data;
  const changed = (side: "before" | "after") => ({
    ...record,
    ...Object.fromEntries(proposal.changes.map((each) => [each.field, each[side]])),
  });
  return (
    <dl className="flex flex-col gap-2">
      {proposal.changes.map(({ field, before, after }) => (
        <div key={field} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
          <dt className="min-w-24 text-table text-muted">
            {fieldLabel(kind, field, proposal.called)}
          </dt>
          <dd className="figures flex min-w-0 grow flex-wrap items-baseline gap-x-2">
            <del className="text-muted line-through decoration-1 wrap-anywhere">
              <span className="sr-only">from </span>
              <FieldValue
                field={field}
                value={before}
                record={changed("before")}
                words={proposal.inWords?.[field]?.before}
                kind={kind}
              />
            </del>
            <span aria-hidden="true" className="text-muted">
              →
            </span>
            <ins className="font-medium no-underline wrap-anywhere">
              <span className="sr-only">to </span>
              <FieldValue
                field={field}
                value={after}
                record={changed("after")}
                words={proposal.inWords?.[field]?.after}
                kind={kind}
              />
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A field's value as its record shows it; in the pack's own words where the JSON says little. */
function FieldValue({
  field,
  value,
  record,
  words,
  kind,
}: {
  field: string;
  value: unknown;
  /** The record with all values of this side, which may hold the unit. */
  record: Readonly<Record<string, unknown>>;
  words?: string;
  kind: Kind | undefined;
}) {
  if (words) return words;
  if (value === null || value === undefined || value === "") return "nothing";
  const root = (kind?.record ?? {}) as Schema;
  const about = kind?.fields.find((each) => each.name === field);
  const unit = about && unitIn(record, about);
  return <Value value={value} schema={root.properties?.[field]} root={root} unit={unit} />;
}

function Why({ proposal, kind }: { proposal: Proposal; kind: Kind | undefined }) {
  const { open } = useSheet();
  const flow = kind?.flows[0]?.id ?? "research";
  const { claims, evidence } = proposal;
  return (
    <div className="text-table">
      <p className="text-muted wrap-anywhere">{proposal.reason}</p>
      {claims.length + evidence.length > 0 && (
        <p className="mt-1 flex flex-wrap gap-x-3">
          {claims.map((path) => (
            <DoorButton
              key={path}
              label={`Why: ${inWords(path.split(".").at(-1) ?? path).toLowerCase()}`}
              onPress={() => open("claim", proposal.kind, proposal.subjectId, flow, path)}
            />
          ))}
          {evidence.map((id, index) => (
            <DoorButton
              key={id}
              label={`Evidence ${index + 1}`}
              onPress={() => open("evidence", proposal.kind, proposal.subjectId, id, "")}
            />
          ))}
        </p>
      )}
    </div>
  );
}

const DoorButton = ({ label, onPress }: { label: string; onPress: () => void }) => (
  <button
    type="button"
    onClick={onPress}
    className="min-h-8 touch-44 text-accent underline decoration-dotted underline-offset-4"
  >
    {label}
  </button>
);

function Decisions({ proposal, status }: { proposal: Proposal; status: Proposal["status"] }) {
  const mayWrite = useMayWrite();
  const isMine = useMe().data?.userId === proposal.userId;
  const decide = useDecide();
  const press = (decision: Decision) => () =>
    decide.mutate({ id: proposal.id, kind: proposal.kind, decision });
  const busy = (decision: Decision) => ({
    isPending: decide.isPending && decide.variables.decision === decision,
    isDisabled: decide.isPending && decide.variables.decision !== decision,
  });
  const isOpen = status === "proposed" || status === "stale";
  return (
    <>
      {decide.error && (
        <p role="alert" className="flex items-start gap-2 text-table text-negative">
          <Icon name="warning" className="mt-0.5" />
          {describeError(decide.error).detail}
        </p>
      )}
      {status === "stale" && (
        <p className="text-table text-caution">
          The record was changed after this was proposed. Ask again for a new proposal.
        </p>
      )}
      {mayWrite && isMine && isOpen && (
        <div className="flex flex-wrap items-center gap-2">
          {status === "proposed" && (
            <Button look="primary" icon="check" onPress={press("apply")} {...busy("apply")}>
              Apply
            </Button>
          )}
          <Button look="quiet" onPress={press("decline")} {...busy("decline")}>
            Dismiss
          </Button>
          {status === "proposed" && (
            <span className="text-small text-muted">
              expires <Time at={proposal.expiresAt} />
            </span>
          )}
        </div>
      )}
      {mayWrite && isMine && status === "applied" && (
        <div>
          <Button icon="history" onPress={press("undo")} {...busy("undo")}>
            Undo
          </Button>
        </div>
      )}
      {isOpen && !isMine && (
        <p className="text-table text-muted">Offered to somebody else, who decides.</p>
      )}
      {isOpen && isMine && !mayWrite && (
        <p className="text-table text-muted">Your role may read, and does not decide.</p>
      )}
    </>
  );
}
