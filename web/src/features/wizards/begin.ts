import { useNavigate } from "@tanstack/react-router";
import { useBeginWizard } from "@/shared/api";
import { toastError } from "@/shared/ui";

/** Begins a wizard and goes to its first step. */
export function useBegin() {
  const { mutate, isPending } = useBeginWizard();
  const navigate = useNavigate();
  return {
    isPending,
    begin: (id: string, subjectId?: string) =>
      mutate(
        { id, subjectId },
        {
          onSuccess: (payload) =>
            void navigate({
              to: "/wizards/$wizard/$run",
              params: { wizard: id, run: payload.wizardRunId },
            }),
          onError: toastError,
        },
      ),
  };
}
