/** `node tests/console/take-picture.ts`: writes docs/pictures/console.png, a search of the demo data in the console, for the README. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openBrowser, openContext, openPage, signIn } from "./browser.ts";
import { startTestServer } from "../test-server.ts";
import { openTokenIssuer } from "../test-tokens.ts";
import { buildConsole, isStale } from "../../console/build.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "docs", "pictures");
/** The first results: the README is no place for a large file. */
const SIZE = { width: 1_200, height: 640 };

if (isStale()) await buildConsole();
const server = await startTestServer("demo");
const { browser, close } = await openBrowser();
try {
  const issuer = await openTokenIssuer(server);
  const { token } = await issuer.issue({ label: "researcher" });
  await issuer.close();
  const watched = await openPage(await openContext(browser, server.url, { deviceScaleFactor: 1 }), server.url);
  const { page } = watched;
  await page.setViewportSize(SIZE);
  await signIn(watched, token);
  await page.goto("/explore?q=street+food");
  await page.waitForLoadState("networkidle");
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, "console.png") });
} finally {
  await close();
  await server.close();
}
