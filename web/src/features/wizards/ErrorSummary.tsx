import { useEffect, useId, useRef } from "react";
import type { StepPayload } from "@/shared/api";
import { Icon } from "@/shared/ui";
import { usePlace } from "./place";

/** What keeps an answer from being taken, above the question; it takes the focus. */
export function ErrorSummary({ payload }: { payload: StepPayload }) {
  const { errors, ui } = payload;
  const { prefix, takesFocus } = usePlace();
  const title = useId();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (errors.length && takesFocus()) box.current?.focus();
    // Whenever there are other errors.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [errors]);
  if (!errors.length) return null;
  const labels = new Map(ui.fields.map((field) => [field.name, field.label]));
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="group"
      aria-labelledby={title}
      className="mb-6 rounded-ui border border-negative bg-negative-soft px-4 py-3"
    >
      <h2 id={title} className="flex items-center gap-2 font-semibold text-negative">
        <Icon name="warning" />
        {errors.length === 1 ? "One answer needs a change" : "Some answers need a change"}
      </h2>
      <ul className="mt-1 flex flex-col gap-1">
        {errors.map((error) => {
          const label = error.field ? labels.get(error.field) : undefined;
          return (
            <li key={`${error.field}:${error.message}`}>
              {label ? (
                <a
                  href={`#${prefix}-${error.field}`}
                  className="text-negative underline underline-offset-2"
                  onClick={(event) => {
                    event.preventDefault();
                    focusField(`${prefix}-${error.field!}`);
                  }}
                >
                  {label}: {error.message}
                </a>
              ) : (
                <span className="text-negative">{error.message}</span>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function focusField(id: string): void {
  const place = document.getElementById(id);
  const controls = place?.querySelectorAll<HTMLElement>("input, textarea, button");
  const chosen = place?.querySelector<HTMLElement>("input:checked");
  (chosen ?? controls?.[0])?.focus();
  place?.scrollIntoView({ block: "nearest" });
}
