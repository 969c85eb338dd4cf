import type { PackUi } from "./packUi";

const modules = import.meta.glob<{ default: PackUi }>(
  "../../../../src/whence/packs/*/ui/index.tsx",
  { eager: true },
);
const byPack = new Map(
  Object.entries(modules).map(([path, module]) => [path.split("/").at(-3) ?? "", module.default]),
);
const NONE: PackUi = {};

/** The pages that this pack ships with; empty for a pack without any. */
export const packUi = (pack: string): PackUi => byPack.get(pack) ?? NONE;
