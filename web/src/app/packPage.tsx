import { createRoute, getRouteApi } from "@tanstack/react-router";
import { packUi } from "@/shared/packs/registry";
import { shellRoute } from "@/shared/routing/routes";
import { NotFound } from "./NotFound";

/** A page of a pack's own. */
export const packPageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/packs/$pack/$page",
  component: PackPage,
});
/** Any other address: the navigation stays. */
export const unknownPageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "$",
  component: NotFound,
});
const route = getRouteApi("/shell/packs/$pack/$page");

function PackPage() {
  const { pack, page } = route.useParams();
  const found = packUi(pack).pages?.[page];
  return found ? <found.Page /> : <NotFound />;
}
