import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from "react-aria-components";
import { usePacks } from "@/shared/api";
import { useSearchRecords } from "@/shared/api/search";
import { type Command, useFeatures } from "@/shared/feature/feature";
import { inWords } from "@/shared/format";
import { titleOf } from "@/shared/format/record";
import { packUi } from "@/shared/packs/registry";
import { Icon, type IconName, MenuItem, MenuSection } from "@/shared/ui";

/** Ctrl K: go to a page, find a record, do something. */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable
      className="fixed inset-0 z-40 flex items-start justify-center bg-veil p-4 pt-[12vh]"
    >
      <Modal className="w-full max-w-xl rounded-ui border border-line bg-raised shadow-over">
        <Dialog aria-label="Search and commands" className="outline-none">
          <Content onClose={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Content({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const search = useDeferredValue(text.trim());
  const { contains } = useFilter({ sensitivity: "base" });
  const pages = usePages();
  const commands = useCommands();
  const hits = useSearchRecords(search);
  const navigate = useNavigate();
  const matching = (each: Command) => contains(each.label, text.trim());
  const shownPages = pages.filter(matching);
  const shownCommands = commands.filter(matching);
  const isEmpty = !shownPages.length && !shownCommands.length && !hits.records.length;

  return (
    <Autocomplete inputValue={text} onInputChange={setText}>
      <SearchField
        aria-label="Search"
        autoFocus
        className="flex items-center gap-2 border-b border-line px-3"
      >
        <Icon name="search" className="text-muted" />
        <Input
          placeholder="Go to a page, find a record…"
          className="h-11 grow bg-transparent outline-none placeholder:text-muted [&::-webkit-search-cancel-button]:hidden"
        />
        {hits.isFetching && <Icon name="refresh" className="animate-turn text-muted" />}
      </SearchField>
      <Menu
        aria-label="Results"
        className="max-h-[52vh] overflow-auto p-1 outline-none"
        onAction={onClose}
        renderEmptyState={() => (
          <p className="px-3 py-8 text-center text-muted">
            {hits.isFetching ? "Searching…" : `Nothing matches “${text.trim()}”.`}
          </p>
        )}
      >
        {!isEmpty && hits.records.length > 0 && (
          <MenuSection title="Records">
            {hits.records.map(({ kind, record }) => (
              <MenuItem
                key={record.id}
                id={record.id}
                icon="table"
                textValue={titleOf(kind, record)}
                onAction={() =>
                  void navigate({
                    to: "/records/$kind/$id",
                    params: { kind: kind.kind, id: record.id },
                  })
                }
              >
                {titleOf(kind, record)} <span className="text-muted">· {kind.title}</span>
              </MenuItem>
            ))}
          </MenuSection>
        )}
        {shownPages.length > 0 && <MenuSection title="Go to">{shownPages.map(item)}</MenuSection>}
        {shownCommands.length > 0 && (
          <MenuSection title="Do">{shownCommands.map(item)}</MenuSection>
        )}
      </Menu>
    </Autocomplete>
  );
}

const item = (command: Command) => (
  <MenuItem
    key={command.id}
    id={command.id}
    icon={command.icon}
    textValue={command.label}
    onAction={command.run}
  >
    {command.label}
  </MenuItem>
);

function usePages(): Command[] {
  const navigate = useNavigate();
  const packs = usePacks().data ?? [];
  const entries = useFeatures().flatMap((feature) => feature.nav ?? []);
  const page = (id: string, label: string, icon: IconName, go: () => Promise<void>): Command => ({
    id,
    label,
    icon,
    run: () => void go(),
  });
  return [
    ...packs.flatMap((pack) => [
      ...pack.kinds.map(({ kind }) =>
        page(`kind-${kind}`, inWords(kind), "table", () =>
          navigate({ to: "/records/$kind", params: { kind } }),
        ),
      ),
      ...Object.entries(packUi(pack.id).pages ?? {}).map(([name, { title }]) =>
        page(`page-${pack.id}-${name}`, title, "page", () =>
          navigate({ to: "/packs/$pack/$page", params: { pack: pack.id, page: name } }),
        ),
      ),
    ]),
    ...entries.map((entry) =>
      page(`nav-${entry.to}`, entry.label, entry.icon, () => navigate({ to: entry.to })),
    ),
  ];
}

/** Every feature's commands; the list of features never changes, so neither does that of hooks. */
function useCommands(): Command[] {
  return useFeatures().flatMap((feature) => feature.useCommands?.() ?? []);
}
