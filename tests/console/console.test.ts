/** The console in a real browser, on a real service with the demo world: what people come to do, from sign-in to sign-out. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import papaparse from "papaparse";
import type { Browser, BrowserContext } from "playwright-core";
import { scopesFor } from "#auth/scopes.ts";
import { blankRecord } from "#domain/blank-record.ts";
import { parseCountry } from "#domain/country.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { DAY_MS } from "#domain/time.ts";
import { budget, IS_FULL } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { until } from "#testing/until.ts";
import { buildConsole, isStale } from "../../console/build.ts";
import { listOperations, type OpenApi, toPython, toTypeScript } from "../../console/src/pages/operation-forms.ts";
import { formatPublished, formatPublishedAge, formatTimes, listCountries } from "../../console/src/ui/format.ts";
import { addTerm, removeTerm } from "../../console/src/pages/query-terms.ts";
import { sendRequest } from "../http-client.ts";
import { startTestServer, temporaryFolder, type TestServer } from "../test-server.ts";
import { openTokenIssuer } from "../test-tokens.ts";
import { aComment, aFollow, anAccount, aPost, aSound, CAPTURED_AT } from "../world.ts";
import {
  NO_BROWSER,
  type OpenBrowser,
  openBrowser,
  openContext,
  openPage,
  signIn,
  visit,
  type WatchedPage,
} from "./browser.ts";
import {
  HOSTILE_ACCOUNT,
  HOSTILE_PLACE,
  HOSTILE_POST,
  HOSTILE_SOUND,
  HOSTILE_TEXTS,
  HOSTILE_WORLD,
} from "./hostile-text.ts";
import { toUnit } from "#store/write/batch-changes.ts";

const TIMEOUT = { timeout: 120_000 };
const IN_BROWSER = { ...TIMEOUT, skip: NO_BROWSER };
/** More pages at a time finish no sooner, and take more of the processor. */
const TWO_AT_A_TIME = { ...IN_BROWSER, concurrency: 2 };
const MAX_SCRIPT_BYTES = 200_000;
const MAX_INTERACTIVE_MS = 1_000;
/** What differs from round to round by itself. */
const MAX_SLOWER = 1.1;
const ALL_SCOPES = scopesFor(PLATFORMS.map(({ name }) => name)).map(({ name }) => name);

/** Axe as text: it is run in pages whose policy allows no other script. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const AXE_RUN = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
  violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 160)).slice(0, 3).join(" ")))`;

/** Of the service's answer, what a test changes. */
interface Overview {
  countedAt: string;
  sources: { source: string }[];
  jobs: { newest: { startedAt: string } | null };
}

const VIDEO = {
  id: "dropped0001",
  title: "Lighthouse keeper at low tide",
  extractor_key: "Youtube",
  _type: "video",
  webpage_url: "https://www.youtube.com/watch?v=dropped0001",
  channel_id: "UCdroppedChannel000000001",
  uploader: "Nia Okafor",
  view_count: 4321,
  duration: 61,
  upload_date: "20260101",
};

let opened: OpenBrowser;
let browser: Browser;
/** With the demo world. */
let server: TestServer;
let token = "";

before(async () => {
  if (NO_BROWSER !== false) return;
  if (isStale()) await buildConsole();
  opened = await openBrowser();
  ({ browser } = opened);
  server = await startTestServer("demo", { RATE_LIMIT: "off" });
  token = await issueToken(server);
}, TIMEOUT);
after(async () => {
  await opened?.close();
  await server?.close();
});

async function issueToken(of: TestServer, label = "console"): Promise<string> {
  const issuer = await openTokenIssuer(of);
  const issued = await issuer.issue({ label, scopes: ALL_SCOPES });
  await issuer.close();
  return issued.token;
}

/** Nothing failed, nothing was loaded from elsewhere, nothing was run, nothing was refused by the policy. */
async function leave({ page, complaints, close }: WatchedPage): Promise<void> {
  assert.deepEqual(await page.evaluate("[executed, violations]"), [[], []]);
  assert.deepEqual(complaints, []);
  await close();
}

describe("lists of which a part is stored", IN_BROWSER, () => {
  const authorId = "6800000000000000021";
  const tallied = { authorId, hashtags: ["tidepools"], soundId: "7100000000000000921", placeId: "880921" };
  const captured = { capturedAt: CAPTURED_AT, source: "test", native: {} };
  const world = {
    accounts: [anAccount(authorId, "odile.brandt", { counters: { posts: 1_400, followers: 9_000, following: 12 } })],
    posts: [
      aPost("7300000000000000921", { ...tallied, text: "Low tide", counters: { comments: 73_500 } }),
      aPost("7300000000000000922", { ...tallied, text: "High tide", counters: { comments: 73_500 } }),
    ],
    comments: [
      aComment("c1", "7300000000000000921", { text: "Still water" }),
      aComment("c2", "7300000000000000921"),
      aComment("r1", "7300000000000000921", { parentId: "c1" }),
      aComment("c3", "7300000000000000929", { text: "Only a comment" }),
    ],
    sounds: [aSound("7100000000000000921", { title: "Rain", counters: { posts: 81_000 } })],
    hashtags: [{ ...captured, id: "tidepools", name: "tidepools", platformId: null, counters: { posts: 5_100 } }],
    places: [{ ...captured, ...blankRecord("place"), id: "880921", name: "Tern Quay", counters: { posts: 640 } }],
    follows: [aFollow(authorId, "6800000000000000022", null)],
  };
  let partial: TestServer;
  before(async () => {
    partial = await startTestServer([{ platform: "shortvideo", batch: world }], { RATE_LIMIT: "off" });
  }, TIMEOUT);
  after(() => partial?.close());

  async function openPages() {
    const context = await openContext(browser, partial.url);
    const watched = await openPage(context, partial.url);
    await signIn(watched, await issueToken(partial));
    const end = async () => {
      await leave(watched);
      await context.close();
    };
    const show = async (path: string, ...texts: string[]) => {
      await watched.page.goto(`/explore/shortvideo/${path}`);
      for (const text of texts) await watched.page.getByText(text, { exact: true }).first().waitFor();
    };
    return { ...watched, show, end };
  }

  test("every page says how much is stored and how much the platform counts", async () => {
    const { page, show, end } = await openPages();
    await show("post/7300000000000000921", "3 of 73,500 stored", "3 of 73,500 comments stored, replies included");
    await show("post/7300000000000000922", "0 of 73,500 stored", "No comments are stored");
    await page.getByText("The platform counts 73,500 comments.").waitFor();
    await show(`account/${authorId}`, "2 of 1,400 stored");
    await show(`account/${authorId}?tab=followers`, "1 of 9,000 followers stored, newest first");
    await show(`account/${authorId}?tab=following`, "The platform counts 12 followed accounts.");
    await show("sound/7100000000000000921", "2 of 81,000 posts stored, newest first");
    await show("hashtag/tidepools", "2 of 5,100 posts stored, newest first");
    await show("place/880921", "2 of 640 posts stored, newest first");
    await end();
  });

  test("a post of which only comments are stored has a page with them", async () => {
    const { page, show, end } = await openPages();
    await show(
      "post/7300000000000000929?tab=history",
      "Only comments on this post are stored; everything else about it is unknown.",
      "Only a comment",
      "1 comment, replies included",
    );
    assert.deepEqual(await page.getByRole("navigation", { name: "Of this post" }).getByRole("link").allTextContents(), [
      "Comments1",
    ]);
    await end();
  });
});

describe("the console", TWO_AT_A_TIME, () => {
  /** Signed in once: a session is the browser's, not the page's. */
  let context: BrowserContext;
  let storageState: Awaited<ReturnType<BrowserContext["storageState"]>>;

  before(async () => {
    // Pages that are opened while a context's state is read get no init script: so it is read where there are none.
    const first = await openContext(browser, server.url);
    const watched = await openPage(first, server.url);
    await signIn(watched, token);
    await leave(watched);
    storageState = await first.storageState();
    await first.close();
    context = await openContext(browser, server.url, { storageState });
  }, TIMEOUT);
  after(() => context?.close());

  async function open(path = "/"): Promise<WatchedPage> {
    const watched = await openPage(context, server.url);
    await watched.page.goto(path);
    await watched.page.getByRole("combobox", { name: "Search all platforms" }).waitFor();
    return watched;
  }

  test("from the first page to a trend, and from there to a post", async () => {
    const watched = await open();
    const { page } = watched;
    // The service may be on this machine: no network is no reason to wait.
    await page.evaluate("dispatchEvent(new Event('offline'))");
    await page.getByRole("link", { name: "Trends", exact: true }).click();
    await page.locator("[aria-live='polite'].visually-hidden", { hasText: "Trends · Triptych" }).waitFor();
    await page.getByLabel("Period").selectOption("30");
    const row = page.locator(".ranking tbody tr").first();
    await row.waitFor();
    const arriving = Promise.withResolvers<void>();
    await page.route("**/trending/songs?*", async (route) => {
      await arriving.promise;
      await route.continue();
    });
    await page.getByRole("link", { name: "Sounds" }).click();
    // Hashtags are not shown as sounds while these are on their way.
    await row.waitFor({ state: "detached" });
    arriving.resolve();
    await row.locator("svg.sparkline").waitFor();
    assert.match(page.url(), /\/trends\?.*of=sounds/);
    await row.getByRole("link").click();
    await page.getByRole("heading", { name: "Posts with this sound" }).waitFor();
    await page.locator(".post-card h3 a").first().click();
    await page.getByRole("link", { name: /^Comments/ }).waitFor();
    assert.match(page.url(), /\/explore\/shortvideo\/post\/\d+$/);
    // The demo's pictures come from the service.
    assert.match((await page.locator(".post-media img").getAttribute("src")) ?? "", /^\/media\//);
    await leave(watched);
  });

  test("the search box suggests, arrows choose, and a shared address comes back as it was", async () => {
    const watched = await open();
    const { page } = watched;
    await page.keyboard.press("/");
    await page.keyboard.type("street");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.getByRole("option").first().getAttribute("aria-selected"), "true");
    await page.keyboard.press("Escape");
    assert.equal(await page.getByRole("option").count(), 0);
    await page.keyboard.press("Enter");
    await page
      .getByRole("link", { name: /^Short video/ })
      .first()
      .click();
    await page.waitForURL(/platform=shortvideo/);
    await page.locator(".facets a:focus", { hasText: "Short video" }).waitFor();
    await page.setViewportSize({ width: 720, height: 900 });
    const count = await page.getByRole("status").filter({ hasText: "matches" }).textContent();
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    await page.reload();
    await page.getByRole("status").filter({ hasText: "matches" }).waitFor();
    assert.equal(await page.getByRole("status").filter({ hasText: "matches" }).textContent(), count);
    await page.locator(".post-card .tags a").first().waitFor();
    assert.equal(await page.locator(".facets a").first().isVisible(), false);
    // Filters that are folded on a narrow screen are there when it becomes a wide one.
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.locator(".facets a").first().waitFor();
    assert.deepEqual(
      requested.filter((path) => path.startsWith("/api/")),
      ["/api/search"],
      "cards need no request of their own",
    );
    const takePost = async () => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "CSV" }).click(),
      ]);
      const text = readFileSync(await download.path(), "utf8");
      const { data: rows } = papaparse.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
      return rows.find(({ kind = "post" }) => kind === "post");
    };
    const post = await takePost();
    const { author } = await server.json<{ author: { name: string; display_name: string } }>(
      `/api/post?platform=shortvideo&id=${post?.["id"]}`,
    );
    assert.deepEqual([post?.["author_name"], post?.["author_display_name"]], [author.name, author.display_name]);
    assert.match(post?.["published_at"] ?? "", /^\d{4}-.*Z$/, "a time as in exports");
    for (const path of ["post/7300000000000000001", "account/nora.lindqvist", "sound/7100000000000000001"]) {
      await page.goto(`/explore/shortvideo/${path}`);
      const row = await takePost();
      assert.ok(row?.["author_name"] && row["author_display_name"], `the author of a post in the CSV of ${path}`);
    }

    await page.goto("/explore?q=stret+foood&kind=post");
    await page.getByRole("status").filter({ hasText: "for street food; nothing matches" }).waitFor();
    const csv = await page.getByRole("link", { name: "CSV" }).getAttribute("href");
    assert.equal(csv, "/api/export/posts?where=street+food&format=csv");
    await leave(watched);
  });

  test("a search says if it is partial, what it did not search, and no number that is not exact", async () => {
    const watched = await open();
    const { page } = watched;
    await page.goto("/explore?q=where+can+I+find+a+good+moon+jar+sort:views+sort:views&kind=post");
    await page.getByRole("status").filter({ hasText: "No record has all words; these have some of them" }).waitFor();
    assert.match(await page.locator(".post-card .card-meta").first().innerText(), /some words/);
    const ignored = page.getByRole("list", { name: "Not searched" }).getByRole("listitem");
    assert.match(
      (await ignored.allInnerTexts()).join("\n"),
      /^Not searched: sort:views is not an operator; known are from:/,
    );
    assert.equal(await ignored.count(), 1, "a part that is repeated is named once");
    assert.equal(await page.locator(".facets a").first().isVisible(), true);
    assert.equal(await page.locator(".facets a small").count(), 0);
    assert.equal(await page.getByRole("link", { name: "CSV" }).count(), 0, "an export has full matches only");

    await page.goto("/explore?q=min_views:1");
    const counted = await page.getByRole("status").filter({ hasText: "matches" }).innerText();
    assert.match(counted, /^At least [\d,]+ matches$/);
    await page.getByText("Only exact numbers are shown.").waitFor();
    const month = page.locator(".facets section", { has: page.getByRole("heading", { name: "Month" }) });
    assert.equal(await month.locator("small").count(), 0);
    const months = await month.locator("a").allInnerTexts();
    assert.deepEqual(months, months.toSorted().toReversed());

    await page.goto("/explore?q=street+food&kind=account");
    await page
      .getByRole("status")
      .filter({ hasText: /^\d+ match/ })
      .waitFor();
    assert.ok((await page.locator(".facets a small").count()) > 0);
    assert.equal(await page.getByText("some words").count(), 0);
    await leave(watched);
  });

  test("an account: its growth as a chart, its followers as a list", async () => {
    // A clock is that of all pages of a context.
    const own = await openContext(browser, server.url, { storageState });
    const watched = await openPage(own, server.url);
    const { page } = watched;
    await page.goto("/explore/photoshare/account/luna.marchetti");
    await page.locator(".tile").first().waitFor();
    const takeCsv = async () => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("group", { name: "This page as data" }).getByRole("button", { name: "CSV" }).click(),
      ]);
      return readFileSync(await download.path(), "utf8")
        .trim()
        .split("\r\n");
    };
    const stored = await server.json<{ total: number }>("/api/posts?platform=photoshare&account=luna.marchetti");
    assert.ok(stored.total > 30, "more than the page loads at first");
    const posts = (await takeCsv()).filter((line) => line.startsWith("photoshare,"));
    assert.equal(posts.length, stored.total, "the whole list");
    await page.getByRole("link", { name: "Growth" }).click();
    await page.locator(".chart canvas").first().waitFor();
    await page.getByText("As a table").first().click();
    const captures = await page.locator(".chart-table").first().locator("tbody tr").count();
    assert.ok(captures > 1);
    const [header, ...rows] = await takeCsv();
    assert.match(header ?? "", /^at,.*followers/);
    assert.equal(rows.length, captures, "as the tab shows it");
    assert.match(rows[0] ?? "", /^\d{4}-\d\d-\d\dT/, "times as in exports");
    // A list that has grown old is loaded again before its next page is.
    await page.clock.install();
    const loaded: string[] = [];
    page.on("requestfinished", (request) => loaded.push(request.url()));
    for (const [tab, row, path] of [
      ["Followers", ".person-row", "/api/follows?"],
      ["Posts", ".tile", "/api/posts?"],
    ] as const) {
      await page.setViewportSize({ width: 1440, height: 300 });
      await page.getByRole("link", { name: tab }).click();
      await page.locator(row).first().waitFor();
      await page.clock.fastForward("02:00");
      await page.getByRole("link", { name: "Trends", exact: true }).click();
      await page.locator(".ranking").waitFor();
      loaded.length = 0;
      await page.setViewportSize({ width: 1440, height: 4_000 });
      await page.goBack();
      const isNext = (url: string) => url.includes(path) && url.includes("continuation_token");
      await until(async () => loaded.some(isNext));
      assert.ok(!isNext(loaded.find((url) => url.includes(path)) ?? ""), `${tab}: ${loaded.join("\n")}`);
    }
    await leave(watched);
    await own.close();
  });

  test("a chart of a past day, beside another day, and a video's ranks over time, in any time zone", async () => {
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
    for (const timezoneId of ["America/Los_Angeles", "Pacific/Auckland"]) {
      const own = await openContext(browser, server.url, { timezoneId, storageState });
      const watched = await openPage(own, server.url);
      const { page } = watched;
      await page.addInitScript(`globalThis.drawn = [];
        const { fillText } = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.fillText = function (text, ...where) {
          drawn.push(text);
          fillText.call(this, text, ...where);
        };`);
      await page.goto("/trends/charts?country=US");
      const option = page.getByRole("combobox", { name: "Day", exact: true }).locator("option").nth(1);
      const past = (await option.getAttribute("value")) ?? "";
      assert.equal(await option.textContent(), day.format(new Date(past)));
      await page.getByRole("combobox", { name: "Day", exact: true }).selectOption(past);
      await page.waitForURL((url) => url.searchParams.get("day") === past);
      const [other = ""] = await page.getByLabel("Compare with").selectOption({ index: 1 });
      await page.locator(".ranking .moved").first().waitFor();
      await page.getByRole("columnheader", { name: `Since ${day.format(new Date(other))}` }).waitFor();
      await page.getByRole("combobox", { name: "Day", exact: true }).selectOption(other);
      await page.getByRole("columnheader", { name: "Since" }).waitFor({ state: "detached" });
      assert.equal(await page.getByLabel("Compare with").inputValue(), "", "a day is not compared with itself");
      await page.route("/api/post?*", async (route) => {
        const response = await route.fetch();
        const { post, ...rest } = (await response.json()) as { post: object };
        const dated = { ...post, published_at: Date.UTC(2026, 0, 31) / 1000, approximate: ["published_at"] };
        await route.fulfill({ response, json: { ...rest, post: dated } });
      });
      await page.locator(".ranking th a").first().click();
      // Of a video that yt-dlp has captured, only the day is known.
      await page.locator(".traits").getByText("31 Jan 2026", { exact: true }).waitFor();
      await page.locator(".chart canvas").first().waitFor();
      await page.getByText("As a table").first().click();
      await page.getByRole("rowheader", { name: day.format(new Date(past)) }).waitFor();
      const days = await page.locator(".chart-table tbody th").allTextContents();
      const drawn = await page.evaluate<string[]>("drawn");
      const unlabelled = days.filter((text) => !drawn.includes(text.replace(/ \d{4}$/, "")));
      assert.deepEqual(unlabelled, [], "each day has its label below it");
      await leave(watched);
      await own.close();
    }
  });

  test("a file is dropped, imported, found and taken out again", async () => {
    const watched = await open("/data");
    const { page } = watched;
    await page.locator(".drop").waitFor();
    await page.getByLabel("Choose files").focus();
    const outlines = page.evaluate(
      "[...document.querySelectorAll('.drop label')].map((label) => getComputedStyle(label).outlineStyle)",
    );
    assert.deepEqual(await outlines, ["solid", "none"], "the ring is on what has the focus");
    const dropped = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(JSON.stringify(VIDEO))}], "dropped0001.info.json")); return data; })()`,
    );
    const held = Promise.withResolvers<void>();
    let uploads = 0;
    await page.route("/ingest/files", async (route) => {
      uploads++;
      await held.promise;
      await route.continue();
    });
    // Of a large store, the counts after an import are those of before for a while.
    const counted = Promise.withResolvers<void>();
    await page.route("/admin/overview", async (route) => {
      const response = await route.fetch();
      const { sources, jobs, ...rest } = (await response.json()) as Overview;
      const countedAt = jobs.newest?.startedAt ?? rest.countedAt;
      const known = sources.filter(({ source }) => source !== "yt-dlp");
      await page.unroute("/admin/overview");
      await route.fulfill({ response, json: { ...rest, jobs, countedAt, sources: known } });
      counted.resolve();
    });
    // A file that misses the box does not replace the page.
    const prevented = await page.evaluate(`["dragover", "drop"].map((type) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([""], "missed.json"));
      const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer });
      document.querySelector("h1").dispatchEvent(event);
      return event.defaultPrevented;
    })`);
    assert.deepEqual(prevented, [true, true]);
    await page.locator(".drop").dispatchEvent("drop", { dataTransfer: dropped });
    // One upload at a time.
    await until(() => page.getByLabel("Choose files").isDisabled());
    await page.locator(".drop").dispatchEvent("drop", { dataTransfer: dropped });
    held.resolve();
    await page.getByText(/^Imported: 1 document,/).waitFor();
    assert.equal(uploads, 1);
    await counted.promise;
    await page.getByRole("region", { name: "Sources" }).getByText("yt-dlp").first().waitFor();
    await page.getByRole("link", { name: "dropped0001.info.json" }).first().click();
    await page.getByRole("region", { name: "Files" }).getByText("dropped0001.info.json").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("lighthouse keeper");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: VIDEO.title }).waitFor();

    await page.goBack();
    await page.getByRole("button", { name: "Undo this import…" }).click();
    await page.getByRole("region", { name: "What would change" }).getByText("1 × post").waitFor();
    await page.locator("[aria-label='What would change']:focus").waitFor();
    await page.getByRole("button", { name: "Undo it" }).click();
    await page.locator(".figures").getByText("undone", { exact: true }).waitFor();
    await page.getByRole("region", { name: "Undone" }).getByText("1 × post").waitFor();
    await page.locator("[aria-label='Undone']:focus").waitFor();
    assert.equal((await server.get(`/api/longvideo/video/details?video_id=${VIDEO.id}`)).status, 404);
    await leave(watched);
  });

  test("a token is made, works, is revoked, and works no more; signing out leaves nothing", async () => {
    const own = await openContext(browser, server.url);
    const watched = await openPage(own, server.url);
    // Its sessions are ended everywhere: those of other tests have another token.
    const ownToken = await issueToken(server, "own console");
    await signIn(watched, ownToken, "/access");
    const { page } = watched;
    await page.getByLabel("What it is for").fill("made in a test");
    await page.getByLabel("Units per day").fill("5000");
    await page.getByRole("button", { name: "Create token" }).click();
    const made = (await page.locator(".new-token code").textContent()) ?? "";
    const headers = { authorization: `Bearer ${made}` };
    assert.equal((await server.get("/api/search?q=sunset", headers)).status, 200);
    await page
      .getByRole("row", { name: /made in a test/ })
      .getByText("5,000 per day", { exact: true })
      .waitFor();
    await page
      .getByRole("row", { name: /This session/ })
      .getByRole("button", { name: "Revoke own console and sign out" })
      .dblclick();
    await page.getByRole("button", { name: "Keep own console" }).click();
    // There is no undo: the first click asks, and the keyboard stays where it is.
    await page.getByRole("button", { name: "Revoke made in a test", exact: true }).press("Enter");
    await page.locator(":focus", { hasText: "Keep made in a test" }).press("Enter");
    await page.locator(":focus", { hasText: "Revoke made in a test" }).press("Enter");
    await page.getByRole("button", { name: "Keep made in a test" }).waitFor();
    assert.equal((await server.get("/api/search?q=sunset", headers)).status, 200);
    await page.getByRole("button", { name: "Revoke made in a test for good" }).click();
    await page
      .getByRole("row", { name: /made in a test/ })
      .getByText("revoked")
      .waitFor();
    await page.getByRole("region", { name: "Tokens" }).and(page.locator(":focus")).waitFor();
    assert.equal((await server.get("/api/search?q=sunset", headers)).status, 401);
    // A token is shown only once: each leads to where it stands, and none replaces another.
    await page.getByLabel("What it is for").fill("turned in a test");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.locator(".new-token:focus", { hasText: "turned in a test" }).waitFor();
    await page.getByRole("button", { name: "Rotate turned in a test" }).click();
    await until(async () => (await page.locator(".new-token").count()) === 3);
    const { y, height } = (await page.locator(".new-token:focus", { hasText: "turned in a test" }).boundingBox()) ?? {
      y: -1,
      height: 0,
    };
    assert.ok(y >= 0 && y + height <= 900, `from ${y}, ${height} high`);
    assert.ok((await page.locator(".new-token code").allTextContents()).includes(made));
    await page.locator(".new-token:focus").getByRole("button", { name: "Done" }).click();
    assert.equal(await page.locator(".new-token").count(), 2);
    // Where nothing answers, a page that was never opened says so, and the console stays.
    await own.setOffline(true);
    await page.getByRole("link", { name: "Trends", exact: true }).click();
    await page.getByRole("alert").getByText("could not be loaded").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await until(() =>
      Promise.resolve(watched.complaints.filter((text) => text.includes("not be loaded")).length === 2),
    );
    await own.setOffline(false);
    for (const complaint of watched.complaints.splice(0))
      assert.match(complaint, /ERR_INTERNET_DISCONNECTED|the code of the page could not be loaded/);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".ranking").waitFor();
    await page.route("/admin/session", (route) => route.fulfill({ status: 503 }), { times: 1 });
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("alert").getByText("Still signed in").waitFor();
    for (const complaint of watched.complaints.splice(0)) assert.match(complaint, /status of 503/);
    const cookieOf = async () => {
      const cookie = (await own.cookies()).find(({ name }) => name.includes("session"));
      return { authorization: null, cookie: `${cookie?.name}=${cookie?.value}` };
    };
    const copied = await cookieOf();
    assert.equal((await sendRequest(server.url, { path: "/admin/session", headers: copied })).status, 200);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Access token").waitFor();
    assert.equal(
      (await sendRequest(server.url, { path: "/admin/session", headers: copied })).status,
      401,
      "a copy of the cookie is of no use",
    );
    assert.equal(await page.getByText("Your session has ended").count(), 0, "nobody is told what they just did");
    assert.deepEqual(
      (await own.cookies()).filter(({ name }) => name.includes("session")),
      [],
    );
    await signIn(watched, ownToken, "/access");
    const elsewhere = await cookieOf();
    await own.clearCookies();
    await page.goto(`${server.url}/access`);
    await signIn(watched, ownToken, "/access");
    await page.getByRole("region", { name: "Sessions" }).getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByLabel("Access token").waitFor();
    assert.equal((await sendRequest(server.url, { path: "/admin/session", headers: elsewhere })).status, 401);
    // A session that has ended leads to the sign-in, also from a form.
    await signIn(watched, ownToken, "/data/erase?platform=shortvideo&kind=account&id=nora.lindqvist");
    await own.clearCookies();
    await page.getByRole("button", { name: "See what would go" }).click();
    await page.getByRole("status").getByText("Your session has ended").waitFor();
    await page.reload();
    await page.getByRole("status").getByText("Your session has ended").waitFor();
    for (const complaint of watched.complaints.splice(0)) assert.match(complaint, /status of 401/);
    await leave(watched);
    await own.close();
  });

  test("an account is erased: first what would go, then for good", async () => {
    const { page, ...watched } = await open("/explore/shortvideo/account/willaokoro");
    await page.getByRole("link", { name: "Erase…" }).click();
    await page.getByRole("button", { name: "See what would go" }).click();
    await page
      .getByRole("region", { name: "What would go" })
      .getByText(/^\d+ posts$/)
      .waitFor();
    await page.getByText(/^1 account$/).waitFor();
    assert.equal((await server.get("/api/posts?platform=shortvideo&account=willaokoro")).status, 200);
    await page.locator("[aria-label='What would go']:focus").waitFor();
    await page.getByRole("button", { name: "Erase for good" }).click();
    await page.locator("[aria-label='Erased']:focus").waitFor();
    assert.equal((await server.get("/api/posts?platform=shortvideo&account=willaokoro")).status, 404);
    await page.goto("/explore/shortvideo/account/willaokoro");
    await page.getByText("willaokoro is not stored").waitFor();
    for (const complaint of watched.complaints.splice(0)) assert.match(complaint, /status of 404/);
    await leave({ page, ...watched });
  });

  test("how long records are kept is set, after what would go was shown, and taken back", async () => {
    const admin = { authorization: `Bearer ${token}` };
    const watched = await open("/data");
    const { page } = watched;
    const days = page.getByLabel("Days, 0 for ever");
    assert.equal(await days.inputValue(), "", "nobody sets a rule by chance");
    await page.getByText(/A rule deletes .* within the hour/).waitFor();
    const wouldGo = page.locator("[aria-label='What would go']:focus");
    const preview = async (value: string, text: RegExp) => {
      await days.fill(value);
      await page.getByRole("button", { name: "See what would go" }).click();
      await wouldGo.getByText(text).waitFor();
    };
    await page.getByLabel("Keep").selectOption("chart");
    await preview("1", /^[\d,]+ × chart$/);
    assert.deepEqual((await server.json<{ rules: object[] }>("/admin/retention", admin)).rules, []);
    await page.getByLabel("Keep").selectOption("comment");
    await preview("400", /^Nothing that is stored now/);
    await wouldGo.getByRole("button", { name: "Set the rule" }).click();
    await page.getByText("400 days after the last capture").waitFor();
    await page.locator("[aria-labelledby='retention']:focus").waitFor();
    await page.route("/admin/retention?*", (route) => route.fulfill({ status: 503 }), { times: 1 });
    await page.getByRole("button", { name: "Remove this rule" }).click();
    await page.getByRole("alert").waitFor();
    for (const complaint of watched.complaints.splice(0)) assert.match(complaint, /status of 503/);
    await page.getByRole("button", { name: "Remove this rule" }).click();
    await page.getByText("400 days after the last capture").waitFor({ state: "detached" });
    await page.locator("[aria-labelledby='retention']:focus").waitFor();
    await leave(watched);
  });

  test("a watch is added, paused and removed, and sources show their quota", async () => {
    const watched = await open("/data");
    const { page } = watched;
    await page.getByRole("link", { name: "Live sources" }).click();
    await page.getByText("10,000 units a day").waitFor();
    await page.getByLabel("Which").fill("@tarnsideweavers");
    await page.getByRole("button", { name: "Add watch" }).click();
    await page.getByRole("button", { name: "Pause @tarnsideweavers" }).click();
    await page
      .getByRole("row", { name: /@tarnsideweavers/ })
      .getByText("paused")
      .waitFor();
    await page.getByRole("button", { name: "Remove @tarnsideweavers" }).click();
    await page.getByRole("row", { name: /@tarnsideweavers/ }).waitFor({ state: "detached" });
    await page.locator("[aria-labelledby='watches']:focus").waitFor();
    await leave(watched);
  });

  test("every operation is a form: one is sent, seen with its headers, and taken along as code", async () => {
    // What is no parameter of the operation is no part of the code: an address may come from anyone.
    const foreign = "x){globalThis.foreign}(";
    const address = new URLSearchParams({
      operation: "photoshare/get-profile-v2",
      username_or_url: "luna.marchetti",
      [foreign]: "1",
    });
    const watched = await open(`/playground?${address.toString()}`);
    const { page } = watched;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const operations = page.getByRole("navigation", { name: "Operations" }).getByRole("link");
    await operations.first().waitFor();
    assert.ok((await operations.count()) >= 31);
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".status.good").waitFor();
    await page.getByText(/^\d+ headers$/).click();
    await page.getByText("api-version").waitFor();
    assert.equal(await page.getByText("preference-applied").count(), 0, "it is what the code below returns");
    for (const [name, text] of [
      ["curl", "--data-urlencode 'username_or_url="],
      ["TypeScript", "triptych.photoshare.getProfileV2({ username_or_url:"],
      ["Python", "triptych.photoshare.get_profile_v2(username_or_url="],
    ] as const) {
      await page.getByRole("button", { name }).click();
      const copied = await page.evaluate<string>("navigator.clipboard.readText()");
      assert.ok(copied.includes(text), copied);
      assert.ok(!copied.includes("Prefer") && !copied.includes("foreign"), copied);
    }
    await page.getByRole("link", { name: "Trends", exact: true }).click();
    await page.locator(".ranking").waitFor();
    await page.getByRole("group", { name: "This page as data" }).getByRole("button", { name: "curl" }).click();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    assert.ok(copied.includes("-H 'Prefer: unknown=null'"), copied);
    await leave(watched);
  });

  const PAGES = [
    "/explore/nothing/here",
    "/",
    "/explore",
    "/explore?q=street+food",
    "/explore/photoshare/account/luna.marchetti",
    "/explore/photoshare/account/luna.marchetti?tab=growth",
    "/explore/longvideo/post/demoVideo01",
    "/explore/longvideo/post/demoVideo01?tab=subtitles",
    "/explore/longvideo/post/demoVideo01?tab=fields",
    "/trends",
    "/trends/charts",
    "/data",
    "/data/live",
    "/data/erase?platform=shortvideo&kind=account&id=nora.lindqvist",
    "/playground",
    "/access",
  ];
  const SCREENS = [
    { width: 1440, height: 900, colorScheme: "light" },
    { width: 390, height: 844, colorScheme: "dark" },
  ] as const;

  test("what the first pages propose to search is found in the demo data", async () => {
    const watched = await open("/explore");
    const { page } = watched;
    const proposals = await page.locator("main a[href^='/explore?q=']").allTextContents();
    assert.ok(proposals.length > 3, proposals.join());
    await page.goto("/");
    const request = page.getByRole("link", { name: "Send a request" });
    const { searchParams } = new URL((await request.getAttribute("href")) ?? "", server.url);
    for (const q of [...proposals, searchParams.get("q") ?? ""]) {
      const response = await page.request.get(`/api/search?${new URLSearchParams({ q }).toString()}`);
      const { results } = (await response.json()) as { results: unknown[] };
      assert.ok(results.length > 0, q);
    }
    await leave(watched);
  });

  test("above the comments stands how many are stored of those that the platform counts", async () => {
    const { results } = await server.json<{ results: { id: string }[] }>(
      "/api/search?q=street&kind=post&platform=photoshare",
    );
    const posts = results.map(({ id }) =>
      server.json<{ stored: number; platform_total: number; comments: object[] }>(
        `/api/post?platform=photoshare&id=${id}`,
      ),
    );
    const at = (await Promise.all(posts)).findIndex(({ comments: { length } }) => length > 0 && length < 10);
    const { stored, platform_total: total } = (await posts[at]) as { stored: number; platform_total: number };
    const watched = await open(`/explore/photoshare/post/${results[at]?.id}`);
    const { page } = watched;
    assert.ok(stored < total);
    await page.getByText(`${stored} of ${total} comments stored`).waitFor();
    await page.getByRole("link", { name: `Comments${stored} of ${total} stored` }).waitFor();
    // Another order, and another language, leave the reader where they are.
    const chooseByKeyboard = async (name: string, response: RegExp) => {
      await page.getByRole("link", { name }).focus();
      await Promise.all([page.waitForResponse(response), page.keyboard.press("Enter")]);
      assert.equal(await page.evaluate("document.activeElement.textContent"), name);
    };
    await chooseByKeyboard("most liked", /\/api\/post\?.*sort=top/);
    // Where no capture has the platform's count of replies, the stored ones can be read all the same.
    await page.route(
      ({ pathname, searchParams }) => pathname === "/api/post" && !searchParams.has("replies_to"),
      async (route) => {
        const response = await route.fetch();
        const post = (await response.json()) as { comments: { counters: { replies: number | null } }[] };
        for (const { counters } of post.comments) counters.replies = null;
        await route.fulfill({ response, json: post });
      },
    );
    await page.reload();
    await page.getByRole("button", { name: "Replies", exact: true }).first().click();
    await page.locator(".replies li").or(page.getByText("No replies are stored.")).first().waitFor();
    // A comment that a search leads to stands above the others; a reply, with what it replies to.
    await page.unrouteAll();
    const found = page.getByRole("region", { name: "The comment that was found" });
    await page.goto("/explore?q=tried+your+recipe&kind=comment");
    const link = page.locator(".small-card h3 a").first();
    const words = (await link.textContent()) ?? "";
    await link.click();
    await found.getByText(words, { exact: true }).waitFor();
    const comments = "/api/post?platform=longvideo&id=demoVideo01&sort=top";
    type Listed = { comments: { id: string; text: string; counters: { replies?: number } }[] };
    const parent = (await server.json<Listed>(comments)).comments.find(({ counters }) => (counters.replies ?? 0) > 0);
    const { comments: replies } = await server.json<Listed>(`${comments}&replies_to=${parent?.id}`);
    await page.goto(`/explore/longvideo/post/demoVideo01?comment=${replies[0]?.id}`);
    await found
      .locator(".comment ~ .replies")
      .getByText(replies[0]?.text ?? "", { exact: true })
      .waitFor();
    await page.goto("/explore/longvideo/post/demoVideo01?tab=subtitles");
    await chooseByKeyboard("Spanish (automatic)", /\/api\/subtitles\?.*lang=es/);
    await leave(watched);
  });

  test("guides and the list of errors are dark where the reader prefers it", async () => {
    const watched = await openPage(context, server.url);
    const { page } = watched;
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto("/docs/errors");
    assert.equal(await page.evaluate("getComputedStyle(document.body).color"), "rgb(255, 255, 255)");
    await leave(watched);
  });

  test("axe finds nothing serious on any page at 1440 px, light, and at 390 px, dark", async () => {
    const watched = await openPage(context, server.url);
    const { page } = watched;
    // Sent to the browser once: it is half a megabyte.
    await page.addInitScript(AXE);
    const checkOn = async ({ width, height, colorScheme }: (typeof SCREENS)[number], path: string) => {
      const fits = await page.evaluate("document.documentElement.scrollWidth <= innerWidth");
      assert.equal(fits, true, `${path} is wider than a screen of ${width} px`);
      const found = await page.evaluate<string[]>(AXE_RUN);
      assert.deepEqual(found, [], `${path}, ${width} by ${height} px, ${colorScheme}`);
    };
    const show = async ({ width, height, colorScheme }: (typeof SCREENS)[number]) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
    };
    for (const [number, path] of PAGES.entries()) {
      // Every second page is opened on the small screen. On a further screen it is seen without being opened again.
      const screens = number % 2 === 0 ? SCREENS : SCREENS.toReversed();
      for (const [at, screen] of screens.slice(0, budget("screens")).entries()) {
        await show(screen);
        if (at === 0) await (number < budget("loadedPages") ? page.goto(path) : visit(page, path));
        else
          await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
        await page.locator("main h1, main .page-head").first().waitFor();
        await page.locator("[aria-busy]").first().waitFor({ state: "detached" });
        if (at === 0) {
          assert.equal(await page.evaluate("scrollY"), 0, `${path} opens at its top`);
          const isTabShown = `(document.querySelector(".tabs [aria-current]")?.getBoundingClientRect().right ?? 0) <= innerWidth`;
          assert.equal(await page.evaluate(isTabShown), true, `${path}: the open tab is on the screen`);
        }
        await checkOn(screen, path);
      }
    }
    await page.route("/admin/session", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), scopes: [] } });
    });
    await show(SCREENS[1]);
    await page.goto("/data");
    await page.getByText("npx triptych token create").waitFor();
    await checkOn(SCREENS[1], "a page that the token may not see");
    await leave(watched);
  });
});

const LINES = 10_000;
const MAX_FRAME_MS = 50;
/** On a machine that is busy with other tests, caches are cold again and again. */
const ATTEMPTS = 4;

/** Scrolls through the page in steps of most of a screen, a step a frame. */
const SCROLL = `new Promise((resolve) => {
  scrollTo(0, 0);
  let steps = 0;
  const step = () => {
    if (++steps > 120) resolve(scrollY);
    else { scrollBy(0, 700); requestAnimationFrame(step); }
  };
  requestAnimationFrame(step);
})`;

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Processor time in microseconds: other programs of a busy machine are not counted. */
  tdur?: number;
  args?: { name?: string };
}

/** The longest task of a page's main thread in milliseconds: no frame takes longer. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString("utf8")) as { traceEvents: TraceEvent[] };
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const durations = traceEvents.flatMap(({ name, pid, tid, tdur = 0 }) =>
    name.endsWith("RunTask") && tdur > 0 && threads.has(`${pid} ${tid}`) ? [tdur / 1000] : [],
  );
  assert.ok(durations.length > 100, `${durations.length} tasks`);
  return Math.max(...durations);
}

describe("imported text in the console", TWO_AT_A_TIME, () => {
  let hostile: TestServer;
  let context: BrowserContext;

  before(async () => {
    hostile = await startTestServer(HOSTILE_WORLD, { RATE_LIMIT: "off" });
    context = await openContext(browser, hostile.url);
    const watched = await openPage(context, hostile.url);
    await signIn(watched, await issueToken(hostile));
    await leave(watched);
  }, TIMEOUT);
  after(async () => {
    await context?.close();
    await hostile?.close();
  });

  test("200 texts that try to run are shown as text, on every page that shows any", async () => {
    assert.equal(new Set(HOSTILE_TEXTS).size, 200);
    const watched = await openPage(context, hostile.url);
    const { page } = watched;
    // All rows of a long list are on a screen that is high enough.
    const high = { width: 1440, height: 30_000 };
    await page.setViewportSize(high);
    const post = `/explore/shortvideo/post/${HOSTILE_POST}`;
    const account = `/explore/shortvideo/account/${HOSTILE_ACCOUNT}`;
    const searches = ["/explore?q=hostile&kind=post", "/explore?q=hostile&kind=comment"];
    const lists = [...searches, account, post, `${post}?tab=subtitles`, `${account}?tab=followers`];
    const countShown = async () => {
      const text = await page.evaluate<string>("document.body.innerText");
      return HOSTILE_TEXTS.filter((one) => text.includes(one.replace("\u202e", ""))).length;
    };
    // They have the cards of the search before them.
    const cards = [
      `/explore/shortvideo/sound/${HOSTILE_SOUND}`,
      `/explore/shortvideo/place/${HOSTILE_PLACE}`,
      "/explore/shortvideo/hashtag/hostile",
    ];
    let pages = 0;
    for (const path of [
      "/",
      ...lists,
      "/explore?q=hostile&kind=subtitle",
      `${post}?tab=fields`,
      "/data",
      "/trends",
      ...cards,
    ]) {
      // On a screen of usual height a list has only its first cards.
      if (path === cards[budget("hostileLists")]) await page.setViewportSize({ ...high, height: 900 });
      const isLoaded = pages < budget("loadedPages");
      await (isLoaded ? page.goto(path) : visit(page, path));
      await page.locator("main .page-head").waitFor();
      await page.locator("[aria-busy]").first().waitFor({ state: "detached" });
      if (isLoaded) await page.waitForLoadState("networkidle");
      // What is no web address is no link, and shown all the same.
      if (path === account) {
        await page.locator(".links").getByText("javascript:").waitFor();
        assert.equal(await page.locator(".links a").count(), 0);
      }
      // Between two pages of a list, a busy machine may request nothing for a while.
      if (lists.includes(path)) await until(async () => (await countShown()) === 200);
      // What is on screen has been painted, and pictures are refused, before the second frame.
      await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
      assert.deepEqual(await page.evaluate("[executed, violations]"), [[], []], path);
      pages++;
    }
    await leave(watched);
    reportClaim("Imported text never runs in the console", `0 of 200 texts on ${pages} pages, 0 policy reports`);
  });

  test("files with hostile names and contents are reported as text", async () => {
    const watched = await openPage(context, hostile.url);
    const { page } = watched;
    await page.goto("/data");
    await page.locator(".drop").waitFor();
    await page.getByLabel("Choose files").setInputFiles(
      HOSTILE_TEXTS.slice(0, 40).map((text) => ({
        name: `${text.replaceAll(/[/\\]/g, "")}.json`,
        mimeType: "application/json",
        buffer: Buffer.from(JSON.stringify({ id: text, [text]: text })),
      })),
    );
    assert.equal(await page.getByLabel("Choose files").inputValue(), "", "the same files can be chosen again");
    await page.getByText(/^Imported: \d+ documents/).waitFor();
    await page.locator(".import-card a").click();
    await page.locator(".rows-box li[aria-setsize='40']").first().waitFor();
    // The console has none of the options that the reasons name.
    await page.locator("code", { hasText: "npx triptych import" }).waitFor();

    // A form has at most 100 files. What became of the first is told also where the second is refused.
    await page.goto("/data");
    let forms = 0;
    await page.route("/ingest/files", (route) =>
      ++forms === 2 ? route.fulfill({ status: 429, json: { detail: "too many queued imports" } }) : route.continue(),
    );
    await page.getByLabel("Choose files").setInputFiles(
      Array.from({ length: 101 }, (_, index) => ({
        name: `part-${index}.json`,
        mimeType: "application/json",
        buffer: Buffer.from(JSON.stringify({ ...VIDEO, id: `parted${index}` })),
      })),
    );
    await page.getByRole("alert").getByText("too many queued imports").waitFor();
    await page.getByText("1 file was not sent.").waitFor();
    await page.getByText(/^Imported: 100 documents/).waitFor();
    await page.getByRole("link", { name: "part-0.json and 99 more" }).first().waitFor();
    for (const complaint of watched.complaints.splice(0)) assert.match(complaint, /status of 429/);
    // The names of folders say what is in a file.
    const folder = temporaryFolder();
    mkdirSync(join(folder.path, "mira.holm", ":tagged"), { recursive: true });
    writeFileSync(join(folder.path, "mira.holm", ":tagged", "chosen.json"), "{}");
    await page.getByLabel("Choose a folder").setInputFiles(join(folder.path, "mira.holm"));
    await page.getByRole("link", { name: "mira.holm/：tagged/chosen.json" }).first().waitFor();
    folder.remove();
    const dropped = await page.evaluateHandle(`(() => {
      const entries = [
        { isFile: true, fullPath: "/mira.holm/dropped.json", file: (taken) => taken(new File(["{}"], "dropped.json")) },
        { isFile: true, file: (_, refused) => refused(new DOMException("the file is gone", "NotFoundError")) },
      ];
      DataTransferItem.prototype.webkitGetAsEntry = () => entries.shift();
      const data = new DataTransfer();
      data.items.add(new File([""], "dropped.json"));
      return data;
    })()`);
    await page.locator(".drop").dispatchEvent("drop", { dataTransfer: dropped });
    await page.getByRole("link", { name: "mira.holm/dropped.json" }).first().waitFor();
    // A file may be gone by the time it is read.
    await page.locator(".drop").dispatchEvent("drop", { dataTransfer: dropped });
    await page.getByRole("alert").getByText("the file is gone").waitFor();
    await page.route(/\/admin\/jobs(?:\?before=.*)?$/, (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set("limit", "1");
      return route.continue({ url: url.href });
    });
    await page.reload();
    const imports = page.getByRole("region", { name: "Imports" }).locator("tbody tr");
    await page.getByRole("button", { name: "More imports" }).click();
    await imports.nth(1).waitFor();
    assert.equal(await imports.count(), 2);
    await leave(watched);
  });
});

test("a first start without data leads to import, and the demo data is one click away", IN_BROWSER, async () => {
  const started = await startTestServer([]);
  try {
    const context = await openContext(browser, started.url);
    const watched = await openPage(context, started.url);
    const { page } = watched;
    const own = await issueToken(started);
    await signIn(watched, own);
    await page.getByText("Drop files or folders to import").waitFor();
    const trends = await openPage(context, started.url);
    await trends.page.goto("/trends");
    await trends.page.getByText("Rankings are computed within about a minute of an import").waitFor();
    await page.getByRole("button", { name: "Add the demo data" }).click();
    await page.getByRole("link", { name: "the demo world" }).waitFor();
    const admin = { authorization: `Bearer ${own}` };
    const add = () => fetch(`${started.url}/admin/demo`, { method: "POST", headers: admin });
    assert.equal((await add()).status, 409, "it is being added");
    await page.locator(".trend-cards a").first().waitFor({ timeout: 110_000 });
    await trends.page.locator(".ranking").waitFor();
    await leave(trends);
    // On a slow machine, rankings of its first records are there before its last ones.
    const job = await until(async () => {
      const answer = await started.json<{ job: { state: string; records: { new: number } } }>(
        "/admin/jobs/demo",
        admin,
      );
      return answer.job.state !== "running" && answer.job;
    });
    assert.equal(job.state, "done");
    assert.ok(job.records.new > 20_000, `${job.records.new} records`);
    // Its thread ends shortly after the job.
    await until(async () => /the store has records/.test(await (await add()).text()));
    const { entries } = await started.json<{ entries: { action: string }[] }>("/admin/audit", admin);
    assert.deepEqual(
      entries.map(({ action }) => action),
      ["demo.add"],
    );
    await leave(watched);
    await context.close();
  } finally {
    await started.close();
  }
});

test("the playground writes numbers as numbers only where the operation takes numbers", () => {
  const operations = listOperations(JSON.parse(readFileSync("openapi.json", "utf8")) as OpenApi);
  const operation = operations.find(({ name }) => name === "shortvideo/search/general");
  assert.ok(operation !== undefined);
  const values = { keyword: "tide", cursor: "07", search_id: "0" };
  const python = toPython(operation, values, "http://localhost");
  assert.ok(python.includes('(keyword="tide", cursor=7, search_id="0")'), python);
  const script = toTypeScript(operation, values, "http://localhost");
  assert.ok(script.includes('({ keyword: "tide", cursor: 7, search_id: "0" })'), script);
  const ranking = operations.find(({ name }) => name === "shortvideo/trending/hashtag");
  assert.ok(ranking !== undefined);
  assert.ok(toPython(ranking, { period: "30" }, "").includes("(period=30)"), "numbers to choose from are numbers");
  assert.ok(toPython(ranking, { period: "x" }, "").includes('(period="x")'));
});

test("a facet leaves the last word of a query the last, which may be the beginning of one", () => {
  assert.equal(addTerm("street foo", "lang:en"), "lang:en street foo");
  assert.equal(addTerm('"good morning" foo', "#food"), '#food "good morning" foo');
  assert.equal(addTerm("Lang:EN foo", "lang:en"), "Lang:EN foo");
  assert.equal(removeTerm(addTerm("street foo", "lang:en"), "lang:en"), "street foo");
});

test("each country to choose from is there once, under the code that the service takes", () => {
  const countries = listCountries();
  assert.ok(countries.length > 240, `${countries.length}`);
  assert.equal(new Set(countries.map(({ name }) => name)).size, countries.length);
  assert.deepEqual(
    countries.filter(({ code }) => parseCountry(code) !== code),
    [],
  );
});

test("captures of one day are told apart by their time, and days have none", () => {
  const noon = Date.UTC(2026, 10, 1, 12) / 1000;
  const [first = "", second] = formatTimes([noon, noon + 3_600]);
  assert.match(first, /\d:\d\d/);
  assert.notEqual(first, second);
  assert.doesNotMatch(formatTimes([noon, noon + 86_400]).join(" "), /\d:\d\d/);
});

test("the age of what is known by its day only is counted in days", () => {
  const known = { published_at: Date.UTC(2026, 10, 1) / 1000 };
  const rough = { ...known, approximate: ["published_at"] };
  const ages = [1, 25, 49].map((hours) => formatPublishedAge(rough, Date.UTC(2026, 10, 1, hours)));
  assert.deepEqual(ages, ["today", "yesterday", "2 days ago"]);
  assert.match(formatPublishedAge(known, Date.UTC(2026, 10, 1, 1)), /hr/);
  assert.match(formatPublishedAge(rough, Date.UTC(2027, 0, 10)), /2 mo/);
  assert.doesNotMatch(formatPublished(rough), /\d:\d\d/);
  const threeHoursAgo = { ...rough, published_at: rough.published_at + 20.5 * 3_600 };
  assert.match(formatPublishedAge(threeHoursAgo, Date.UTC(2026, 10, 1, 23, 30)), /3 hr/);
  assert.match(formatPublished(threeHoursAgo), /\d:\d\d/);
});

/** What other pages load would be measured too. In the usual run, where other tests run beside it, no time is asserted. */
describe("one page by itself", IN_BROWSER, () => {
  let measured: TestServer;
  let measuredToken = "";
  before(async () => {
    // One that has compressed nothing yet.
    measured = IS_FULL ? await startTestServer("demo", { RATE_LIMIT: "off" }) : server;
    measuredToken = IS_FULL ? await issueToken(measured) : token;
  }, TIMEOUT);
  after(async () => {
    if (IS_FULL) await measured?.close();
  });

  test("the first view is at most 200 kB of script, and can be used within 1 s", async () => {
    const context = await openContext(browser, measured.url, { deviceScaleFactor: 1 });
    const watched = await openPage(context, measured.url);
    const { page } = watched;
    /** By address: from the second visit on, they come from the browser's cache. */
    const scripts = new Map<string, number>();
    page.on("response", (response) => {
      if (/\/assets\/.*\.js$/.test(response.url()))
        scripts.set(response.url(), Number(response.headers()["content-length"]));
    });
    const readMs = () => page.evaluate<number>("Math.round(performance.now())");
    await page.goto("/");
    await page.getByLabel("Access token").waitFor();
    const firstMs = await readMs();
    await signIn(watched, measuredToken);
    await page.locator(".trend-cards a").first().waitFor();
    await page.waitForLoadState("networkidle");
    const bytes = scripts.values().reduce((sum, size) => sum + size, 0);
    assert.ok(bytes > 10_000 && bytes <= MAX_SCRIPT_BYTES, `${bytes} bytes`);
    await page.reload();
    await page.getByRole("combobox", { name: "Search all platforms" }).waitFor();
    const nextMs = await readMs();
    if (IS_FULL) assert.ok(Math.max(firstMs, nextMs) <= MAX_INTERACTIVE_MS, `${firstMs} ms, then ${nextMs} ms`);
    await leave(watched);
    await context.close();
    reportClaim("The first view of the console loads at most 200 kB of compressed script", `${bytes} bytes`);
    reportClaim("The console can be used within 1 s", `${firstMs} ms on the first visit, ${nextMs} ms once signed in`);
  });

  // A ratio of times is measured with nothing beside it.
  if (IS_FULL) {
    test("the API is no slower while the console is open", async () => {
      const [rounds, ms] = [7, 2_000];
      const readMs = async () => {
        const began = performance.now();
        let reads = 0;
        for (; performance.now() - began < ms; reads++)
          await measured.json("/api/longvideo/video/details?video_id=demoVideo01");
        return (performance.now() - began) / reads;
      };
      const context = await openContext(browser, measured.url, { deviceScaleFactor: 1 });
      const watched = await openPage(context, measured.url);
      const { page } = watched;
      await signIn(watched, measuredToken, "/data/live");
      // The first reads load what all others use.
      await readMs();
      const ratios: number[] = [];
      for (let round = 0; round < rounds; round++) {
        await page.goto("about:blank");
        const alone = await readMs();
        // The page that asks again most often.
        await page.goto("/data/live");
        await page.getByText("10,000 units a day").waitFor();
        ratios.push((await readMs()) / alone);
      }
      await leave(watched);
      await context.close();
      const ratio = ratios.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
      assert.ok(ratio <= MAX_SLOWER, `${ratio.toFixed(2)} times`);
      reportClaim("The API is no slower while the console is open", `${ratio.toFixed(2)} times the time of a read`);
    });
  }
});

/** By itself: the trace is of all pages of the browser. */
test("ten thousand lines scroll without a frame over 50 ms", IN_BROWSER, async () => {
  const track = {
    postId: "longSubtitle",
    language: "en",
    automatic: false,
    lines: Array.from({ length: LINES }, (_, index) => ({ startS: index, durationS: 1, text: `Line ${index}` })),
    capturedAt: Date.now(),
    source: "test",
  };
  const store = await server.openStore();
  await store.writer.write([toUnit("longvideo", { posts: [aPost(track.postId, {})], subtitles: [track] })]);
  await store.close();
  const context = await openContext(browser, server.url, { deviceScaleFactor: 1 });
  const watched = await openPage(context, server.url);
  const { page } = watched;
  await signIn(watched, token, "/explore/longvideo/post/longSubtitle?tab=subtitles");
  await page.getByText("10,000 lines").waitFor();
  const longest: number[] = [];
  while (longest.length < ATTEMPTS && longest.every((ms) => ms > MAX_FRAME_MS)) {
    await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
    assert.ok((await page.evaluate<number>(SCROLL)) > 50_000);
    longest.push(longestTask(await browser.stopTracing()));
  }
  assert.ok(Math.min(...longest) <= MAX_FRAME_MS, `${longest.join(", ")} ms`);
  assert.ok((await page.locator(".rows > li").count()) < 100, "only the rows on screen exist");
  await leave(watched);
  await context.close();
  const figure = `the longest took ${Math.min(...longest).toFixed(1)} ms`;
  reportClaim("A list of 10,000 rows scrolls without a task over 50 ms", figure);
});

test(
  "a gain of one capture is called an estimate, and old captures are ranked as of their day",
  IN_BROWSER,
  async () => {
    const now = Date.now();
    const captured = (id: string, hashtag: string, captures: [daysAgo: number, views: number][]) => {
      const points = captures.map(([days, views]) => ({ capturedAt: now - days * DAY_MS, counters: { views } }));
      const publishedAt = Math.floor(now / 1000) - 1_000 * 86_400;
      const record = aPost(id, { text: `#${hashtag}`, hashtags: [hashtag], publishedAt, ...points.at(-1) });
      return { record, history: { kind: "post" as const, id, points } };
    };
    const world = (...posts: ReturnType<typeof captured>[]) => [
      {
        platform: "shortvideo" as const,
        batch: { posts: posts.map(({ record }) => record), history: posts.map(({ history }) => history) },
      },
    ];
    const once = captured("7300000000000000001", "whalesong", [[0.01, 10_000_000]]);
    const daily = captured("7300000000000000002", "kites", [
      [4, 100],
      [3, 150],
      [2, 260],
      [1, 300],
    ]);
    const old = captured("7300000000000000003", "lantern", [
      [401, 100],
      [400, 350],
    ]);
    const recent = await startTestServer(world(once, daily));
    try {
      const watched = await openPage(await openContext(browser, recent.url), recent.url);
      const { page } = watched;
      await signIn(watched, await issueToken(recent));
      await page.goto("/trends");
      const rows = page.locator(".ranking tbody tr");
      const kites = rows.filter({ hasText: "#kites" });
      const whalesong = rows.filter({ hasText: "#whalesong" });
      await kites.locator("svg.sparkline").waitFor();
      assert.match(await whalesong.innerText(), /about\s+70K\s+estimated from one capture/i);
      assert.equal(await whalesong.locator("svg.sparkline").count(), 0, "one capture is no line");
      assert.doesNotMatch(await kites.innerText(), /estimated|new/);
      assert.match(await rows.first().innerText(), /#kites/, "measured gains come first");
      await page.getByLabel("Gains").selectOption("measured");
      await whalesong.waitFor({ state: "detached" });
      await page.goto("/trends?of=videos");
      await rows.first().waitFor();
      assert.match(await rows.first().innerText(), /200\s+300/, "the gain and the views of a video");
      await page.goto("/");
      const card = page.locator(".trend-cards a", { hasText: "#whalesong" });
      await card.getByText("estimated from one capture").waitFor();
      assert.equal(await card.locator("svg.sparkline").count(), 0);
      await leave(watched);
    } finally {
      await recent.close();
    }
    const lastYear = await startTestServer(world(old));
    try {
      const watched = await openPage(await openContext(browser, lastYear.url), lastYear.url);
      const { page } = watched;
      await signIn(watched, await issueToken(lastYear));
      await page.getByText("Nothing gained views in the last 30 days").waitFor();
      await page.getByRole("link", { name: "Rank the 30 days until then" }).click();
      await page.locator(".ranking tbody tr", { hasText: "#lantern" }).waitFor();
      assert.match(page.url(), /as_of=newest/);
      await page.getByText(`The 30 days until ${new Date(now - 400 * DAY_MS).toISOString().slice(0, 10)}`).waitFor();
      await page.getByRole("link", { name: "Rank the days until today" }).click();
      await page.getByText("The newest capture is from").waitFor();
      await page.getByRole("link", { name: "Rank the 30 days until then" }).click();
      await page.locator(".ranking tbody tr", { hasText: "#lantern" }).waitFor();
      await leave(watched);
    } finally {
      await lastYear.close();
    }
  },
);
