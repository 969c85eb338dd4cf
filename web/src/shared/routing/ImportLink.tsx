import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { buttonLook } from "@/shared/ui";

/** Leads to the import of a file by this importer, in the look of a button. */
export function ImportLink({ importer, children }: { importer: string; children: ReactNode }) {
  return (
    <Link to="/imports" search={{ of: importer }} className={buttonLook()}>
      {children}
    </Link>
  );
}
