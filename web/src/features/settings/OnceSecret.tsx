import { useEffect, useRef, useState } from "react";
import { Button, Dialog, Notice } from "@/shared/ui";

const SHOWN_MS = 2_000;

interface Props {
  label: string;
  secret: string;
  help: string;
}

/** The end of a dialog that made a secret: it is shown only now. */
export function OnceSecretDialog({
  title,
  onClose,
  ...shown
}: Props & { title: string; onClose: () => void }) {
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <OnceSecret {...shown} />
      <div className="mt-4 flex justify-end">
        <Button look="primary" onPress={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}

/** A secret's whole text, chosen, with a button that copies it. */
function OnceSecret({ label, secret, help }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => field.current?.select(), [secret]);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function copy() {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(secret);
    } catch {
      // Without a secure context there is no clipboard; the chosen text can be copied by hand.
      return;
    }
    setCopied(true);
  }
  return (
    <div className="flex flex-col gap-3">
      <Notice tone="caution">{help}</Notice>
      <div className="flex gap-2">
        <input
          ref={field}
          readOnly
          aria-label={label}
          value={secret}
          onFocus={(event) => event.target.select()}
          className="min-h-8 min-w-0 grow rounded-ui border border-line-strong bg-sunken px-2.5 font-mono text-table"
        />
        <Button icon={isCopied ? "check" : undefined} onPress={() => void copy()}>
          {isCopied ? "Copied" : "Copy"}
        </Button>
      </div>
    </div>
  );
}
