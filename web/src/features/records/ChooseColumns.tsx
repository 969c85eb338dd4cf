import { Dialog, DialogTrigger, Popover } from "react-aria-components";
import type { Kind } from "@/shared/api";
import { Button, Checkbox } from "@/shared/ui";
import { columnsOf, standardColumns } from "./columns";

/** Which columns the list shows, in the address like its filters. */
export function ChooseColumns({
  kind,
  chosen,
  onChange,
}: {
  kind: Kind;
  chosen: readonly string[];
  onChange: (columns: string[]) => void;
}) {
  const standard = standardColumns(kind);
  const shown = new Set(chosen.length ? chosen : standard);
  const toggle = (name: string) => {
    const next = new Set(shown);
    if (!next.delete(name)) next.add(name);
    const names = columnsOf(kind).flatMap((column) => (next.has(column.name) ? column.name : []));
    const isStandard = names.length === standard.length && standard.every((each) => next.has(each));
    if (names.length) onChange(isStandard ? [] : names);
  };
  return (
    <DialogTrigger>
      <Button look="quiet" icon="table">
        Columns
      </Button>
      <Popover
        placement="bottom end"
        className="z-50 w-60 rounded-ui border border-line bg-raised p-2 shadow-over"
      >
        <Dialog aria-label="Columns" className="max-h-[60vh] overflow-auto outline-none">
          <ul className="flex flex-col">
            {columnsOf(kind).map(({ name, label }) => (
              <li key={name} className="flex min-h-8 items-center px-1">
                <Checkbox isSelected={shown.has(name)} onChange={() => toggle(name)}>
                  {label}
                </Checkbox>
              </li>
            ))}
          </ul>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
