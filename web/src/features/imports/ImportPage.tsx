import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useKind } from "@/shared/api";
import { ApiError } from "@/shared/api/errors";
import { type StoredImport, useImport, useImporters } from "@/shared/api/imports";
import { Time } from "@/shared/format";
import { EmptyState, ErrorState, Skeleton, SkeletonLines, StateChip } from "@/shared/ui";
import { PageHeader } from "@/shared/ui/Page";
import { Draft } from "./Draft";
import { Report } from "./Report";
import { bytes, stateOf } from "./words";

const route = getRouteApi("/shell/imports/$id");

/** One import: what it would do, how far it is, or what it did. */
export function ImportPage() {
  const { id } = route.useParams();
  const stored = useImport(id);
  if (stored.error && !stored.data) {
    const isGone = stored.error instanceof ApiError && stored.error.problem.status === 404;
    if (isGone)
      return (
        <EmptyState
          icon="import"
          title="There is no such import"
          action={
            <Link to="/imports" className="text-accent underline">
              All imports
            </Link>
          }
        >
          It may have been discarded, or belong to another organization.
        </EmptyState>
      );
    return <ErrorState error={stored.error} retry={() => void stored.refetch()} />;
  }
  if (!stored.data)
    return (
      <div className="max-w-[1200px]">
        <Skeleton className="mb-6 h-12 w-80 max-w-full" />
        <SkeletonLines lines={9} />
      </div>
    );
  return (
    <div className="max-w-[1200px]">
      {stored.data.status === "draft" ? (
        <Draft stored={stored.data} />
      ) : (
        <Report stored={stored.data} />
      )}
    </div>
  );
}

/** The head of an import's page. */
export function ImportHeader({ stored, actions }: { stored: StoredImport; actions?: ReactNode }) {
  const importer = useImporters()?.find((each) => each.name === stored.name);
  const kind = useKind(importer?.kind ?? "")?.kind;
  const { word, tone } = stateOf(stored);
  return (
    <PageHeader
      title={stored.filename}
      about={
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <StateChip tone={tone}>{word}</StateChip>
          {stored.isSample && <StateChip tone="excluded">Sample</StateChip>}
          <span>
            {kind ? (
              <Link
                to="/records/$kind"
                params={{ kind: kind.kind }}
                className="text-accent underline"
              >
                {importer?.label}
              </Link>
            ) : (
              (importer?.label ?? stored.name)
            )}
            {" · "}
            {bytes(stored.size)}
            {" · "}
            <Time at={stored.createdAt} />
          </span>
        </span>
      }
      actions={actions}
    />
  );
}
