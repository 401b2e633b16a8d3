/** Imports of many files, and imports without a process, as the console shows them. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { scopesFor } from "#auth/scopes.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { until } from "#testing/until.ts";
import { buildConsole, isStale } from "../../console/build.ts";
import { runCommand } from "../run-command.ts";
import { startTestServer, temporaryFolder, type TestServer } from "../test-server.ts";
import { openTokenIssuer } from "../test-tokens.ts";
import { NO_BROWSER, openBrowser, openContext, openPage, signIn, type WatchedPage } from "./browser.ts";

const TIMEOUT = { timeout: 120_000 };
const VIDEOS = 940;
const SUBTITLES = 20;
/** Deep enough for a path that is longer than its column. */
const LONG = join("a season of ferries and lighthouses", "harbour walks in the north", "second week of the summer");

interface Report {
  job: { state: string; files: number };
  total: { records: { kind: string; new: number }[]; refused: { count: number }[] };
  folder: string;
  problems: { code: string | null; reason: string; count: number; files: number; names: string[] }[];
  files: { name: string }[];
  nextFile: number | null;
}

describe("the report of an import", { ...TIMEOUT, skip: NO_BROWSER }, () => {
  const folder = temporaryFolder();
  let closeBrowser: () => Promise<void>;
  let browser: Browser;
  let server: TestServer;
  let watched: WatchedPage;
  let authorization: Record<string, string>;
  let job = "";

  before(async () => {
    if (isStale()) await buildConsole();
    ({ browser, close: closeBrowser } = await openBrowser());
    server = await startTestServer([], { RATE_LIMIT: "off" });
    const issuer = await openTokenIssuer(server);
    const scopes = scopesFor(PLATFORMS.map(({ name }) => name)).map(({ name }) => name);
    const { token } = await issuer.issue({ label: "console", scopes });
    await issuer.close();
    authorization = { authorization: `Bearer ${token}` };
    job = await importFolder();
    watched = await openPage(await openContext(browser, server.url), server.url);
    watched.page.setDefaultTimeout(15_000);
    await signIn(watched, token);
  }, TIMEOUT);
  after(async () => {
    await closeBrowser?.();
    await server?.close();
    folder.remove();
  });

  async function importFolder(): Promise<string> {
    const captures = join(folder.path, "captures");
    mkdirSync(join(captures, LONG), { recursive: true });
    for (let number = 0; number < VIDEOS; number++) {
      const id = `walk${String(number).padStart(7, "0")}`;
      const video = {
        id,
        title: `Walk ${number}`,
        extractor_key: "Youtube",
        _type: "video",
        webpage_url: `https://www.youtube.com/watch?v=${id}`,
        channel_id: "UCharbourWalks0000000001",
        uploader: "Nia Okafor",
        upload_date: "20260101",
      };
      writeFileSync(join(captures, `${id}.info.json`), JSON.stringify(video));
    }
    const line = "1\n00:00:01,000 --> 00:00:02,000\nThe ferry is late\n";
    for (let number = 0; number < SUBTITLES; number++) writeFileSync(join(captures, `talk ${number}.srt`), line);
    writeFileSync(join(captures, LONG, "broken.json"), '{"broken": ');
    writeFileSync(join(captures, "shopping.json"), '{"milk": 2}');
    const { stderr, stdout } = await runCommand(["import", captures], server.env);
    return /\(job (\S+)\)/.exec(stdout + stderr)?.[1] ?? assert.fail(stdout + stderr);
  }

  const reportOf = (query: string) => server.json<Report>(`/admin/jobs/${job}?${query}`, authorization);

  test("the API gives sums, and each reason once with the files that have it", async () => {
    const { job: summary, total, folder: common, problems } = await reportOf("limit=1");
    assert.equal(summary.files, VIDEOS + SUBTITLES + 2);
    assert.equal(total.records.find(({ kind }) => kind === "post")?.new, VIDEOS);
    assert.equal(common, `${join(folder.path, "captures")}/`);
    const [first, ...others] = problems;
    assert.deepEqual(
      [first?.code, first?.count, first?.files, first?.names.length],
      ["subtitles_without_video", SUBTITLES, SUBTITLES, SUBTITLES],
    );
    assert.match(first?.names[0] ?? "", /^talk \d+\.srt$/);
    assert.deepEqual(Object.fromEntries(others.map(({ code, names }) => [code, names])), {
      cut_short: [join(LONG, "broken.json")],
      unknown_format: ["shopping.json"],
    });
    const listed: string[] = [];
    for (let from: number | null = 0; from !== null;) {
      const page: Report = await reportOf(`listed=problems&limit=9&fromFile=${from}`);
      assert.ok(page.files.length <= 9);
      listed.push(...page.files.map(({ name }) => name));
      from = page.nextFile;
    }
    assert.equal(new Set(listed).size, SUBTITLES + 2);
    assert.equal(listed.length, SUBTITLES + 2);
  });

  test("a thousand files fit on two screens: problems first, each reason once, names at their end", async () => {
    const { page } = watched;
    await page.goto(`/data/imports/${job}`);
    const problems = page.locator(".problems > li");
    await problems.first().waitFor();
    assert.match((await problems.first().textContent()) ?? "", /^20 × .*in 20 files/);
    assert.equal(await problems.count(), 3);
    const height = await page.evaluate<number>("document.documentElement.scrollHeight");
    assert.ok(height < 2_500, `${height} px`);
    // A part of the rows exists, and their end is reached by scrolling.
    const files = page.getByRole("region", { name: "Files" });
    assert.ok((await files.locator("li").count()) < 60);
    await until(async () => {
      await page.evaluate("document.querySelector('.rows-box').scrollTo(0, 1e9)");
      return (await files.locator(`li[aria-posinset="${VIDEOS + SUBTITLES + 2}"]`).count()) === 1;
    });
    await page.getByLabel("Show").selectOption("problems");
    await files
      .locator(`li[aria-setsize="${SUBTITLES + 2}"]`)
      .first()
      .waitFor();
    await page.setViewportSize({ width: 1024, height: 900 });
    await files.locator(".path-end", { hasText: "broken.json" }).waitFor();
    const isEndShown = await page.evaluate<boolean>(`(() => {
      const path = [...document.querySelectorAll(".path-end")].find(({ title }) => title.endsWith("broken.json"));
      const [inside, column] = [path.firstElementChild, path].map((element) => element.getBoundingClientRect());
      return inside.left < column.left && inside.right <= column.right + 1;
    })()`);
    assert.equal(isEndShown, true);
    assert.deepEqual(watched.complaints, []);
  });

  test("an import without a process is interrupted on Home and Data, and is dismissed", async () => {
    const id = "2026-11-16-cut";
    const store = await server.openStore();
    const cut = { id, fingerprint: id, origin: "command" as const, label: "captures of the north", owner: "north:1:a" };
    await store.jobs.writeJob({ ...cut, state: "running", createdAt: 1, updatedAt: 1 });
    await store.close();
    const { page } = watched;
    await page.goto("/");
    await page.locator(".figures").getByText("1 interrupted").waitFor();
    await page.goto("/data");
    const row = page.getByRole("region", { name: "Imports" }).locator("tr", { hasText: "captures of the north" });
    await row.getByText("interrupted").waitFor();
    await row.getByRole("link").click();
    await page.getByText("Run the same command again to resume it.").waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.locator(".figures").getByText("dismissed", { exact: true }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Dismiss" }).count(), 0);
    await page.goto("/data");
    await row.getByText("dismissed").waitFor();
    await page.goto("/");
    await page.locator(".figures").getByText("none running").waitFor();
    assert.deepEqual(watched.complaints, []);
  });
});
