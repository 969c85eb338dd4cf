import { Link } from "@tanstack/react-router";
import { type Kind, useMe, usePacks, useRecordCounts } from "@/shared/api";
import { inWords, number } from "@/shared/format";
import { ErrorState, Icon, Kbd, Skeleton, SkeletonLines } from "@/shared/ui";
import { Card, PageHeader } from "@/shared/ui/Page";
import { FirstSteps } from "./FirstSteps";
import { Recent } from "./Recent";

/** The first page: what is here, and the first steps. */
export function HomePage() {
  const me = useMe();
  const packs = usePacks();
  if (packs.error) return <ErrorState error={packs.error} retry={() => void packs.refetch()} />;
  return (
    <div className="max-w-[1200px]">
      <PageHeader
        title={me.data?.organization ?? "Welcome"}
        about={
          // A telephone has no such keys.
          <span className="max-md:hidden">
            Press <Kbd>Ctrl K</Kbd> to find anything, <Kbd>?</Kbd> for every shortcut.
          </span>
        }
      />
      <FirstSteps />
      <Recent />
      {!packs.data ? (
        <SkeletonLines />
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {packs.data.map((pack) => (
            <li key={pack.id}>
              <Card title={pack.title}>
                <ul className="-my-2">
                  {pack.kinds.map((kind) => (
                    <KindLine key={kind.kind} kind={kind} />
                  ))}
                </ul>
              </Card>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function KindLine({ kind }: { kind: Kind }) {
  const counts = useRecordCounts(kind.kind, {});
  return (
    <li>
      <Link
        to="/records/$kind"
        params={{ kind: kind.kind }}
        className="-mx-2 flex min-h-9 touch-44 items-center gap-2.5 rounded-ui px-2 hover:bg-hover"
      >
        <Icon name="table" className="text-muted" />
        <span className="grow">{inWords(kind.kind)}</span>
        {counts.data ? (
          <span className="figures text-muted">{number(counts.data.total)}</span>
        ) : (
          !counts.error && <Skeleton className="h-4 w-8" />
        )}
      </Link>
    </li>
  );
}
