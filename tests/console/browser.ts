/** One Chromium for all tests of the console, and pages that write down everything a browser complains of. */
import { existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import chromium from "@sparticuz/chromium";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium as playwright,
  type Page,
} from "playwright-core";

export interface OpenBrowser {
  browser: Browser;
  close: () => Promise<void>;
}

/** What the npm package has. Elsewhere a Chromium is used that is installed. */
const IS_PACKAGED = process.platform === "linux" && process.arch === "x64";
const INSTALLED = IS_PACKAGED ? null : findInstalled();

/** Why the console cannot be tested here; false where it can. */
export const NO_BROWSER =
  !IS_PACKAGED &&
  INSTALLED === null &&
  `npm has no Chromium for ${process.platform} on ${process.arch}, and none is on PATH: install one (Debian: apt-get install chromium)`;

function findInstalled(): string | null {
  const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const folders = process.env["PATH"]?.split(delimiter) ?? [];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path)) ?? null;
}

/** The package unpacks Chromium into the temporary folder: here `folder`, which goes with the browser. */
async function unpackChromium(folder: string): Promise<string> {
  const { TMPDIR: before } = process.env;
  process.env["TMPDIR"] = folder;
  const path = await chromium.executablePath();
  if (before === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = before;
  return path;
}

export async function openBrowser(): Promise<OpenBrowser> {
  const folder = mkdtempSync(join(tmpdir(), "chromium-"));
  const executablePath = INSTALLED ?? (await unpackChromium(folder));
  const browser = await playwright.launch({ executablePath, headless: true });
  return {
    browser,
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
      // Chromium may be ended before it has removed its own.
      for (const name of globSync(".org.chromium.*", { cwd: tmpdir() }))
        rmSync(join(tmpdir(), name), { recursive: true, force: true });
    },
  };
}

export interface WatchedPage {
  page: Page;
  context: BrowserContext;
  /** Errors and warnings of the page, requests that failed, and requests to other hosts. */
  complaints: string[];
  close: () => Promise<void>;
}

/** Text that was run, and violations of the page's policy, are counted in the page. */
const COUNTERS = `
  globalThis.executed = [];
  globalThis.violations = [];
  document.addEventListener("securitypolicyviolation", (event) => globalThis.violations.push(event.violatedDirective + " " + event.blockedURI));
`;

/**
 * A browser that nobody has used: no cookie, nothing cached. Pages of one context share both. They are painted small, unless
 * somebody looks at them or measures how long they take.
 */
export async function openContext(
  browser: Browser,
  url: string,
  options: Pick<BrowserContextOptions, "deviceScaleFactor" | "timezoneId" | "storageState"> = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    deviceScaleFactor: 0.1,
    ...options,
    baseURL: url,
    colorScheme: "light",
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    locale: "en-GB",
  });
  await context.addInitScript(COUNTERS);
  return context;
}

export async function openPage(context: BrowserContext, url: string): Promise<WatchedPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  page.on("requestfailed", (request) => {
    // What a page no longer needs is cancelled.
    const reason = request.failure()?.errorText ?? "";
    if (reason !== "net::ERR_ABORTED") complaints.push(`failed: ${request.url()} ${reason}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !/^(?:blob|data):/.test(request.url()))
      complaints.push(`another host: ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, context, complaints, close: () => page.close() };
}

export async function signIn({ page }: WatchedPage, token: string, path = "/"): Promise<void> {
  await page.goto(path);
  await page.getByLabel("Access token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("combobox", { name: "Search all platforms" }).waitFor();
}

/**
 * Opens a known page of the console within the one that is open, as its links do: that takes a fraction of the processor
 * time of loading it. The page that is not found comes between, so that nothing of the page before is taken for this one.
 */
export async function visit(page: Page, path: string): Promise<void> {
  const notFound = page.getByRole("heading", { name: "There is no such page" });
  await page.evaluate(`history.pushState(null, "", "/no/such/page")`);
  await notFound.waitFor();
  await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
  await notFound.waitFor({ state: "detached" });
}
