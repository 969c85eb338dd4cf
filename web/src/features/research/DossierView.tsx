import type { ReactNode } from "react";
import type { Dossier } from "@/shared/api/research";
import { ClaimDoor, DossierProvider } from "@/shared/claims/ClaimDoor";
import type { RecordTabProps } from "@/shared/feature/feature";
import { Time } from "@/shared/format";
import { packUi } from "@/shared/packs/registry";
import type { Schema } from "@/shared/schema/schema";
import { Button, Notice } from "@/shared/ui";
import { DossierBody } from "./blocks";

/** A dossier: its summary with its age, what to know about it, and its body. */
export function DossierView({
  dossier,
  schema,
  refresh,
  onAgain,
  evidence,
  ...about
}: RecordTabProps & {
  dossier: Dossier;
  schema?: Schema;
  refresh?: ReactNode;
  evidence: ReactNode;
  /** Researches again; absent where that is not possible now. */
  onAgain?: () => void;
}) {
  const { pack, kind, record } = about;
  const hasChanged =
    dossier.recordChanged ||
    (dossier.subjectVersion !== null && record.version > dossier.subjectVersion);
  const staleAfter = kind.chat?.staleAfterDays;
  const isStale = staleAfter != null && ageInDays(dossier) > staleAfter;
  // A notice that calls for new research carries the button for it.
  const isCalled = isStale || hasChanged;
  const Conclusion = packUi(pack.id).conclusions?.[`${kind.kind}/${dossier.type}`];
  return (
    <DossierProvider kind={kind.kind} id={record.id} dossier={dossier}>
      <article className="flex max-w-[1200px] flex-col gap-5">
        <header className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0 grow basis-96">
            <p className="max-w-[72ch] text-read font-medium">
              <Summary dossier={dossier} />
            </p>
            <p className="mt-1 text-table text-muted">
              Concluded <Time at={dossier.createdAt} />
              {dossier.subjectVersion !== null &&
                ` from version ${dossier.subjectVersion} of the record`}
            </p>
          </div>
          {!isCalled && refresh}
        </header>
        {isStale && !hasChanged && (
          <Notice tone="caution" action={refresh}>
            This research is from <Time at={dossier.createdAt} />, and counts as out of date after{" "}
            {Math.round(staleAfter ?? 0)} days.
          </Notice>
        )}
        {hasChanged && (
          <Notice tone="caution" action={refresh}>
            The record changed after this research. What is concluded here describes it as it was.
          </Notice>
        )}
        {dossier.isPartial && (
          <Notice tone="caution" action={onAgain && <RetryButton onPress={onAgain} />}>
            This research is incomplete.
            {dossier.notDone.length > 0 && (
              <ul className="list-disc pl-4">
                {dossier.notDone.map((each) => (
                  <li key={each}>{each}</li>
                ))}
              </ul>
            )}
          </Notice>
        )}
        {dossier.fallback && (
          <Notice>
            The candidate version failed, so version {dossier.fallback.primary} concluded this:{" "}
            {dossier.fallback.reason}
          </Notice>
        )}
        {dossier.notices.map((notice) => (
          <Notice key={notice}>{notice}</Notice>
        ))}
        {Conclusion ? (
          <Conclusion {...about} dossier={dossier} evidence={evidence} />
        ) : (
          <>
            <DossierBody body={dossier.body} schema={schema ?? {}} />
            {evidence}
          </>
        )}
      </article>
    </DossierProvider>
  );
}

const DAY_MS = 86_400_000;

/** How long ago sources were asked: a dossier computed again is as old as its evidence. */
function ageInDays(dossier: Dossier): number {
  const asOf = dossier.body["asOf"];
  const at = typeof asOf === "string" ? asOf : dossier.createdAt;
  return (Date.now() - new Date(at).getTime()) / DAY_MS;
}

const RetryButton = ({ onPress }: { onPress: () => void }) => (
  <Button icon="refresh" onPress={onPress}>
    Try again
  </Button>
);

/** The summary; a door where one claim says the same. */
function Summary({ dossier }: { dossier: Dossier }) {
  const claim = dossier.claims.find((each) => each.statement === dossier.summary);
  return <ClaimDoor claim={claim}>{dossier.summary || "Nothing could be concluded."}</ClaimDoor>;
}
