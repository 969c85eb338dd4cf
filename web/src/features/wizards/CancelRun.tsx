import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type StepPayload, useCancelWizard } from "@/shared/api";
import { Button, Dialog, toast, toastError } from "@/shared/ui";
import { usePlace } from "./place";

/** Ends the run without an outcome, after a question. */
export function CancelRun({ payload, className }: { payload: StepPayload; className?: string }) {
  const [isAsking, ask] = useState(false);
  const cancel = useCancelWizard(payload.definition.id, payload.wizardRunId);
  const navigate = useNavigate();
  const { isPage } = usePlace();
  return (
    <>
      <Button look="quiet" className={`h-9 ${className ?? ""}`} onPress={() => ask(true)}>
        Cancel this form
      </Button>
      <Dialog title="Cancel this form?" isOpen={isAsking} onClose={() => ask(false)}>
        <p>
          Nothing is written, and your answers can no longer be continued. To stop for now, just
          leave the page: your answers are kept.
        </p>
        <div className="mt-4 flex flex-wrap gap-2">
          <Button
            look="danger"
            isPending={cancel.isPending}
            onPress={() =>
              cancel.mutate(undefined, {
                onSuccess: () => {
                  toast("The form was cancelled.");
                  ask(false);
                  if (isPage) void navigate({ to: "/wizards" });
                },
                onError: toastError,
              })
            }
          >
            Cancel the form
          </Button>
          <Button look="quiet" onPress={() => ask(false)}>
            Keep answering
          </Button>
        </div>
      </Dialog>
    </>
  );
}
