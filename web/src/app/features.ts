import { feature as chat } from "@/features/chat";
import { feature as files } from "@/features/files";
import { feature as imports } from "@/features/imports";
import { feature as inbox } from "@/features/inbox";
import { feature as jobs } from "@/features/jobs";
import { feature as records } from "@/features/records";
import { feature as research } from "@/features/research";
import { feature as runs } from "@/features/runs";
import { feature as schedules } from "@/features/schedules";
import { feature as wizards } from "@/features/wizards";
import { feature as settings } from "@/features/settings";
import type { Feature } from "@/shared/feature/feature";

/** What each feature adds to the shell; its routes are in `router.tsx`. */
export const features: readonly Feature[] = [
  records,
  research,
  wizards,
  chat,
  inbox,
  runs,
  jobs,
  schedules,
  settings,
  files,
  imports,
];
