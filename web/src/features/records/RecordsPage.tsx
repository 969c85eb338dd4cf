import { getRouteApi, Link } from "@tanstack/react-router";
import { useKind, useRecords } from "@/shared/api";
import { inWords } from "@/shared/format";
import { titleOf } from "@/shared/format/record";
import { EmptyState, ErrorState, SkeletonLines } from "@/shared/ui";
import { PageHeader } from "@/shared/ui/Page";

const route = getRouteApi("/shell/records/$kind");

export function RecordsPage() {
  const { kind: name } = route.useParams();
  const about = useKind(name);
  const records = useRecords(name, {});
  const rows = records.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <PageHeader title={inWords(name)} />
      {records.error ? (
        <ErrorState error={records.error} retry={() => void records.refetch()} />
      ) : !about || !records.data ? (
        <SkeletonLines />
      ) : rows.length === 0 ? (
        <EmptyState icon="table" title={`No ${name} yet`} />
      ) : (
        <ul>
          {rows.map((record) => (
            <li key={record.id} className="border-b border-line py-2">
              <Link to="/records/$kind/$id" params={{ kind: name, id: record.id }}>
                {titleOf(about.kind, record)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
