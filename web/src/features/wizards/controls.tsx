import type { ReactNode } from "react";
import {
  Checkbox,
  CheckboxGroup,
  FieldError,
  Label,
  Radio,
  RadioGroup,
  Text,
} from "react-aria-components";
import { classes, Icon, type Option } from "@/shared/ui";

interface GroupProps {
  label: string;
  help?: ReactNode;
  error?: string;
  isRequired: boolean;
  options: readonly Option[];
}

const ROW =
  "flex min-h-10 touch-44 cursor-pointer items-center gap-3 rounded-ui border border-line bg-raised " +
  "py-2 pr-4 pl-3 data-hovered:bg-hover data-selected:border-accent data-selected:bg-accent-soft " +
  "data-focus-visible:outline-2 data-focus-visible:outline-offset-1 data-focus-visible:outline-accent";

/** Short choices stand beside one another, others below one another. */
const layout = (options: readonly Option[]): string =>
  classes(
    "mt-1 gap-2",
    options.every(({ label }) => label.length <= 12) ? "flex flex-wrap" : "grid",
  );

/** One of a few values, all shown at once. */
export function RadioChoice(
  props: GroupProps & { value: string; onChange: (value: string) => void },
) {
  return (
    <RadioGroup
      value={props.value || null}
      onChange={props.onChange}
      isInvalid={Boolean(props.error)}
      isRequired={props.isRequired}
      validationBehavior="aria"
      className="flex flex-col gap-1"
    >
      <Caption {...props} />
      <div className={layout(props.options)}>
        {props.options.map((option) => (
          <Radio key={option.value} value={option.value} className={ROW}>
            {({ isSelected }) => (
              <>
                <span
                  className={classes(
                    "flex size-4.5 shrink-0 items-center justify-center rounded-full border bg-raised",
                    isSelected ? "border-accent" : "border-line-strong",
                  )}
                >
                  {isSelected && <span className="size-2.5 rounded-full bg-accent" />}
                </span>
                {option.label}
              </>
            )}
          </Radio>
        ))}
      </div>
      <FieldError className="text-small text-negative">{props.error}</FieldError>
    </RadioGroup>
  );
}

/** Any number of a few values. */
export function CheckboxChoice(
  props: GroupProps & { value: string[]; onChange: (value: string[]) => void },
) {
  return (
    <CheckboxGroup
      value={props.value}
      onChange={props.onChange}
      isInvalid={Boolean(props.error)}
      isRequired={props.isRequired}
      validationBehavior="aria"
      className="flex flex-col gap-1"
    >
      <Caption {...props} />
      <div className={layout(props.options)}>
        {props.options.map((option) => (
          <Checkbox key={option.value} value={option.value} className={ROW}>
            {({ isSelected }) => (
              <>
                <span
                  className={classes(
                    "flex size-4.5 shrink-0 items-center justify-center rounded-[4px] border text-on-accent",
                    isSelected ? "border-accent bg-accent" : "border-line-strong bg-raised",
                  )}
                >
                  {isSelected && <Icon name="check" size={12} strokeWidth={2.2} />}
                </span>
                {option.label}
              </>
            )}
          </Checkbox>
        ))}
      </div>
      <FieldError className="text-small text-negative">{props.error}</FieldError>
    </CheckboxGroup>
  );
}

function Caption({ label, help, isRequired }: GroupProps) {
  return (
    <>
      <Label className="text-ui font-medium">
        {label}
        {!isRequired && <span className="font-normal text-muted"> (optional)</span>}
      </Label>
      {help && (
        <Text slot="description" className="text-small text-muted">
          {help}
        </Text>
      )}
    </>
  );
}
