import { Link } from "@tanstack/react-router";
import { createContext, type ReactNode, useContext } from "react";

/** Where a form stands: on a page of its own, whose address names the step, or in a conversation. */
export interface Place {
  isPage: boolean;
  /** Shows a step of the form; without one, the step where it is. */
  goTo: (step: string | undefined) => void;
  /** Goes before ids of the document, where a page and a conversation may show the same form. */
  prefix: string;
  /** Whether a question that comes now takes the focus: not while somebody writes elsewhere. */
  takesFocus: () => boolean;
}

const ON_PAGE = { isPage: true, prefix: "field", takesFocus: () => true };
const Context = createContext<Place>({ ...ON_PAGE, goTo: () => {} });

/** A form on a page of its own. */
export const onPage = (goTo: Place["goTo"]): Place => ({ ...ON_PAGE, goTo });

export const PlaceProvider = Context.Provider;
export const usePlace = (): Place => useContext(Context);

/** Goes to a step of the form. */
export function StepLink({
  step,
  className,
  label,
  children,
}: {
  step: string | undefined;
  className: string;
  label?: string;
  children: ReactNode;
}) {
  const { isPage, goTo } = usePlace();
  if (isPage)
    return (
      <Link to="." search={step ? { step } : {}} className={className} aria-label={label}>
        {children}
      </Link>
    );
  return (
    <button type="button" onClick={() => goTo(step)} className={className} aria-label={label}>
      {children}
    </button>
  );
}
