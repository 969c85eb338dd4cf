import { getRouteApi } from "@tanstack/react-router";
import { Suspense } from "react";
import { packUi } from "@/shared/packs/registry";
import { EmptyState, SkeletonLines } from "@/shared/ui";
import { PageHeader } from "@/shared/ui/Page";

const route = getRouteApi("/shell/settings-frame/settings/packs/$pack/$page");

/** A page that a pack adds to the settings. */
export function PackSettingsPage() {
  const { pack, page } = route.useParams();
  const found = packUi(pack).settings?.[page];
  if (!found)
    return (
      <EmptyState title="There is no such page">The pack offers no page of this name.</EmptyState>
    );
  return (
    <>
      <PageHeader title={found.title} about={found.about} />
      <Suspense fallback={<SkeletonLines lines={8} />}>
        <found.Page />
      </Suspense>
    </>
  );
}
