import { useState } from "react";
import {
  ComboBox,
  FieldError,
  Group,
  Input,
  Button as AriaButton,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from "react-aria-components";
import { useKind, useRecords } from "@/shared/api";
import { titleOf } from "@/shared/format/record";
import { Icon, MENU_ITEM } from "@/shared/ui";
import { INPUT } from "@/shared/ui/Field";

const SUGGESTIONS = 20;

/** Another record, found by searching its kind. */
export function RelationControl(props: {
  to: string;
  label: string;
  help?: string;
  error?: string;
  isRequired?: boolean;
  value: string;
  onChange: (id: string) => void;
}) {
  const [text, setText] = useState("");
  const about = useKind(props.to);
  const records = useRecords(props.to, { search: text || undefined }, SUGGESTIONS);
  const rows = records.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <ComboBox
      className="flex flex-col gap-1"
      items={rows}
      inputValue={text}
      onInputChange={setText}
      value={props.value || null}
      onChange={(key) => {
        props.onChange(key === null ? "" : String(key));
        const row = rows.find((each) => each.id === key);
        if (row && about) setText(titleOf(about.kind, row));
      }}
      isInvalid={Boolean(props.error)}
      isRequired={props.isRequired}
      validationBehavior="aria"
      menuTrigger="focus"
      allowsEmptyCollection
    >
      <Label className="text-ui font-medium">{props.label}</Label>
      <Group className="relative">
        <Input className={INPUT} placeholder={props.value ? "Chosen; type to change" : "Search"} />
        <AriaButton className="absolute top-0 right-0 flex size-8 items-center justify-center text-muted">
          <Icon name="down" />
        </AriaButton>
      </Group>
      {props.help && (
        <Text slot="description" className="text-small text-muted">
          {props.help}
        </Text>
      )}
      <FieldError className="text-small text-negative">{props.error}</FieldError>
      <Popover className="z-50 w-(--trigger-width) rounded-ui border border-line bg-raised p-1 shadow-over">
        <ListBox
          className="max-h-72 overflow-auto outline-none"
          renderEmptyState={() => (
            <p className="p-2 text-muted">
              {records.isPending ? "Searching…" : "Nothing matches."}
            </p>
          )}
        >
          {(row: (typeof rows)[number]) => {
            const title = about ? titleOf(about.kind, row) : row.id;
            return (
              <ListBoxItem id={row.id} textValue={title} className={MENU_ITEM}>
                <span className="truncate">{title}</span>
              </ListBoxItem>
            );
          }}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
