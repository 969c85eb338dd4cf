import { useState } from "react";
import { MenuTrigger } from "react-aria-components";
import type { Kind, ListQuery } from "@/shared/api";
import { type SavedView, useChangeView, useDeleteView, useViews } from "@/shared/api/views";
import { Button, classes, Icon, IconButton, Menu, MenuItem, toast, toastError } from "@/shared/ui";
import { type ListState, normalized, stated } from "./listState";
import { SaveView } from "./SaveView";

/** The saved views of a list as tabs; what is shown stands in the address, so any tab is a link. */
export function ViewTabs({
  kind,
  state,
  mayWrite,
}: {
  kind: Kind;
  state: ListState;
  mayWrite: boolean;
}) {
  const views = useViews(kind.kind).data ?? [];
  const parameters: ListQuery = { ...state.query, columns: state.columns };
  const now = normalized(parameters);
  const current =
    views.find(({ id }) => id === state.view) ??
    views.find((view) => normalized(view.parameters) === now);
  const isChanged = current !== undefined && normalized(current.parameters) !== now;
  const [isNaming, name] = useState<"new" | SavedView>();
  const isAll = !current && now === "[]";
  if (!views.length && isAll) return null;
  return (
    <div className="-mt-1 mb-4 flex min-h-9 items-end gap-3 border-b border-line">
      <nav aria-label="Views" className="flex min-w-0 gap-5 overflow-x-auto px-0.5">
        <Tab isCurrent={isAll} onPress={() => state.show()}>
          All
        </Tab>
        {views.map((view) => (
          <Tab
            key={view.id}
            isCurrent={view.id === current?.id}
            onPress={() => state.show({ id: view.id, parameters: view.parameters })}
          >
            {view.isShared && !view.isMine && <Icon name="person" size={12} />}
            <span className="max-w-48 truncate">{view.title}</span>
            {view.id === current?.id && isChanged && (
              <span className="text-muted">
                <span aria-hidden="true">•</span>
                <span className="sr-only">(changed)</span>
              </span>
            )}
          </Tab>
        ))}
      </nav>
      {mayWrite && (
        <div className="flex shrink-0 items-center gap-1 pb-0.5">
          {current && (
            <Actions
              kind={kind}
              view={current}
              isChanged={isChanged}
              parameters={parameters}
              onRename={() => name(current)}
              onDeleted={() => state.show()}
            />
          )}
          {!isAll && (!current || isChanged) && (
            <Button look="quiet" icon="plus" onPress={() => name("new")}>
              Save view
            </Button>
          )}
        </div>
      )}
      {isNaming && (
        <SaveView
          kind={kind}
          view={isNaming === "new" ? undefined : isNaming}
          parameters={stated(parameters)}
          onClose={() => name(undefined)}
          onSaved={(view) => state.show({ id: view.id, parameters: view.parameters })}
        />
      )}
    </div>
  );
}

function Tab({
  isCurrent,
  onPress,
  children,
}: {
  isCurrent: boolean;
  onPress: () => void;
  children: React.ReactNode;
}) {
  return (
    <button
      type="button"
      aria-current={isCurrent ? "page" : undefined}
      onClick={onPress}
      className={classes(
        "-mb-px flex h-9 touch-44 items-center gap-1.5 border-b-2 font-medium whitespace-nowrap outline-offset-[-2px]",
        isCurrent ? "border-accent text-text" : "border-transparent text-muted hover:text-text",
      )}
    >
      {children}
    </button>
  );
}

/** What can be done with the view that is shown. */
function Actions({
  kind,
  view,
  isChanged,
  parameters,
  onRename,
  onDeleted,
}: {
  kind: Kind;
  view: SavedView;
  isChanged: boolean;
  parameters: ListQuery;
  onRename: () => void;
  onDeleted: () => void;
}) {
  const change = useChangeView(kind.kind);
  const remove = useDeleteView(kind.kind);
  if (!view.mayChange) return null;
  const save = () =>
    change.mutate({ id: view.id, parameters: stated(parameters) }, { onError: toastError });
  const share = () =>
    change.mutate(
      { id: view.id, isShared: !view.isShared },
      {
        onSuccess: () =>
          toast(view.isShared ? "Only you see this view now" : "Everybody sees this view now"),
        onError: toastError,
      },
    );
  return (
    <>
      {isChanged && (
        <Button look="quiet" icon="check" onPress={save} isPending={change.isPending}>
          Save changes
        </Button>
      )}
      <MenuTrigger>
        <IconButton icon="more" label={`Actions for the view ${view.title}`} />
        <Menu label="View">
          <MenuItem icon="edit" onAction={onRename}>
            Rename
          </MenuItem>
          <MenuItem icon="person" onAction={share}>
            {view.isShared ? "Keep for myself" : "Share with everybody"}
          </MenuItem>
          <MenuItem
            icon="close"
            onAction={() => remove.mutate(view.id, { onSuccess: onDeleted, onError: toastError })}
          >
            Delete view
          </MenuItem>
        </Menu>
      </MenuTrigger>
    </>
  );
}
