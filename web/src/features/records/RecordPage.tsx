import { getRouteApi } from "@tanstack/react-router";
import { useKind, useRecord } from "@/shared/api";
import { titleOf } from "@/shared/format/record";
import { ErrorState, SkeletonLines } from "@/shared/ui";
import { PageHeader } from "@/shared/ui/Page";

const route = getRouteApi("/shell/records/$kind/$id");

export function RecordPage() {
  const { kind, id } = route.useParams();
  const about = useKind(kind);
  const record = useRecord(kind, id);
  if (record.error) return <ErrorState error={record.error} retry={() => void record.refetch()} />;
  if (!about || !record.data) return <SkeletonLines />;
  return <PageHeader title={titleOf(about.kind, record.data)} />;
}
