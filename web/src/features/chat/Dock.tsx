import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import { useActiveConversation } from "@/shared/api/chat";
import { useConversation } from "@/shared/events/openConversation";
import { IconButton, SkeletonLines } from "@/shared/ui";
import { Chat } from "./Chat";
import { NARROWEST, setDock, useDock, WIDEST } from "./dock";
import { type Looking, useRecordTitle } from "./subject";

/** The chat beside every page; on narrow screens it covers the page. */
export function OpenDock({ looking }: { looking: Looking }) {
  const { width, pinned, isNew } = useDock();
  const panel = useRef<HTMLElement>(null);
  const { subject } = looking;
  const record = "kind" in subject ? subject : undefined;
  const follows = !pinned && !isNew && record !== undefined;
  const active = useActiveConversation(record?.kind ?? "", record?.id ?? "", follows);
  const shown = pinned ?? (follows ? (active.data?.id ?? null) : null);
  const name = useRecordTitle(record?.kind ?? null, record?.id ?? null) || looking.title;

  useEffect(() => {
    const opener = document.activeElement;
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    // React hears of keys in dialogs and menus that this opened, too.
    if (!panel.current?.contains(event.target as Node)) return;
    event.stopPropagation();
    setDock({ isOpen: false });
  }
  return (
    <aside
      ref={panel}
      aria-label="Chat"
      onKeyDown={onKeyDown}
      style={{ "--dock": `${width}px` } as React.CSSProperties}
      className="no-print relative flex w-(--dock) shrink-0 flex-col border-l border-line bg-raised max-lg:fixed max-lg:inset-0 max-lg:z-30 max-lg:w-full max-lg:border-l-0"
    >
      <Resizer width={width} />
      {follows && active.isPending ? (
        <div className="p-4">
          <SkeletonLines lines={6} />
        </div>
      ) : (
        <Chat
          shown={shown}
          subject={subject}
          title={name}
          examples={looking.examples}
          onShow={(id) => setDock({ pinned: id, isNew: id === null })}
          focusOn="dock"
          below={pinned && record && <Elsewhere pinned={pinned} record={record} name={name} />}
          end={
            <IconButton
              icon="close"
              label="Close the chat"
              hint="Esc"
              onPress={() => setDock({ isOpen: false })}
            />
          }
        />
      )}
    </aside>
  );
}

/** Says that the page is about another record than the conversation. */
function Elsewhere({
  pinned,
  record,
  name,
}: {
  pinned: string;
  record: { kind: string; id: string };
  name: string;
}) {
  const { session } = useConversation(pinned).state;
  if (!session || session.subjectId === record.id) return null;
  return (
    <div className="flex shrink-0 items-center gap-2 border-b border-line bg-sunken px-4 py-1 text-table">
      <span className="min-w-0 grow truncate text-muted">
        You have <bdi>{name}</bdi> open
      </span>
      <button
        type="button"
        onClick={() => setDock({ pinned: null, isNew: false })}
        className="min-h-8 touch-44 font-medium whitespace-nowrap text-accent hover:underline"
      >
        Ask about it
      </button>
    </div>
  );
}

const STEP = 24;

/** The left edge, which sets the width: by dragging, or with the arrow keys. */
function Resizer({ width }: { width: number }) {
  const from = useRef<{ x: number; width: number } | null>(null);
  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, width };
  }
  function onPointerMove(event: PointerEvent<HTMLDivElement>) {
    if (from.current) setDock({ width: from.current.width + from.current.x - event.clientX });
  }
  function onKeyDown(event: KeyboardEvent) {
    const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (!by) return;
    event.preventDefault();
    setDock({ width: width + by });
  }
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the chat"
      aria-valuenow={width}
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => (from.current = null)}
      onKeyDown={onKeyDown}
      className="absolute inset-y-0 -left-1 z-10 w-2 cursor-col-resize touch-none hover:bg-accent-soft max-lg:hidden"
    />
  );
}
