import { useDossier } from "@/shared/api/research";
import { Confidence } from "@/shared/claims/ClaimDoor";
import { methodInWords } from "@/shared/claims/claims";
import { useEvidenceItem } from "@/shared/api/research";
import { inWords, Time } from "@/shared/format";
import { useSheet } from "@/shared/routing/sheet";
import { figure, Value } from "@/shared/schema/Value";
import { EmptyState, ErrorState, Icon, Notice, SkeletonLines, StateChip } from "@/shared/ui";

/** Why this: the claim, how it was concluded, and what it rests on. */
export function ClaimSheet({ args }: { args: string[] }) {
  const [kind = "", id = "", flow = "", path = ""] = args;
  const dossier = useDossier(kind, id, flow);
  if (dossier.error)
    return <ErrorState error={dossier.error} retry={() => void dossier.refetch()} />;
  if (dossier.isPending) return <SkeletonLines lines={6} />;
  const claim = dossier.data?.claims.find((each) => each.path === path);
  if (!claim)
    return (
      <EmptyState title="This is no longer concluded">
        Newer research came to other conclusions. The history has the earlier ones.
      </EmptyState>
    );
  return (
    <div className="flex flex-col gap-5">
      <div>
        <p className="text-read font-medium wrap-anywhere">{claim.statement}</p>
        <div className="mt-2 flex flex-wrap items-center gap-3">
          <StateChip tone={claim.verdict === "supported" ? "positive" : "caution"}>
            {claim.verdict === "supported" ? "Supported" : "Unsupported"}
          </StateChip>
          <Confidence value={claim.confidence} />
        </div>
      </div>
      {claim.note && (
        <Notice tone={claim.verdict === "supported" ? "info" : "caution"}>{claim.note}</Notice>
      )}
      <section>
        <h3 className="mb-1 text-small font-medium text-muted">How it was concluded</h3>
        <p>{methodInWords(claim.method)}</p>
        <code className="font-mono text-small text-muted">{claim.method}</code>
      </section>
      <section>
        <h3 className="mb-1 text-small font-medium text-muted">Value</h3>
        <p>
          <Value value={claim.value} />
        </p>
      </section>
      <section>
        <h3 className="mb-2 text-small font-medium text-muted">
          Evidence ({claim.evidence.length})
        </h3>
        {claim.evidence.length === 0 ? (
          <p className="text-muted">It cites none.</p>
        ) : (
          <ul className="flex flex-col gap-2">
            {claim.evidence.map((cite, index) => (
              <li key={index}>
                <CitedEvidence
                  kind={kind}
                  id={id}
                  evidenceId={cite.evidenceId}
                  quote={cite.quote}
                />
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

function CitedEvidence({
  kind,
  id,
  evidenceId,
  quote,
}: {
  kind: string;
  id: string;
  evidenceId: string;
  quote: string | null;
}) {
  const evidence = useEvidenceItem(kind, id, evidenceId);
  const { push } = useSheet();
  return (
    <button
      type="button"
      onClick={() => push("evidence", kind, id, evidenceId, quote ?? "")}
      className="flex w-full items-start gap-2 rounded-ui border border-line bg-surface p-3 text-left hover:bg-hover"
    >
      <Icon name="quote" className="mt-0.5 text-muted" />
      <span className="min-w-0 grow">
        <span className="flex items-baseline justify-between gap-3">
          <span className="truncate font-medium">{evidence.data?.title || "Evidence"}</span>
          {evidence.data?.price != null && (
            <span className="figures shrink-0 font-medium">
              {figure(evidence.data.price, evidence.data.currency)}
            </span>
          )}
        </span>
        {evidence.data && (
          <span className="block text-table text-muted">
            {inWords(evidence.data.type)} · {inWords(evidence.data.source)}
            {(evidence.data.soldAt ?? evidence.data.observedAt) && (
              <>
                {" · "}
                <Time at={evidence.data.soldAt ?? evidence.data.observedAt} />
              </>
            )}
          </span>
        )}
        {quote && <q className="mt-1 block text-table wrap-anywhere">{quote}</q>}
      </span>
      <Icon name="right" className="mt-0.5 text-muted" />
    </button>
  );
}
