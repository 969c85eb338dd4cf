import { Link } from "@tanstack/react-router";
import {
  type RunLine,
  useMayWrite,
  useOpenRuns,
  useWizards,
  type WizardOffered,
} from "@/shared/api";
import { day, Time } from "@/shared/format";
import { Button, buttonLook, EmptyState, ErrorState, Skeleton } from "@/shared/ui";
import { Card, PageHeader } from "@/shared/ui/Page";
import { useBegin } from "./begin";

/** Every wizard to begin, and one's own open runs to continue. */
export function WizardsPage() {
  const wizards = useWizards();
  const open = useOpenRuns((wizards.data ?? []).map((wizard) => wizard.id));
  const error = wizards.error ?? open.error;
  return (
    <>
      <PageHeader
        title="Forms"
        about="Guided forms that ask one thing at a time. Your answers are kept, so you can stop and continue later."
      />
      {error ? (
        <ErrorState
          error={error}
          retry={() => (wizards.error ? void wizards.refetch() : open.refetch())}
        />
      ) : !wizards.data ? (
        <div
          role="status"
          aria-label="Loading"
          className="grid max-w-[1200px] gap-4 lg:grid-cols-2"
        >
          <Skeleton className="h-40" />
          <Skeleton className="h-40" />
        </div>
      ) : wizards.data.length === 0 ? (
        <EmptyState icon="wizard" title="No installed pack has a form">
          A pack brings its forms: see “Wizards” in the documentation.
        </EmptyState>
      ) : (
        <ul className="grid max-w-[1200px] items-start gap-4 lg:grid-cols-2">
          {wizards.data.map((wizard) => (
            <li key={wizard.id}>
              <WizardCard
                wizard={wizard}
                runs={open.runs.filter((run) => run.definition.id === wizard.id)}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function WizardCard({ wizard, runs }: { wizard: WizardOffered; runs: RunLine[] }) {
  const { begin, isPending } = useBegin();
  const mayWrite = useMayWrite();
  return (
    <Card
      title={wizard.title}
      actions={
        mayWrite && (
          <Button
            look={runs.length ? "plain" : "primary"}
            isPending={isPending}
            aria-label={`${runs.length ? "Start another" : "Start"}: ${wizard.title}`}
            onPress={() => begin(wizard.id)}
          >
            {runs.length ? "Start another" : "Start"}
          </Button>
        )
      }
    >
      <p className="max-w-[72ch] text-muted">{wizard.description}</p>
      {!mayWrite && (
        <p className="mt-2 text-muted">
          You can read here, not change. Ask an owner to make you a member.
        </p>
      )}
      {runs.length > 0 && (
        <>
          <h3 className="mt-4 text-table font-medium">Not finished yet</h3>
          <ul className="mt-1">
            {runs.map((run) => (
              <OpenRun key={run.wizardRunId} wizard={wizard} run={run} />
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function OpenRun({ wizard, run }: { wizard: WizardOffered; run: RunLine }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line py-2 first:border-t-0">
      <div className="min-w-0">
        <p>
          {run.revision === 0
            ? "Nothing answered"
            : run.revision === 1
              ? "1 answer"
              : `${run.revision} answers`}
          {run.chatSessionId && ", in a conversation"}
        </p>
        <p className="text-small text-muted">
          Last changed <Time at={run.updatedAt} />; can be answered until {day(run.expiresAt)}
        </p>
      </div>
      <Link
        to="/wizards/$wizard/$run"
        params={{ wizard: wizard.id, run: run.wizardRunId }}
        className={buttonLook("primary")}
        aria-label={`Continue: ${wizard.title}`}
      >
        Continue
      </Link>
    </li>
  );
}
