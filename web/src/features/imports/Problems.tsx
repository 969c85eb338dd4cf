import { type StoredImport, useRefusals, useWarnings } from "@/shared/api/imports";
import { Button, buttonLook, ErrorState, Icon, SkeletonLines } from "@/shared/ui";
import { Refusals } from "./Rows";

/** Every refused row, page by page, and all of them as a file. */
export function RefusedTab({ stored }: { stored: StoredImport }) {
  const refused = useRefusals(stored.id, stored.refused > 0);
  if (!stored.refused) return <p className="text-muted">No row was refused.</p>;
  if (refused.error && !refused.data)
    return <ErrorState error={refused.error} retry={() => void refused.refetch()} />;
  if (!refused.data) return <SkeletonLines lines={6} />;
  const rows = refused.data.pages.flatMap((page) => page.items);
  if (!rows.length)
    return <p className="text-muted">The refused rows were removed after their days of keeping.</p>;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted">Correct them in the file, and import it again.</p>
        <a href={`/api/imports/${stored.id}/refusals.csv`} download className={buttonLook()}>
          <Icon name="import" />
          All as CSV
        </a>
      </div>
      <Refusals rows={rows} />
      <More query={refused} />
    </>
  );
}

/** Rows that were written, with something that was left out or read in a doubtful way. */
export function WarningsTab({ stored }: { stored: StoredImport }) {
  const warnings = useWarnings(stored.id, stored.warnings > 0);
  if (!stored.warnings) return <p className="text-muted">There are no warnings.</p>;
  if (warnings.error && !warnings.data)
    return <ErrorState error={warnings.error} retry={() => void warnings.refetch()} />;
  if (!warnings.data) return <SkeletonLines lines={6} />;
  return (
    <>
      <Refusals
        rows={warnings.data.pages
          .flatMap((page) => page.items)
          .map(({ line, warning }) => ({ line, field: null, value: "", reason: warning }))}
      />
      <More query={warnings} />
    </>
  );
}

export function More({
  query,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}) {
  if (!query.hasNextPage) return null;
  return (
    <Button
      className="mt-4"
      isPending={query.isFetchingNextPage}
      onPress={() => void query.fetchNextPage()}
    >
      Show more
    </Button>
  );
}
