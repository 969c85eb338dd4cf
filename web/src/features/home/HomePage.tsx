import { useMe, usePacks } from "@/shared/api";
import { inWords } from "@/shared/format";
import { PageHeader } from "@/shared/ui/Page";
import { ErrorState, SkeletonLines } from "@/shared/ui";

/** The first page: what is here, and the first steps. */
export function HomePage() {
  const me = useMe();
  const packs = usePacks();
  if (packs.error) return <ErrorState error={packs.error} retry={() => void packs.refetch()} />;
  return (
    <>
      <PageHeader title={me.data ? `Welcome to ${me.data.organization}` : "Welcome"} />
      {!packs.data ? (
        <SkeletonLines />
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {packs.data.map((pack) => (
            <li key={pack.id} className="rounded-ui border border-line bg-raised p-4">
              <h2 className="font-semibold">{pack.title}</h2>
              <p className="text-muted">
                {pack.kinds.map((kind) => inWords(kind.kind)).join(", ")}
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
