import "./styles.css";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { TriptychError } from "./api/client.ts";
import { SESSION_KEY } from "./api/session.ts";
import { createAppRouter } from "./router.tsx";

/** What is stored changes only with imports. */
const FRESH_MS = 60_000;

/** Where the session has ended, the frame shows the sign-in instead of the page. */
function onError(error: unknown): void {
  if (error instanceof TriptychError && error.status === 401) queryClient.setQueryData(SESSION_KEY, null);
}

const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      // The service may be on this machine: it is asked also where the browser sees no network.
      networkMode: "always",
      staleTime: FRESH_MS,
      refetchOnWindowFocus: false,
      // The client has retried already what a retry can help.
      retry: false,
    },
    // Otherwise what was asked for without a network would be done later by itself.
    mutations: { networkMode: "always" },
  },
});

const container = document.getElementById("app");
if (container === null) throw new Error("the page has no element #app");

createRoot(container).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createAppRouter()} />
    </QueryClientProvider>
  </StrictMode>,
);
