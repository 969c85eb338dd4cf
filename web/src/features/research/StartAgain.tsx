import { MenuTrigger } from "react-aria-components";
import type { Kind } from "@/shared/api";
import { Button, IconButton, Menu, MenuItem } from "@/shared/ui";

type RunType = Kind["flows"][number]["types"][number];

/** Researches again; the menu has the flow's other types of run, in the pack's words. */
export function StartAgain({
  types,
  onStart,
  isPending,
}: {
  types: readonly RunType[];
  onStart: (runType?: string) => void;
  isPending: boolean;
}) {
  const others = types.slice(1).filter((each) => each.buildsOnEarlier);
  return (
    <span className="inline-flex items-center gap-1">
      <Button icon="refresh" onPress={() => onStart()} isPending={isPending}>
        Research again
      </Button>
      {others.length > 0 && (
        <MenuTrigger>
          <IconButton icon="down" label="Other research" />
          <Menu label="Other research">
            {others.map((each) => (
              <MenuItem
                key={each.name}
                icon="research"
                textValue={each.title}
                onAction={() => onStart(each.name)}
              >
                {each.title}
              </MenuItem>
            ))}
          </Menu>
        </MenuTrigger>
      )}
    </span>
  );
}
