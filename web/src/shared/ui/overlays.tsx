import type { ReactNode } from "react";
import {
  Dialog as AriaDialog,
  Heading,
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  type MenuItemProps,
  Modal,
  ModalOverlay,
  Popover,
  Header,
  MenuSection as AriaMenuSection,
} from "react-aria-components";
import { IconButton } from "./Button";
import { MENU_ITEM } from "./Field";
import { classes } from "./classes";
import { Icon, type IconName } from "./icons";

/** A window that must be answered before the page goes on. */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  size = "small",
}: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  size?: "small" | "large";
}) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable
      className="fixed inset-0 z-40 flex items-start justify-center overflow-auto bg-veil p-4 pt-[12vh]"
    >
      <Modal
        className={classes(
          "w-full rounded-ui border border-line bg-raised shadow-over",
          size === "small" ? "max-w-md" : "max-w-2xl",
        )}
      >
        <AriaDialog className="flex max-h-[76vh] flex-col outline-none">
          <header className="flex items-center justify-between gap-2 py-2 pr-2 pl-4">
            <Heading slot="title" className="text-read font-semibold">
              {title}
            </Heading>
            <IconButton icon="close" label="Close" hint="Esc" onPress={onClose} />
          </header>
          <div className="overflow-auto px-4 pt-1 pb-4">{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The list of a menu button; put it in a `MenuTrigger` beside its button. */
export function Menu({ children, label }: { children: ReactNode; label: string }) {
  return (
    <Popover
      placement="bottom end"
      className="z-50 min-w-52 rounded-ui border border-line bg-raised p-1 shadow-over"
    >
      <AriaMenu aria-label={label} className="max-h-[70vh] overflow-auto outline-none">
        {children}
      </AriaMenu>
    </Popover>
  );
}

export function MenuItem({
  icon,
  children,
  isCurrent,
  className,
  ...rest
}: Omit<MenuItemProps, "children" | "className"> & {
  icon?: IconName;
  children: ReactNode;
  isCurrent?: boolean;
  className?: string;
}) {
  return (
    <AriaMenuItem {...rest} className={classes(MENU_ITEM, className)}>
      {icon && <Icon name={icon} className="text-muted" />}
      <span className="min-w-0 grow truncate">{children}</span>
      {isCurrent && (
        <>
          <Icon name="check" />
          <span className="sr-only">(current)</span>
        </>
      )}
    </AriaMenuItem>
  );
}

export function MenuSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <AriaMenuSection className="border-line not-first:mt-1 not-first:border-t not-first:pt-1">
      <Header className="px-2 py-1 text-small text-muted">{title}</Header>
      {children}
    </AriaMenuSection>
  );
}
