import "@/shared/ui/tokens.css";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { I18nProvider } from "react-aria-components";
import { ApiError, isSignedOut } from "@/shared/api";
import { connection } from "@/shared/events/connection";
import { FeaturesProvider } from "@/shared/feature/feature";
import { locale, startPreferences, usePreferences } from "@/shared/format";
import { startAttention } from "@/shared/ui/attention";
import { sendOnce } from "@/shared/ui/doubleClick";
import { features } from "./features";
import { router } from "./router";

const RETRIES = 2;
startPreferences();
startAttention();
sendOnce();
connection.watch();
/** A session that ended is noticed at the first answer that says so: the shell leads to sign-in. */
function notice(error: unknown, key: readonly unknown[] = []): void {
  if (isSignedOut(error) && key[0] !== "me") void queries.invalidateQueries({ queryKey: ["me"] });
}
const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, { queryKey }) => notice(error, queryKey) }),
  mutationCache: new MutationCache({ onError: (error) => notice(error) }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) =>
        count < RETRIES && !(error instanceof ApiError && error.problem.status < 500),
    },
  },
});

function App() {
  usePreferences();
  return (
    <I18nProvider locale={locale()}>
      <QueryClientProvider client={queries}>
        <FeaturesProvider value={features}>
          <RouterProvider router={router} />
        </FeaturesProvider>
      </QueryClientProvider>
    </I18nProvider>
  );
}

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
