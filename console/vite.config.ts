/** For console/build.ts, and for `npx vite console`, which reloads what is edited and asks the service on port 8080. */
import { fileURLToPath } from "node:url";
import type { UserConfig } from "vite";

/** Browsers since the middle of 2024: they have `light-dark()`, which would otherwise be rewritten. */
const BROWSERS = ["chrome123", "firefox120", "safari17.5"];

const SERVICE = "http://127.0.0.1:8080";

const config: UserConfig = {
  root: fileURLToPath(new URL(".", import.meta.url)),
  publicDir: false,
  build: {
    target: BROWSERS,
    cssTarget: BROWSERS,
    // The policy of the page allows no data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(
      ["/api/", "/admin/", "/ingest/", "/media/", "/docs/", "/openapi.json", "/favicon.svg"].map((path) => [
        path,
        SERVICE,
      ]),
    ),
  },
};

export default config;
