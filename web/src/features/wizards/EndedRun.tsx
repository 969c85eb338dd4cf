import { Link } from "@tanstack/react-router";
import { type StepPayload, useMayWrite } from "@/shared/api";
import { Button, buttonLook, EmptyState } from "@/shared/ui";
import { useTitle } from "@/shared/ui/Page";
import { useBegin } from "./begin";
import { CancelRun } from "./CancelRun";
import { Answers } from "./Review";

/** A run that was cancelled, has expired, or whose form is gone: why, its answers, and a new start. */
export function EndedRun({ run }: { run: StepPayload }) {
  const { title, text } = ended(run);
  const { begin, isPending } = useBegin();
  const mayWrite = useMayWrite();
  useTitle(title);
  return (
    <div className="mx-auto max-w-[660px]">
      <EmptyState
        icon="wizard"
        title={title}
        action={
          <>
            {mayWrite && (
              <Button
                look="primary"
                isPending={isPending}
                onPress={() => begin(run.definition.id, run.ui.record?.id)}
              >
                Start again
              </Button>
            )}
            <Link to="/wizards" className={buttonLook()}>
              All forms
            </Link>
            {run.nav.cancel && mayWrite && <CancelRun payload={run} />}
          </>
        }
      >
        {text}
      </EmptyState>
      {run.summary.length > 0 && (
        <>
          <h2 className="text-read font-semibold">What was answered</h2>
          <Answers lines={run.summary} />
        </>
      )}
    </div>
  );
}

const TITLES: Record<string, string> = {
  cancelled: "This form was cancelled",
  expired: "This form has expired",
  withdrawn: "This form has changed",
};

function ended(run: StepPayload): { title: string; text: string } {
  const { status, reason } = run.progress;
  return {
    title: TITLES[status] ?? "This form has ended",
    text: reason ?? "Nothing was written.",
  };
}
