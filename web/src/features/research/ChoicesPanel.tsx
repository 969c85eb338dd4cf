import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type RecordData, useKind, useMayWrite } from "@/shared/api";
import { useChooseEvidence, useChoicesPreview } from "@/shared/api/evidenceChoices";
import { useDecide } from "@/shared/api/proposals";
import { type Dossier, useEvidenceItem } from "@/shared/api/research";
import type { ChoicesPreview } from "@/shared/api/schema";
import { number } from "@/shared/format";
import { useChoices } from "@/shared/routing/choices";
import { figure } from "@/shared/schema/Value";
import {
  Button,
  classes,
  describeError,
  Field,
  RemovableChip,
  Skeleton,
  toast,
  toastError,
} from "@/shared/ui";

type Figure = ChoicesPreview["figures"][number];

/** The conclusions as they would be with other evidence, beside today's, until somebody decides. */
export function ChoicesPanel({
  kind,
  record,
  dossier,
}: {
  kind: string;
  record: RecordData;
  dossier: Dossier;
}) {
  const { choices, clear } = useChoices(kind, record.id);
  const isOffered = Boolean(useKind(kind)?.kind.evidenceChoices);
  const mayWrite = useMayWrite();
  if (!choices.size || !isOffered || !mayWrite) return null;
  return <Panel kind={kind} record={record} dossier={dossier} onClear={clear} />;
}

function Panel({
  kind,
  record,
  dossier,
  onClear,
}: {
  kind: string;
  record: RecordData;
  dossier: Dossier;
  onClear: () => void;
}) {
  // What the person looked at when they began: newer research is to refuse, not to replace it.
  const [dossierId] = useState(dossier.id);
  const about = { kind, id: record.id, dossierId, version: record.version };
  const { choices, forget } = useChoices(kind, record.id);
  const preview = useChoicesPreview(about, choices);
  const apply = useChooseEvidence(about);
  const undo = useDecide();
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const refusal = apply.error ?? preview.error;
  const confirm = () =>
    apply.mutate(
      { choices, reason: reason.trim() },
      {
        onSuccess: (applied) => {
          onClear();
          toast("Applied. The figures are computed again.", {
            label: "Undo",
            run: () =>
              undo.mutate(
                { id: applied.proposalId, kind, decision: "undo" },
                { onSuccess: () => toast("Undone"), onError: toastError },
              ),
          });
        },
      },
    );
  return (
    <section
      aria-label="Before you apply"
      className="sticky bottom-4 z-10 rounded-ui border border-accent bg-raised shadow-over"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-4 py-2">
        <h3 className="font-semibold">If you</h3>
        {[...choices].map(([evidenceId, included]) => (
          <Choice
            key={evidenceId}
            kind={kind}
            id={record.id}
            evidenceId={evidenceId}
            included={included}
            onForget={() => forget(evidenceId)}
          />
        ))}
      </div>
      <div className="flex flex-col gap-3 p-4 py-3">
        {refusal ? (
          <div role="alert" className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-negative">{describeError(refusal).detail}</p>
            <Button
              icon="refresh"
              onPress={() => {
                onClear();
                void queries.invalidateQueries({ queryKey: ["records", kind] });
              }}
            >
              Show the newest
            </Button>
          </div>
        ) : preview.data ? (
          <>
            <dl
              aria-live="polite"
              className={classes(
                "grid grid-cols-2 gap-x-6 gap-y-2 sm:flex sm:flex-wrap sm:gap-x-8",
                preview.isPlaceholderData && "opacity-60",
              )}
            >
              {preview.data.figures.map((each) => (
                <Change key={each.path} change={each} />
              ))}
            </dl>
            {preview.data.figures.every((each) => each.after === null) && (
              <p className="max-w-[72ch] text-caution">{preview.data.summary}</p>
            )}
          </>
        ) : (
          <Skeleton className="h-11 w-full max-w-lg" />
        )}
        {!refusal && (
          <div className="flex flex-wrap items-end gap-2">
            <div className="min-w-0 grow basis-60">
              <Field
                label="Why (optional)"
                value={reason}
                onChange={setReason}
                placeholder="a pack of two, another edition, …"
              />
            </div>
            <Button
              look="primary"
              icon="check"
              onPress={confirm}
              isPending={apply.isPending}
              isDisabled={!preview.data || preview.isPlaceholderData}
            >
              Apply
            </Button>
            <Button look="quiet" onPress={onClear}>
              Cancel
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

function Choice({
  kind,
  id,
  evidenceId,
  included,
  onForget,
}: {
  kind: string;
  id: string;
  evidenceId: string;
  included: boolean;
  onForget: () => void;
}) {
  const evidence = useEvidenceItem(kind, id, evidenceId).data;
  const title = evidence?.title || "this evidence";
  return (
    <RemovableChip label={`the choice about ${title}`} onRemove={onForget}>
      <span className="text-muted">{included ? "include" : "exclude"}</span> <bdi>{title}</bdi>
    </RemovableChip>
  );
}

function Change({ change }: { change: Figure }) {
  const { before, after, unit, confidenceBefore, confidenceAfter } = change;
  const isMoney = /^[A-Z]{3}$/.test(unit);
  const write = (value: number | null) =>
    value === null ? "none" : isMoney ? figure(value, unit) : number(value);
  const isSame = before === after;
  return (
    <div>
      <dt className="text-small text-muted">{change.label}</dt>
      <dd className="figures flex items-baseline gap-1.5">
        <span className={isSame ? "font-medium" : "text-muted"}>
          <span className="sr-only">now </span>
          {write(before)}
        </span>
        {!isSame && (
          <>
            <span aria-hidden="true" className="text-muted">
              →
            </span>
            <span className="text-read font-semibold">
              <span className="sr-only">then </span>
              {write(after)}
            </span>
            {isMoney && <Difference before={before} after={after} />}
          </>
        )}
      </dd>
      {confidenceBefore !== null && confidenceAfter !== null && (
        <dd className="figures text-small text-muted">
          confidence {number(confidenceBefore, 2)}
          {confidenceBefore.toFixed(2) !== confidenceAfter.toFixed(2) &&
            ` → ${number(confidenceAfter, 2)}`}
        </dd>
      )}
    </div>
  );
}

function Difference({ before, after }: { before: number | null; after: number | null }) {
  if (before === null || after === null || before === 0) return null;
  const share = (after - before) / before;
  if (Math.abs(share) < 0.0005) return null;
  return (
    <span className="text-small text-muted">
      {share > 0 ? "+" : "−"}
      {number(Math.abs(share) * 100, 1)} %
    </span>
  );
}
