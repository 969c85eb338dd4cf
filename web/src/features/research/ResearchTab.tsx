import { useNavigate, useSearch } from "@tanstack/react-router";
import { type Kind, useMayWrite } from "@/shared/api";
import {
  useDossier,
  useForgetResearch,
  useJob,
  useLatestJob,
  useNoticeQuickRun,
  useStartResearch,
} from "@/shared/api/research";
import { hasEnded } from "@/shared/events/run";
import type { RecordTabProps } from "@/shared/feature/feature";
import { inWords } from "@/shared/format";
import { Button, EmptyState, ErrorState, Select, SkeletonLines, toastError } from "@/shared/ui";
import { ChoicesPanel } from "./ChoicesPanel";
import { DossierView } from "./DossierView";
import { EvidenceList } from "./EvidenceList";
import { Progress } from "./Progress";
import { StartAgain } from "./StartAgain";

/** Conclusion first, then why, then how. */
export function ResearchTab({ pack, kind, record }: RecordTabProps) {
  const [flow, choose] = useFlow(kind);
  const about = kind.flows.find((each) => each.id === flow);
  const dossier = useDossier(kind.kind, record.id, flow);
  const jobId = useLatestJob(kind.kind, record.id, flow);
  const job = useJob(kind.kind, record.id, jobId.data ?? undefined);
  const start = useStartResearch(kind.kind);
  const mayWrite = useMayWrite();
  const forget = useForgetResearch(kind.kind, record.id);
  useNoticeQuickRun(job.data, forget);
  const isRunning = job.data !== undefined && !hasEnded(job.data.status);
  const isCancelledLast = job.data?.status === "cancelled" && !dossier.data;
  const begin = (runType?: string) =>
    start.mutate(
      { id: record.id, type: flow, interactive: true, runType },
      { onError: toastError },
    );

  return (
    <div className="flex flex-col gap-6">
      {kind.flows.length > 1 && (
        <div className="w-56">
          <Select
            label="Kind of research"
            isCompact
            value={flow}
            onChange={choose}
            options={kind.flows.map((each) => ({ value: each.id, label: inWords(each.id) }))}
          />
        </div>
      )}
      {jobId.data && job.data && (isRunning || job.data.status === "error" || isCancelledLast) && (
        <Progress
          // A run that failed and was resumed is followed anew.
          key={`${jobId.data}/${isRunning}`}
          kind={kind}
          id={record.id}
          jobId={jobId.data}
          flow={flow}
          isCompact={Boolean(dossier.data)}
          onEnd={forget}
        />
      )}
      {dossier.error ? (
        <ErrorState error={dossier.error} retry={() => void dossier.refetch()} />
      ) : dossier.isPending ? (
        <SkeletonLines lines={6} />
      ) : dossier.data ? (
        <>
          <DossierView
            pack={pack}
            kind={kind}
            record={record}
            dossier={dossier.data}
            schema={about?.dossier ?? undefined}
            refresh={
              mayWrite && !isRunning ? (
                <StartAgain
                  types={about?.types ?? []}
                  onStart={begin}
                  isPending={start.isPending}
                />
              ) : undefined
            }
            evidence={<EvidenceList kind={kind.kind} record={record} flow={flow} />}
            onAgain={mayWrite && !isRunning ? () => begin() : undefined}
          />
          <ChoicesPanel kind={kind.kind} record={record} dossier={dossier.data} />
        </>
      ) : (
        // A failed run stands above with what goes on from it.
        !isRunning &&
        job.data?.status !== "error" && (
          <EmptyState
            icon="research"
            title="Not researched yet"
            action={
              mayWrite && (
                <Button
                  look="primary"
                  icon="research"
                  onPress={() => begin()}
                  isPending={start.isPending}
                >
                  Start research
                </Button>
              )
            }
          >
            {mayWrite
              ? "Research gathers evidence, concludes what it can, and says what it cannot know."
              : "Somebody with the right to change records can start it."}
          </EmptyState>
        )
      )}
    </div>
  );
}

/** The kind of research that the address names, or the one that people mean by the word. */
function useFlow(kind: Kind): [string, (flow: string) => void] {
  const { flow } = useSearch({ strict: false }) as { flow?: string };
  const navigate = useNavigate();
  const known = (id?: string) => kind.flows.find((each) => each.id === id)?.id;
  const choose = (next: string) =>
    void navigate({
      to: ".",
      search: (old: object) => ({ ...old, flow: next }),
      replace: true,
      resetScroll: false,
    });
  return [known(flow) ?? known("research") ?? kind.flows[0]?.id ?? "", choose];
}
