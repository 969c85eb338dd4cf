import type { ReactNode } from "react";
import {
  Button as AriaButton,
  type ButtonProps as AriaProps,
  Tooltip,
  TooltipTrigger,
} from "react-aria-components";
import { classes } from "./classes";
import { Icon, type IconName } from "./icons";

type Look = "primary" | "plain" | "quiet" | "danger";

const LOOKS: Record<Look, string> = {
  primary: "bg-accent text-on-accent border-transparent data-hovered:bg-accent-strong",
  plain: "bg-raised text-text border-line data-hovered:bg-hover",
  quiet:
    "bg-transparent text-muted border-transparent data-hovered:bg-hover data-hovered:text-text",
  danger: "bg-raised text-negative border-line data-hovered:bg-negative-soft",
};

/** The look of a button, for links that stand beside buttons. */
export function buttonLook(look: Look = "plain", className?: string): string {
  return classes(
    "inline-flex h-8 touch-44 items-center justify-center gap-1.5 rounded-ui border px-3 text-ui",
    "font-medium whitespace-nowrap select-none data-disabled:opacity-50",
    LOOKS[look],
    className,
  );
}

export interface ButtonProps extends Omit<AriaProps, "className" | "children"> {
  look?: Look;
  icon?: IconName;
  className?: string;
  children: ReactNode;
}

/** One action.  `isPending` keeps its size and focus, and announces that it is busy. */
export function Button({ look = "plain", icon, className, children, ...rest }: ButtonProps) {
  return (
    <AriaButton {...rest} className={buttonLook(look, className)}>
      {rest.isPending ? (
        <Icon name="refresh" className="animate-turn" />
      ) : icon ? (
        <Icon name={icon} />
      ) : null}
      {children}
    </AriaButton>
  );
}

/** A button that is only an icon; its label is its name and its tooltip. */
export function IconButton({
  icon,
  label,
  hint,
  className,
  ...rest
}: Omit<ButtonProps, "children" | "icon" | "look"> & {
  icon: IconName;
  label: string;
  hint?: string;
}) {
  return (
    <TooltipTrigger delay={500}>
      <AriaButton
        {...rest}
        aria-label={label}
        className={classes(
          "touch-44 inline-flex size-8 items-center justify-center rounded-ui text-muted",
          "data-hovered:bg-hover data-hovered:text-text data-disabled:opacity-40",
          className,
        )}
      >
        <Icon name={icon} />
      </AriaButton>
      <Hint>{hint ? `${label} (${hint})` : label}</Hint>
    </TooltipTrigger>
  );
}

/** A mark on a chart that can be pressed; its label is its name and its tooltip. */
export function MarkButton({
  label,
  className,
  ...rest
}: Pick<AriaProps, "onPress" | "onFocus" | "excludeFromTabOrder"> & {
  label: string;
  className?: string;
}) {
  return (
    <TooltipTrigger delay={150}>
      <AriaButton {...rest} aria-label={label} className={classes("block", className)} />
      <Hint>{label}</Hint>
    </TooltipTrigger>
  );
}

/** The text of a tooltip. */
export function Hint({ children }: { children: ReactNode }) {
  return (
    <Tooltip
      offset={6}
      className="z-50 max-w-72 rounded-ui bg-text px-2 py-1 text-small text-surface shadow-over"
    >
      {children}
    </Tooltip>
  );
}
