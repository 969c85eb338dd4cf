import { lazy } from "react";
import { definePackUi } from "@/shared/packs/packUi";

export default definePackUi({
  settings: {
    fees: {
      title: "Marketplace fees",
      about:
        "What marketplaces keep of a sale; net proceeds are computed with these figures.",
      Page: lazy(() =>
        import("./FeeTable").then((m) => ({ default: m.FeeTable })),
      ),
    },
  },
  conclusions: {
    "items/research": lazy(() =>
      import("./ItemConclusion").then((m) => ({ default: m.ItemConclusion })),
    ),
  },
});
