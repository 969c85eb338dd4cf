import type { ReactNode } from "react";
import { useIsOwner, useMe } from "@/shared/api";
import { EmptyState, SkeletonLines } from "@/shared/ui";
import { useTitle } from "@/shared/ui/Page";

/** A page for owners; everybody else reads who may open it. */
export function OwnersOnly({ title, children }: { title: string; children: ReactNode }) {
  const me = useMe().data;
  const isOwner = useIsOwner();
  useTitle(title);
  if (!me) return <SkeletonLines lines={6} />;
  if (isOwner) return children;
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      <EmptyState icon="person" title="For owners only">
        {title} can be seen and changed by owners of {me.organization}. You are a {me.role}; ask an
        owner if you need it.
      </EmptyState>
    </>
  );
}
