import { getRouteApi, Link } from "@tanstack/react-router";
import { useMayWrite } from "@/shared/api";
import { type StoredImport, useImporters, useImports } from "@/shared/api/imports";
import { number, Time } from "@/shared/format";
import { Button, EmptyState, ErrorState, Skeleton, StateChip } from "@/shared/ui";
import { PageHeader } from "@/shared/ui/Page";
import { DropFile } from "./DropFile";
import { bytes, counted, stateOf } from "./words";

const route = getRouteApi("/shell/imports");

/** A place to drop a file, and every import so far. */
export function ImportsPage() {
  const { of } = route.useSearch();
  const imports = useImports();
  const mayWrite = useMayWrite();
  const all = imports.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div className="max-w-[1200px]">
      <PageHeader title="Imports" about="Files that bring records in" />
      {mayWrite && <DropFile of={of} />}
      {imports.error && !imports.data ? (
        <ErrorState error={imports.error} retry={() => void imports.refetch()} />
      ) : imports.isPending ? (
        <RowsSkeleton />
      ) : all.length === 0 ? (
        <EmptyState icon="import" title="Nothing was imported yet">
          {mayWrite
            ? "Choose a file above. You see what it would change before anything is written."
            : "Imports of this organization appear here."}
        </EmptyState>
      ) : (
        <section aria-labelledby="earlier">
          <h2 id="earlier" className="mb-2 font-semibold">
            All imports
          </h2>
          <ul className="overflow-hidden rounded-ui border border-line">
            {all.map((each) => (
              <ImportRow key={each.id} stored={each} />
            ))}
          </ul>
          {imports.hasNextPage && (
            <Button
              className="mt-3"
              isPending={imports.isFetchingNextPage}
              onPress={() => void imports.fetchNextPage()}
            >
              Show older ones
            </Button>
          )}
        </section>
      )}
    </div>
  );
}

function ImportRow({ stored }: { stored: StoredImport }) {
  const importer = useImporters()?.find((each) => each.name === stored.name);
  const { word, tone } = stateOf(stored);
  return (
    <li className="border-b border-line last:border-0">
      <Link
        to="/imports/$id"
        params={{ id: stored.id }}
        className="grid min-h-13 grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 bg-raised px-4 py-2 hover:bg-hover sm:grid-cols-[minmax(0,1fr)_7rem_17rem_7rem]"
      >
        <span className="min-w-0">
          <span className="block truncate font-medium">
            <bdi>{stored.filename}</bdi>
          </span>
          <span className="block truncate text-table text-muted">
            {importer?.label ?? stored.name} · {bytes(stored.size)}
          </span>
        </span>
        <span className="max-sm:justify-self-end">
          <StateChip tone={tone}>{word}</StateChip>
        </span>
        <span className="text-table text-muted max-sm:text-small">
          {stored.status === "draft" ? "Look at it, then start it" : <Counts stored={stored} />}
        </span>
        <span className="text-right text-table text-muted max-sm:text-small">
          <Time at={stored.createdAt} />
        </span>
      </Link>
    </li>
  );
}

function Counts({ stored }: { stored: StoredImport }) {
  const parts = [
    stored.added && `${number(stored.added)} new`,
    stored.updated && `${number(stored.updated)} changed`,
    stored.unchanged && `${number(stored.unchanged)} the same`,
  ].filter(Boolean);
  return (
    <span className="figures">
      {parts.join(", ") || counted(stored.rows, "row")}
      {stored.refused > 0 && (
        <span className="text-negative">
          {" · "}
          {number(stored.refused)} refused
        </span>
      )}
    </span>
  );
}

const RowsSkeleton = () => (
  <div role="status" aria-label="Loading" className="rounded-ui border border-line">
    {Array.from({ length: 5 }, (_, row) => (
      <div
        key={row}
        className="flex h-13 items-center gap-4 border-b border-line px-4 last:border-0"
      >
        <Skeleton className="h-4 grow" />
        <Skeleton className="h-4 w-24" />
        <Skeleton className="h-4 w-40" />
      </div>
    ))}
  </div>
);
