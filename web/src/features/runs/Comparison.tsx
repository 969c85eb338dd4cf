import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ClaimDifference } from "@/shared/api";
import { type RunDetail, useDifference } from "@/shared/api/runs";
import { claimInWords } from "@/shared/claims/claims";
import { duration, number } from "@/shared/format";
import { Value } from "@/shared/schema/Value";
import { ErrorState, Notice, SkeletonLines, StateChip } from "@/shared/ui";
import { HEAD } from "@/shared/runs/WorkTable";
import { dollars } from "./cells";

/** The shadow's conclusions beside those that are shown, claim by claim. */
export function Comparison({ run }: { run: RunDetail }) {
  const difference = useDifference(run.kind, run.subjectId, run.type, run.canCompare);
  if (difference.error)
    return <ErrorState error={difference.error} retry={() => void difference.refetch()} />;
  if (!difference.data) return <SkeletonLines lines={6} />;
  const { base, other, claims, agreeing, differences } = difference.data;
  const isOne = base.jobId === run.id || other.jobId === run.id;
  return (
    <div className="flex flex-col gap-4">
      {!isOne && (
        <Notice>
          Newer runs have made the dossiers that are compared here; this run is neither of them.
        </Notice>
      )}
      <p className="text-read">
        {agreeing === claims
          ? `All ${number(claims)} claims agree.`
          : `${number(agreeing)} of ${number(claims)} claims agree.`}
      </p>
      <div className="overflow-x-auto rounded-ui border border-line bg-raised">
        <table className="w-full border-collapse text-table">
          <thead className="bg-sunken text-left text-muted">
            <tr className="h-9 border-b border-line">
              <th className={HEAD}>Claim</th>
              <th className={HEAD}>Shown · version {base.flowVersion}</th>
              <th className={HEAD}>Shadow · version {other.flowVersion}</th>
              <th className={HEAD}>Differs in</th>
            </tr>
          </thead>
          <tbody>
            <tr className="border-b border-line align-top">
              <th scope="row" className="px-3 py-2 text-left font-normal text-muted">
                The run
              </th>
              {[base, other].map((side) => (
                <td key={side.jobId} className="figures px-3 py-2">
                  <Link
                    to="/runs/$run"
                    params={{ run: side.jobId }}
                    className="text-accent hover:underline"
                  >
                    {side.jobId === run.id ? "This run" : "Open the run"}
                  </Link>
                  <span className="block text-muted">
                    {duration(side.spent.seconds * 1000)} · {number(side.spent.calls)} calls · $
                    {dollars(side.spent.usd)}
                  </span>
                </td>
              ))}
              <td className="px-3 py-2 text-muted">
                {base.isPartial !== other.isPartial && "one is partial"}
              </td>
            </tr>
            {differences.map((each) => (
              <Row key={each.path} claim={each} />
            ))}
          </tbody>
        </table>
      </div>
      {differences.length === 0 && (
        <p className="text-muted">Value, verdict, confidence, method and evidence are the same.</p>
      )}
    </div>
  );
}

function Row({ claim }: { claim: ClaimDifference }) {
  return (
    <tr className="border-b border-line align-top last:border-0">
      <th scope="row" className="px-3 py-2 text-left font-medium wrap-anywhere">
        {claimInWords(claim.path)}
      </th>
      <td className="px-3 py-2">
        <Side side={claim.base} />
      </td>
      <td className="px-3 py-2">
        <Side side={claim.other} />
      </td>
      <td className="px-3 py-2">
        <span className="flex flex-wrap gap-1">
          {claim.onlyIn ? (
            <StateChip tone="caution">
              {claim.onlyIn === "base" ? "only in what is shown" : "only in the shadow"}
            </StateChip>
          ) : (
            claim.differsIn.map((aspect) => (
              <StateChip
                key={aspect}
                tone={aspect === "value" || aspect === "verdict" ? "caution" : "neutral"}
              >
                {aspect}
              </StateChip>
            ))
          )}
        </span>
        {(claim.evidenceAdded.length > 0 || claim.evidenceRemoved.length > 0) && (
          <span className="figures mt-1 block text-small text-muted">
            evidence: {claim.evidenceAdded.length} more, {claim.evidenceRemoved.length} fewer
          </span>
        )}
      </td>
    </tr>
  );
}

function Side({ side }: { side: ClaimDifference["base"] }): ReactNode {
  if (!side) return <span className="text-muted">—</span>;
  return (
    <>
      <span className="block wrap-anywhere">{side.statement}</span>
      {typeof side.value !== "object" && (
        <span className="figures block font-medium">
          <Value value={side.value} />
        </span>
      )}
      <span className="figures block text-small text-muted">
        confidence {side.confidence.toFixed(2)} · {side.verdict} · {side.method}
      </span>
    </>
  );
}
