import type { SVGProps } from "react";

/** Drawn on a 16 px grid with one stroke width; always beside a word or inside a labelled button. */
const PATHS = {
  inbox: "M2 9.5 3.6 3.6h8.8L14 9.5v3H2v-3Zm0 0h3.5c.3 1.2 1.1 2 2.5 2s2.2-.8 2.5-2H14",
  table: "M2 3h12v10H2V3Zm0 3.5h12M6 6.5V13",
  runs: "M2 8h2.5L6.5 3l3 10 2-5H14",
  jobs: "M3 4h10M3 8h10M3 12h6",
  wizard: "M4 2.5h8v11H4v-11Zm2 3h4M6 8h4m-4 2.5h2",
  page: "M4 2h5l3 3v9H4V2Zm5 0v3h3",
  settings:
    "M8 5.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4ZM8 1.8v1.6m0 9.2v1.6M1.8 8h1.6m9.2 0h1.6M3.6 3.6l1.2 1.2m6.4 6.4 1.2 1.2m0-8.8-1.2 1.2m-6.4 6.4-1.2 1.2",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9Zm3.3 7.8L14 14",
  chat: "M2.5 3h11v8H8l-3 2.5V11H2.5V3Z",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  close: "m4 4 8 8m0-8-8 8",
  check: "m3 8.5 3.2 3.2L13 5",
  down: "m4 6 4 4 4-4",
  right: "m6 4 4 4-4 4",
  left: "m10 4-4 4 4 4",
  up: "m4 10 4-4 4 4",
  out: "M6 3H3v10h10v-3M9 3h4v4m0-4L7.5 8.5",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 1.5V3m0 10v1.5M1.5 8H3m10 0h1.5M3.4 3.4l1 1m7.2 7.2 1 1m0-9.2-1 1m-7.2 7.2-1 1",
  moon: "M13 9.6A5.5 5.5 0 0 1 6.4 3 5.5 5.5 0 1 0 13 9.6Z",
  menu: "M2.5 4.5h11M2.5 8h11m-11 3.5h11",
  panel: "M2.5 3h11v10h-11V3Zm4 0v10",
  filter: "M2.5 3.5h11L9.5 8.2V13l-3-1.5V8.2l-4-4.7Z",
  refresh: "M13 8a5 5 0 1 1-1.6-3.7M13 2.5V5h-2.5",
  stop: "M4.5 4.5h7v7h-7v-7Z",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  warning: "M8 2.2 14.3 13H1.7L8 2.2Zm0 4.3v3m0 1.8v.1",
  info: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 5.2V11m0-6v.1",
  quote: "M6.5 5H3v4h3.5V5Zm0 4c0 1.5-.8 2.4-2 3m8.5-7H9.5v4H13V5Zm0 4c0 1.5-.8 2.4-2 3",
  person: "M8 2.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM3 13.5c.4-2.7 2.3-4 5-4s4.6 1.3 5 4",
  edit: "M10.5 3 13 5.5 6 12.5l-3 .5.5-3 7-7Z",
  history: "M3 8a5 5 0 1 0 1.6-3.7M3 2.5V5h2.5M8 5v3.2l2 1.3",
  keyboard: "M1.5 4h13v8h-13V4ZM4 6.5h.01M6.5 6.5h.01M9 6.5h.01M11.5 6.5h.01M5 9.5h6",
  up_down: "m5 6 3-3 3 3M5 10l3 3 3-3",
  import: "M8 2v7.5m0 0L5 6.6m3 2.9 3-2.9M2.5 11v2.5h11V11",
  calendar: "M2.5 3.5h11v10h-11v-10Zm0 3h11M5.5 2v2.5m5-2.5v2.5",
  research: "M6.5 2.5v4L3 13h10L9.5 6.5v-4m-4 0h5M5 10h6",
  bell: "M4 11V7.5a4 4 0 0 1 8 0V11l1 1.5H3L4 11Zm2.5 3h3",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({
  name,
  size = 16,
  ...rest
}: { name: IconName; size?: number } & Omit<SVGProps<SVGSVGElement>, "name">) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      {...rest}
      className={`shrink-0 ${rest.className ?? ""}`}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
