import { useShortcuts } from "@/shared/shortcuts/shortcuts";
import { Dialog, Kbd } from "@/shared/ui";

/** Every key that works on this page. */
export function ShortcutSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const shortcuts = useShortcuts();
  const groups = [...new Set(shortcuts.map((each) => each.group))];
  return (
    <Dialog title="Shortcuts" isOpen={isOpen} onClose={onClose} size="large">
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        {groups.map((group) => (
          <section key={group}>
            <h3 className="mb-1 text-small font-medium text-muted">{group}</h3>
            <dl>
              {shortcuts
                .filter((each) => each.group === group)
                .map((each) => (
                  <div
                    key={each.keys}
                    className="flex min-h-8 items-center justify-between gap-4 border-b border-line"
                  >
                    <dt>{each.label}</dt>
                    <dd className="flex gap-1">
                      {each.keys
                        .replace("Mod+k", "Ctrl K")
                        .split(" ")
                        .map((key) => (
                          <Kbd key={key}>{NAMES[key] ?? key}</Kbd>
                        ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

const NAMES: Record<string, string> = { Escape: "Esc", Enter: "↵", ArrowDown: "↓", ArrowUp: "↑" };
