import { useDeferredValue, useEffect, useState } from "react";
import { Input, SearchField } from "react-aria-components";
import { Icon } from "@/shared/ui";

const PAUSE_MS = 150;

/** Searches while one types; the address follows once typing pauses. */
export function Search({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  const settled = useDeferredValue(text);
  // The address may change by itself: a view, or going back.
  const [known, know] = useState(value);
  if (known !== value) {
    know(value);
    setText(value);
  }
  useEffect(() => {
    if (settled === value) return;
    const timer = setTimeout(() => onChange(settled), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [settled, value, onChange]);
  return (
    <SearchField
      aria-label="Search this list"
      value={text}
      onChange={setText}
      className="flex h-8 w-full touch-44 items-center gap-2 rounded-ui border border-line-strong bg-raised px-2 focus-within:outline-2 focus-within:outline-accent sm:w-64"
    >
      <Icon name="search" className="text-muted" />
      <Input
        placeholder="Search"
        className="min-w-0 grow bg-transparent outline-none placeholder:text-muted"
      />
    </SearchField>
  );
}
