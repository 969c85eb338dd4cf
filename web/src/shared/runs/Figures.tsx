import type { ReactNode } from "react";

/** Figures side by side, each with a line below. */
export function Figures({ children }: { children: ReactNode }) {
  return (
    <dl className="flex flex-wrap gap-px overflow-hidden rounded-ui border border-line bg-line">
      {children}
    </dl>
  );
}

export function Figure({
  name,
  below,
  children,
}: {
  name: string;
  below?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="grow basis-36 bg-raised px-4 py-3">
      <dt className="text-small text-muted">{name}</dt>
      <dd className="figures font-medium">
        {children}
        <span className="block min-h-4 truncate text-small font-normal text-muted">{below}</span>
      </dd>
    </div>
  );
}
