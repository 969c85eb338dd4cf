import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { MenuTrigger } from "react-aria-components";
import {
  type Kind,
  type RecordData,
  useDeleteRecord,
  useKind,
  useMayWrite,
  usePacks,
  useRecord,
} from "@/shared/api";
import { type RecordTab, useFeatures } from "@/shared/feature/feature";
import { photographOf, pictureOf, stateOf, subtitleOf, titleOf } from "@/shared/format/record";
import { packUi } from "@/shared/packs/registry";
import {
  Button,
  Dialog,
  EmptyState,
  ErrorState,
  IconButton,
  Menu,
  MenuItem,
  Skeleton,
  SkeletonLines,
  StateChip,
  Tabs,
  Thumbnail,
  toast,
  toastError,
} from "@/shared/ui";
import { PageHeader } from "@/shared/ui/Page";

const route = getRouteApi("/shell/records/$kind/$id");

/** One record: its header, and the tabs that features and its pack bring. */
export function RecordPage() {
  const { kind: name, id } = route.useParams();
  const packs = usePacks();
  const about = useKind(name);
  const record = useRecord(name, id);
  const { tab } = route.useSearch();
  const navigate = useNavigate();
  const features = useFeatures();
  if (record.error) return <ErrorState error={record.error} retry={() => void record.refetch()} />;
  if (packs.data && !about)
    return <EmptyState icon="search" title={`No installed pack has “${name}”`} />;
  if (!about || !record.data) return <PageSkeleton />;

  const { pack, kind } = about;
  const tabs = tabsOf(
    features.flatMap((feature) => feature.recordTabs ?? []),
    packUi(pack.id).recordTabs?.[kind.kind] ?? [],
    kind,
  );
  const selected = tabs.some((each) => each.id === tab) ? tab! : (tabs[0]?.id ?? "");
  return (
    <>
      <Header kind={kind} record={record.data} />
      <Tabs
        label="Parts of this record"
        selected={selected}
        onSelect={(next) =>
          void navigate({
            to: ".",
            search: (old: object) => ({ ...old, tab: next }),
            replace: true,
          })
        }
        tabs={tabs.map(({ id: key, title, Content }) => ({
          id: key,
          title,
          content: (
            <Suspense fallback={<SkeletonLines lines={6} />}>
              <Content pack={pack} kind={kind} record={record.data} />
            </Suspense>
          ),
        }))}
      />
    </>
  );
}

/** The tabs in their order; a pack's tab replaces the one of the same id. */
function tabsOf(general: RecordTab[], own: RecordTab[], kind: Kind): RecordTab[] {
  const replaced = new Set(own.map((tab) => tab.id));
  return [...general.filter((tab) => !replaced.has(tab.id)), ...own]
    .filter((tab) => tab.appliesTo(kind))
    .sort((one, other) => one.order - other.order);
}

function Header({ kind, record }: { kind: Kind; record: RecordData }) {
  const title = titleOf(kind, record);
  const state = stateOf(kind, record);
  const features = useFeatures();
  const about = useKind(kind.kind);
  const [isDeleting, askToDelete] = useState(false);
  const mayWrite = useMayWrite();
  const actions = features
    .flatMap((feature) => feature.recordActions ?? [])
    .filter((action) => action.Button && action.appliesTo(kind));
  return (
    <>
      <PageHeader
        title={title}
        picture={
          <Thumbnail
            size={64}
            src={photographOf(kind, record) ?? pictureOf(kind, record)}
            title={title}
          />
        }
        about={
          <div className="flex flex-col items-start gap-1">
            <span className="line-clamp-2 max-w-[72ch] wrap-anywhere">
              <bdi>{subtitleOf(kind, record)}</bdi>
            </span>
            <span className="flex flex-wrap gap-2">
              {state && <StateChip tone={state.tone}>{state.word}</StateChip>}
              {about &&
                features.map(
                  ({ id, RecordMark }) =>
                    RecordMark && (
                      <RecordMark key={id} pack={about.pack} kind={kind} record={record} />
                    ),
                )}
            </span>
          </div>
        }
        actions={
          <>
            {about &&
              actions.map(
                ({ id, Button: Action }) =>
                  Action && <Action key={id} pack={about.pack} kind={kind} record={record} />,
              )}
            {mayWrite && (
              <MenuTrigger>
                <IconButton icon="more" label="More" />
                <Menu label="More">
                  <MenuItem
                    icon="close"
                    className="text-negative"
                    onAction={() => askToDelete(true)}
                    textValue="Delete"
                  >
                    Delete…
                  </MenuItem>
                </Menu>
              </MenuTrigger>
            )}
          </>
        }
      />
      <DeleteDialog
        kind={kind}
        record={record}
        isOpen={isDeleting}
        onClose={() => askToDelete(false)}
      />
    </>
  );
}

function DeleteDialog(props: {
  kind: Kind;
  record: RecordData;
  isOpen: boolean;
  onClose: () => void;
}) {
  const { kind, record, isOpen, onClose } = props;
  const remove = useDeleteRecord(kind.kind);
  const navigate = useNavigate();
  return (
    <Dialog title={`Delete this ${kind.title.toLowerCase()}?`} isOpen={isOpen} onClose={onClose}>
      <p>“{titleOf(kind, record)}” is taken out of every list. It cannot be brought back here.</p>
      <div className="mt-4 flex gap-2">
        <Button
          look="danger"
          isPending={remove.isPending}
          onPress={() =>
            remove.mutate(record.id, {
              onSuccess: () => {
                toast("Deleted");
                void navigate({ to: "/records/$kind", params: { kind: kind.kind } });
              },
              onError: toastError,
            })
          }
        >
          Delete
        </Button>
        <Button look="quiet" onPress={onClose}>
          Keep it
        </Button>
      </div>
    </Dialog>
  );
}

function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <div className="mb-5 flex gap-3">
        <Skeleton className="size-16" />
        <div className="flex grow flex-col gap-2">
          <Skeleton className="h-7 w-80 max-w-full" />
          <Skeleton className="h-4 w-48" />
        </div>
      </div>
      <Skeleton className="mb-5 h-9" />
      <SkeletonLines lines={6} />
    </div>
  );
}
