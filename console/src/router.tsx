/** The pages and their addresses. What a page shows is in its address: links can be shared. Each page is a file of its own. */
import { createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
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

/** Keeps the named parameters of an address, and those only if they have a value. */
function keep<Name extends string>(...names: Name[]): (search: Search) => { [Key in Name]?: string } {
  return (search) => {
    const kept: { [Key in Name]?: string } = {};
    for (const name of names) {
      const value = text(search[name]);
      if (value !== undefined) kept[name] = value;
    }
    return kept;
  };
}

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyComponent(async () => (await import("./pages/home.tsx")).Home),
});

const explore = createRoute({
  getParentRoute: () => root,
  path: "/explore",
  validateSearch: keep("q", "platform", "kind"),
  component: lazyComponent(async () => (await import("./pages/explore.tsx")).Explore),
});

const account = createRoute({
  getParentRoute: () => root,
  path: "/explore/$platform/account/$id",
  validateSearch: keep("tab"),
  component: lazyComponent(async () => (await import("./pages/account.tsx")).Account),
});

const post = createRoute({
  getParentRoute: () => root,
  path: "/explore/$platform/post/$id",
  validateSearch: keep("tab", "t", "lang", "find", "sort", "comment"),
  component: lazyComponent(async () => (await import("./pages/post.tsx")).Post),
});

const sound = createRoute({
  getParentRoute: () => root,
  path: "/explore/$platform/sound/$id",
  component: lazyComponent(async () => (await import("./pages/sound.tsx")).Sound),
});

const hashtag = createRoute({
  getParentRoute: () => root,
  path: "/explore/$platform/hashtag/$name",
  component: lazyComponent(async () => (await import("./pages/hashtag.tsx")).Hashtag),
});

const place = createRoute({
  getParentRoute: () => root,
  path: "/explore/$platform/place/$id",
  component: lazyComponent(async () => (await import("./pages/place.tsx")).Place),
});

const trends = createRoute({
  getParentRoute: () => root,
  path: "/trends",
  validateSearch: keep("of", "country", "period"),
  component: lazyComponent(async () => (await import("./pages/trends.tsx")).Trends),
});

const charts = createRoute({
  getParentRoute: () => root,
  path: "/trends/charts",
  validateSearch: keep("country", "section", "day", "with"),
  component: lazyComponent(async () => (await import("./pages/charts.tsx")).Charts),
});

const data = createRoute({
  getParentRoute: () => root,
  path: "/data",
  component: lazyComponent(async () => (await import("./pages/data.tsx")).Data),
});

const importReport = createRoute({
  getParentRoute: () => root,
  path: "/data/imports/$id",
  component: lazyComponent(async () => (await import("./pages/import-report.tsx")).ImportReport),
});

const live = createRoute({
  getParentRoute: () => root,
  path: "/data/live",
  component: lazyComponent(async () => (await import("./pages/live.tsx")).Live),
});

const erase = createRoute({
  getParentRoute: () => root,
  path: "/data/erase",
  validateSearch: keep("platform", "kind", "id"),
  component: lazyComponent(async () => (await import("./pages/erase.tsx")).Erase),
});

const access = createRoute({
  getParentRoute: () => root,
  path: "/access",
  component: lazyComponent(async () => (await import("./pages/access.tsx")).Access),
});

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
      home,
      explore,
      account,
      post,
      sound,
      hashtag,
      place,
      trends,
      charts,
      data,
      importReport,
      live,
      erase,
      playground,
      access,
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
