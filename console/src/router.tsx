/** The pages and their addresses. What a page shows is in its address: links can be shared. Each page is a file of its own. */
import { createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import type { FunctionComponent } from "react";
import { NotFound } from "./layout/not-found.tsx";
import { Shell } from "./layout/shell.tsx";
import { lazyComponent } from "./ui/lazy-component.tsx";
import { PageFailed } from "./ui/states.tsx";

type Search = Record<string, unknown>;

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const text = (value: unknown): string | undefined => {
  const written = typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  return written === "" ? undefined : written;
};

/** Keeps the named parameters of an address, and those only if they have a value. A link drops one by undefined. */
function keep<Name extends string>(...names: Name[]): (search: Search) => { [Key in Name]?: string | undefined } {
  return (search) => {
    const kept: { [Key in Name]?: string } = {};
    for (const name of names) {
      const value = text(search[name]);
      if (value !== undefined) kept[name] = value;
    }
    return kept;
  };
}

/** A page whose address may have the named parameters. */
function page<Path extends string, Name extends string = never>(
  path: Path,
  load: () => Promise<FunctionComponent>,
  names: Name[] = [],
) {
  const getParentRoute = () => root;
  return createRoute({ getParentRoute, path, validateSearch: keep(...names), component: lazyComponent(load) });
}

const playground = createRoute({
  getParentRoute: () => root,
  path: "/playground",
  // The values of the form are here too, under the names of the operation's parameters.
  validateSearch: (search: Search): Record<string, string> =>
    Object.fromEntries(Object.entries(search).flatMap(([name, value]) => [[name, text(value) ?? ""]])),
  component: lazyComponent(async () => (await import("./pages/playground.tsx")).Playground),
});

export function createAppRouter() {
  return createRouter({
    routeTree: root.addChildren([
      page("/", async () => (await import("./pages/home.tsx")).Home),
      page("/explore", async () => (await import("./pages/explore.tsx")).Explore, ["q", "platform", "kind"]),
      page("/explore/$platform/account/$id", async () => (await import("./pages/account.tsx")).Account, ["tab"]),
      page("/explore/$platform/post/$id", async () => (await import("./pages/post.tsx")).Post, [
        "tab",
        "t",
        "lang",
        "find",
        "sort",
        "comment",
      ]),
      page("/explore/$platform/sound/$id", async () => (await import("./pages/sound.tsx")).Sound),
      page("/explore/$platform/hashtag/$name", async () => (await import("./pages/hashtag.tsx")).Hashtag),
      page("/explore/$platform/place/$id", async () => (await import("./pages/place.tsx")).Place),
      page("/trends", async () => (await import("./pages/trends.tsx")).Trends, [
        "of",
        "country",
        "period",
        "basis",
        "as_of",
      ]),
      page("/trends/charts", async () => (await import("./pages/charts.tsx")).Charts, [
        "country",
        "section",
        "day",
        "with",
      ]),
      page("/data", async () => (await import("./pages/data.tsx")).Data),
      page("/data/imports/$id", async () => (await import("./pages/import-report.tsx")).ImportReport),
      page("/data/live", async () => (await import("./pages/live.tsx")).Live),
      page("/data/erase", async () => (await import("./pages/erase.tsx")).Erase, ["platform", "kind", "id"]),
      playground,
      page("/access", async () => (await import("./pages/access.tsx")).Access),
    ]),
    defaultPreload: "intent",
    scrollRestoration: true,
    defaultErrorComponent: PageFailed,
    // Plain query strings: `?q=street+food`, not quoted JSON.
    parseSearch: (query) => Object.fromEntries(new URLSearchParams(query)),
    stringifySearch: (search) => {
      const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
      const query = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]));
      return query.size === 0 ? "" : `?${query.toString()}`;
    },
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
