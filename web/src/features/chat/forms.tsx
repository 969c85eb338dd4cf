import { MenuTrigger } from "react-aria-components";
import { useMayWrite, useWizards, type WizardOffered } from "@/shared/api";
import type { Subject } from "@/shared/api/chat";
import { IconButton, Menu, MenuItem } from "@/shared/ui";
import type { Send } from "./usePanel";

/** The forms that this person may begin here: of the record's kind, of the page's pack, or all. */
export function useForms(subject: Subject): WizardOffered[] {
  const wizards = useWizards().data ?? [];
  const mayWrite = useMayWrite();
  if (!mayWrite) return [];
  if (!("kind" in subject)) {
    const [pack, name] = subject.page.split(".");
    return name ? wizards.filter((wizard) => wizard.id.startsWith(`${pack}.`)) : wizards;
  }
  return wizards.filter((wizard) => wizard.kind === null || wizard.kind === subject.kind);
}

/** Begins a form in this conversation. */
export const beginForm = (send: Send, wizard: WizardOffered): void =>
  send(wizard.title, { action: "init", wizardId: wizard.id });

/** The forms to begin, beside the message that is written. */
export function FormMenu({
  subject,
  send,
  isDisabled,
}: {
  subject: Subject;
  send: Send;
  isDisabled: boolean;
}) {
  const forms = useForms(subject);
  if (!forms.length) return null;
  return (
    <MenuTrigger>
      <IconButton icon="wizard" label="Fill in a form" isDisabled={isDisabled} />
      <Menu label="Forms">
        {forms.map((wizard) => (
          <MenuItem
            key={wizard.id}
            icon="wizard"
            textValue={wizard.title}
            onAction={() => beginForm(send, wizard)}
          >
            {wizard.title}
          </MenuItem>
        ))}
      </Menu>
    </MenuTrigger>
  );
}
