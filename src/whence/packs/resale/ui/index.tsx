import { lazy } from "react";
import { definePackUi } from "@/shared/packs/packUi";

export default definePackUi({
  conclusions: {
    "items/research": lazy(() =>
      import("./ItemConclusion").then((m) => ({ default: m.ItemConclusion })),
    ),
  },
});
