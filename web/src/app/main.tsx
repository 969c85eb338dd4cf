import "@/shared/ui/tokens.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { I18nProvider } from "react-aria-components";
import { ApiError } from "@/shared/api";
import { FeaturesProvider } from "@/shared/feature/feature";
import { locale, startPreferences, usePreferences } from "@/shared/format";
import { startAttention } from "@/shared/ui/attention";
import { features } from "./features";
import { router } from "./router";

const RETRIES = 2;
startPreferences();
startAttention();
const queries = new QueryClient({
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
