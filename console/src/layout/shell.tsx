/** The frame of every page: navigation, the search box, who is signed in. Without a session it shows the sign-in. */
import { Link, Outlet } from "@tanstack/react-router";
import { Suspense, useSyncExternalStore } from "react";
import { useSession, useSignOut } from "../api/session.ts";
import { Brand, Icon, type IconName } from "../ui/icons.tsx";
import { MediaSwitch } from "../ui/media.tsx";
import { Failed, Loading, OfflineNotice } from "../ui/states.tsx";
import { useDebounced } from "../ui/use-debounced.ts";
import { SearchBox } from "./search-box.tsx";
import { SignIn } from "./sign-in.tsx";

const PAGES = [
  { to: "/", label: "Home", icon: "home" },
  { to: "/explore", label: "Explore", icon: "search" },
  { to: "/trends", label: "Trends", icon: "trend" },
  { to: "/data", label: "Data", icon: "data" },
  { to: "/playground", label: "API", icon: "code" },
  { to: "/access", label: "Access", icon: "key" },
] as const satisfies readonly { to: string; label: string; icon: IconName }[];

export function Shell() {
  const { data: session, error, refetch } = useSession();
  if (session === null) return <SignIn />;
  if (session === undefined)
    return (
      <main className="alone">
        {error === null ? <Loading /> : <Failed error={error} retry={() => void refetch()} />}
      </main>
    );
  return (
    <div className="frame">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="side">
        <Link to="/" className="brand" aria-label="Triptych, home">
          <Brand />
          <span>Triptych</span>
        </Link>
        <nav aria-label="Pages" className="pages">
          {PAGES.map(({ to, label, icon }) => (
            <Link key={to} to={to} activeOptions={{ exact: to === "/" }}>
              <Icon name={icon} />
              <span>{label}</span>
            </Link>
          ))}
        </nav>
        <div className="side-end">
          <MediaSwitch />
          <a href="/docs/">Reference</a>
          <SignedIn name={session.name} />
        </div>
      </header>
      <div className="column">
        <search className="top">
          <SearchBox />
        </search>
        <OfflineNotice />
        <main id="content" tabIndex={-1}>
          <Suspense fallback={<Loading rows={6} />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <Announcer />
    </div>
  );
}

function SignedIn({ name }: { name: string }) {
  const signOut = useSignOut();
  return (
    <div className="signed-in">
      <span dir="auto" title="The token of this session">
        {name}
      </span>
      <button
        type="button"
        className="quiet"
        disabled={signOut.isPending}
        onClick={() => signOut.mutate({ everywhere: false })}
      >
        Sign out
      </button>
      {signOut.isError ? (
        <span className="error" role="alert">
          Still signed in: {signOut.error.message}
        </span>
      ) : null}
    </div>
  );
}

/** Says the title of a page that was opened without loading, as a browser does for one that was. */
function Announcer() {
  // A page may have a first title until its record is loaded.
  const title = useDebounced(
    useSyncExternalStore(subscribeToTitle, () => document.title),
    300,
  );
  return (
    <div className="visually-hidden" aria-live="polite">
      {title}
    </div>
  );
}

function subscribeToTitle(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.head, { childList: true, subtree: true });
  return () => observer.disconnect();
}
