/** What a page shows instead of its content: loading, failed, empty, offline. */
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { TriptychError } from "../api/client.ts";
import { formatNumberOf, type Sized } from "./format.ts";
import { Icon, type IconName } from "./icons.tsx";
import { ComponentNotLoaded } from "./lazy-component.tsx";

/** Grey lines of about the size of what will come. */
export function Loading({ rows = 3, label = "Loading" }: { rows?: number; label?: string }) {
  return (
    <output className="loading" aria-busy="true">
      <span className="visually-hidden">{label}…</span>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} className="skeleton" />
      ))}
    </output>
  );
}

/** How much an empty list would have. */
export function PlatformCount({ of, one }: { of: Sized | undefined; one: string }) {
  const total = of?.platform_total ?? 0;
  return total === 0 ? null : <p>The platform counts {formatNumberOf(total, one)}.</p>;
}

export function Empty({ icon = "dot", title, children }: { icon?: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

interface FailedProps {
  error: unknown;
  retry?: () => void;
  /** Over an error that neither the service nor the network has caused. */
  title?: string;
}

export function Failed({ error, retry, title: otherwise = "This page cannot be shown" }: FailedProps) {
  const { title, detail } = describeFailure(error, otherwise);
  return (
    <div className="empty failed" role="alert">
      <Icon name="warning" />
      <h2>{title}</h2>
      <p dir="auto">{detail}</p>
      {retry === undefined ? null : (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** In place of a page that cannot be shown. */
export function PageFailed({ error, reset }: { error: unknown; reset: () => void }) {
  const forget = error instanceof ComponentNotLoaded ? error.forget : undefined;
  // A later visit tries again.
  useEffect(() => forget, [forget]);
  const retry = async () => {
    // Browsers do not request a file again that could not be loaded, until the page is reloaded.
    if (forget !== undefined && (await doesAnswer())) return location.reload();
    forget?.();
    reset();
  };
  return <Failed error={error} retry={() => void retry()} />;
}

function doesAnswer(): Promise<boolean> {
  return fetch("/", { method: "HEAD", cache: "no-store" }).then(
    () => true,
    () => false,
  );
}

function describeFailure(error: unknown, otherwise: string): { title: string; detail: string } {
  if (error instanceof TriptychError) {
    const scope = error.code === "insufficient_scope" ? "This token may not see that" : null;
    return { title: scope ?? error.problem?.title ?? "The service refused the request", detail: error.message };
  }
  if (error instanceof ComponentNotLoaded)
    return {
      title: "The code of this page could not be loaded",
      detail: "The service may be restarting or stopped, or have a newer console.",
    };
  // What `fetch` throws.
  if (error instanceof TypeError)
    return { title: "No answer from the service", detail: "It may be restarting, or stopped." };
  return { title: otherwise, detail: error instanceof Error ? error.message : String(error) };
}

export function isNotFound(error: unknown): boolean {
  return error instanceof TriptychError && error.status === 404;
}

function subscribe(onChange: () => void): () => void {
  addEventListener("online", onChange);
  addEventListener("offline", onChange);
  return () => {
    removeEventListener("online", onChange);
    removeEventListener("offline", onChange);
  };
}

export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <output className="offline-region">
      {isOnline ? null : <span className="offline">No network: a service on another machine cannot be reached.</span>}
    </output>
  );
}

interface QueryState<Data> {
  data: Data | undefined;
  error: unknown;
  isPending: boolean;
  refetch(): unknown;
}

/** The content of a query, or what stands in its place. */
export function Loaded<Data>({
  query,
  rows,
  children,
}: {
  query: QueryState<Data>;
  rows?: number;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.isPending && query.error == null) return <Loading {...(rows === undefined ? {} : { rows })} />;
  return <Failed error={query.error} retry={() => void query.refetch()} />;
}
