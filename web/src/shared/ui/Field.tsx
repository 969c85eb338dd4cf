import type { HTMLInputTypeAttribute, ReactNode } from "react";
import {
  Checkbox as AriaCheckbox,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Button as AriaButton,
  Text,
  TextArea,
  TextField,
} from "react-aria-components";
import { classes } from "./classes";
import { Icon } from "./icons";

export const INPUT =
  "w-full min-h-8 touch-44 rounded-ui border border-line-strong bg-raised px-2.5 py-1 text-ui text-text " +
  "placeholder:text-muted data-invalid:border-negative disabled:opacity-60 data-disabled:opacity-60";

interface Described {
  label: string;
  help?: ReactNode;
  /** The error at this field: the browser's, ours or the server's. */
  error?: string;
  isRequired?: boolean;
  isDisabled?: boolean;
}

function Caption({ label, isRequired }: { label: string; isRequired?: boolean }) {
  return (
    <Label className="text-ui font-medium">
      {label}
      {isRequired === false && <span className="font-normal text-muted"> (optional)</span>}
    </Label>
  );
}

function Below({ help, error }: { help?: ReactNode; error?: string }) {
  return (
    <>
      {help && (
        <Text slot="description" className="text-small text-muted">
          {help}
        </Text>
      )}
      <FieldError className="text-small text-negative">{error}</FieldError>
    </>
  );
}

/** A labelled line or block of text. */
export function Field({
  label,
  help,
  error,
  isRequired,
  isDisabled,
  value,
  onChange,
  name,
  type = "text",
  rows,
  unit,
  placeholder,
  autoComplete,
  autoFocus,
  inputMode,
  onBlur,
  isCompact,
}: Described & {
  /** Only the control; the label is for screen readers. */
  isCompact?: boolean;
  value: string;
  onChange: (value: string) => void;
  name?: string;
  type?: HTMLInputTypeAttribute;
  /** More than one line. */
  rows?: number;
  unit?: string;
  placeholder?: string;
  autoComplete?: string;
  autoFocus?: boolean;
  inputMode?: "text" | "decimal" | "numeric" | "email" | "url";
  onBlur?: () => void;
}) {
  return (
    <TextField
      className="flex flex-col gap-1"
      value={value}
      onChange={onChange}
      onBlur={onBlur}
      name={name}
      type={type}
      isInvalid={Boolean(error)}
      isRequired={isRequired}
      isDisabled={isDisabled}
      validationBehavior="aria"
      autoComplete={autoComplete}
      autoFocus={autoFocus}
      inputMode={inputMode}
      aria-label={isCompact ? label : undefined}
    >
      {!isCompact && <Caption label={label} isRequired={isRequired} />}
      <div className="relative">
        {rows ? (
          <TextArea rows={rows} placeholder={placeholder} className={classes(INPUT, "resize-y")} />
        ) : (
          <Input
            placeholder={placeholder}
            className={classes(INPUT, unit && "pr-14", type === "number" && "figures")}
          />
        )}
        {unit && (
          <span className="pointer-events-none absolute top-1.5 right-2.5 text-muted">{unit}</span>
        )}
      </div>
      <Below help={help} error={error} />
    </TextField>
  );
}

export interface Option {
  value: string;
  label: string;
}

/** One of a few values; an empty value stands for none. */
export function Select({
  label,
  help,
  error,
  isRequired,
  isDisabled,
  value,
  onChange,
  options,
  placeholder = "Choose",
  isCompact,
}: Described & {
  value: string | null;
  onChange: (value: string) => void;
  options: readonly Option[];
  placeholder?: string;
  /** Only the value; the label is for screen readers. */
  isCompact?: boolean;
}) {
  return (
    <AriaSelect
      className="flex flex-col gap-1"
      aria-label={isCompact ? label : undefined}
      value={value}
      onChange={(key) => onChange(String(key ?? ""))}
      isInvalid={Boolean(error)}
      isRequired={isRequired}
      isDisabled={isDisabled}
      validationBehavior="aria"
      placeholder={placeholder}
    >
      {!isCompact && <Caption label={label} isRequired={isRequired} />}
      <AriaButton className={classes(INPUT, "flex items-center justify-between gap-2 text-left")}>
        <SelectValue className="truncate data-placeholder:text-muted" />
        <Icon name="down" className="text-muted" />
      </AriaButton>
      <Below help={help} error={error} />
      <Popover className="z-50 min-w-(--trigger-width) rounded-ui border border-line bg-raised p-1 shadow-over">
        <ListBox className="max-h-80 overflow-auto outline-none" items={options}>
          {(option) => (
            <ListBoxItem id={option.value} textValue={option.label} className={MENU_ITEM}>
              {({ isSelected }) => (
                <>
                  <span className="grow">{option.label}</span>
                  {isSelected && <Icon name="check" />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

export const MENU_ITEM =
  "flex min-h-8 touch-44 cursor-default items-center gap-2 rounded-ui px-2 text-ui outline-none " +
  "data-focused:bg-hover data-disabled:opacity-50";

/** Yes or no. */
export function Checkbox({
  children,
  isSelected,
  isIndeterminate,
  onChange,
  isDisabled,
  label,
}: {
  children?: ReactNode;
  isSelected: boolean;
  isIndeterminate?: boolean;
  onChange: (value: boolean) => void;
  isDisabled?: boolean;
  /** For a box without words beside it. */
  label?: string;
}) {
  return (
    <AriaCheckbox
      isSelected={isSelected}
      isIndeterminate={isIndeterminate}
      onChange={onChange}
      isDisabled={isDisabled}
      aria-label={label}
      className="group inline-flex touch-44 items-center gap-2 text-ui"
    >
      <span className="flex size-4 items-center justify-center rounded-[4px] border border-line-strong bg-raised text-on-accent group-data-focus-visible:outline-2 group-data-focus-visible:outline-accent group-data-indeterminate:bg-accent group-data-selected:border-accent group-data-selected:bg-accent">
        {isIndeterminate ? "–" : isSelected && <Icon name="check" size={12} strokeWidth={2.2} />}
      </span>
      {children}
    </AriaCheckbox>
  );
}

/** A box in a row of a table: the browser's own, because a table draws hundreds while it scrolls. */
export function RowCheckbox({
  label,
  isSelected,
  onChange,
}: {
  label: string;
  isSelected: boolean;
  onChange: () => void;
}) {
  return (
    <label className="touch-44 -m-2 inline-flex items-center justify-center p-2">
      <input
        type="checkbox"
        aria-label={label}
        checked={isSelected}
        onChange={onChange}
        className="size-4 accent-accent"
      />
    </label>
  );
}
