import { Button as AriaButton, Dialog, DialogTrigger, Popover } from "react-aria-components";
import { number } from "@/shared/format";
import { Checkbox } from "./Field";
import { classes } from "./classes";
import { Icon } from "./icons";

export interface Facet {
  value: string;
  label: string;
  count?: number;
}

const PILL =
  "inline-flex h-8 touch-44 max-w-full items-center gap-1.5 rounded-ui border px-2.5 text-table";

/** One filter: its name, and once something is chosen, what; the values come with their counts. */
export function FacetFilter({
  label,
  facets,
  chosen,
  onChange,
}: {
  label: string;
  facets: readonly Facet[];
  chosen: readonly string[];
  onChange: (values: string[]) => void;
}) {
  const words = chosen.map((value) => facets.find((each) => each.value === value)?.label ?? value);
  const isOn = chosen.length > 0;
  return (
    <span className="inline-flex max-w-full items-center">
      <DialogTrigger>
        <AriaButton
          className={classes(
            PILL,
            isOn
              ? "rounded-r-none border-r-0 border-transparent bg-accent-soft"
              : "border-dashed border-line-strong text-muted data-hovered:bg-hover data-hovered:text-text",
          )}
        >
          {!isOn && <Icon name="plus" size={12} />}
          {label}
          {isOn && (
            <span className="max-w-56 truncate font-medium text-accent">{words.join(", ")}</span>
          )}
        </AriaButton>
        <Popover
          placement="bottom start"
          className="z-50 w-64 rounded-ui border border-line bg-raised p-1 shadow-over"
        >
          <Dialog aria-label={`Filter by ${label.toLowerCase()}`} className="outline-none">
            {facets.length === 0 ? (
              <p className="p-2 text-muted">Nothing to choose from.</p>
            ) : (
              <ul className="max-h-[50vh] overflow-auto">
                {facets.map(({ value, label: word, count }) => (
                  <li
                    key={value}
                    className="flex items-center gap-2 rounded-ui px-2 hover:bg-hover"
                  >
                    <span className="flex min-h-8 min-w-0 grow items-center">
                      <Checkbox
                        isSelected={chosen.includes(value)}
                        onChange={(isChosen) =>
                          onChange(
                            isChosen ? [...chosen, value] : chosen.filter((each) => each !== value),
                          )
                        }
                      >
                        <span className="truncate">{word}</span>
                      </Checkbox>
                    </span>
                    {count !== undefined && (
                      <span className="figures text-muted">{number(count)}</span>
                    )}
                  </li>
                ))}
              </ul>
            )}
          </Dialog>
        </Popover>
      </DialogTrigger>
      {isOn && (
        <AriaButton
          aria-label={`Remove the filter ${label.toLowerCase()}`}
          onPress={() => onChange([])}
          className="flex h-8 w-7 touch-44 items-center justify-center rounded-r-ui bg-accent-soft text-muted data-hovered:text-text"
        >
          <Icon name="close" size={12} />
        </AriaButton>
      )}
    </span>
  );
}
