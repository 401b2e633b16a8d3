/** Searches and posts of accounts as JSON Feed and Atom, with a key in the URL that opens nothing else. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Parser } from "htmlparser2";
import { provisionalId } from "#domain/provisional-id.ts";
import { renderFeed } from "#http/feeds/feed-document.ts";
import { until } from "#testing/until.ts";
import { assertProblem } from "./problem.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { bearerHeader, openTokenIssuer, type TokenIssuer } from "./test-tokens.ts";
import { type HttpResponse, sendRequest } from "./http-client.ts";
import { AMARA, anAccount, aPost, WORLD } from "./world.ts";
import { toUnit } from "#store/write/batch-changes.ts";

/** Text that would end an element, an attribute or the document. */
const HOSTILE = 'harbour ]]> </content><script>x</script> & "quotes" \u0000\u001b[2J \ufffe end';

interface JsonFeed {
  version: string;
  title: string;
  items: { id: string; title: string; content_text: string; date_published?: string; date_modified?: string }[];
}

describe("/feeds", () => {
  const folder = mkdtempSync(join(tmpdir(), "triptych-feeds-"));
  const logFile = join(folder, "service.log");
  let server: TestServer;
  let tokens: TokenIssuer;
  let key: string;
  before(async () => {
    const hostile = aPost("7300000000000088888", { text: HOSTILE.replaceAll("\u0000", "") });
    server = await startTestServer([...WORLD, { platform: "shortvideo", batch: { posts: [hostile] } }], {
      LOG_LEVEL: "info",
      LOG_FILE: logFile,
    });
    tokens = await openTokenIssuer(server);
    key = (await tokens.issue({ scopes: ["feed"] })).token;
  });
  after(async () => {
    await tokens?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const get = (path: string, headers: Record<string, string> = {}): Promise<HttpResponse> =>
    sendRequest(server.url, { path, headers: { authorization: null, ...headers } });

  test("the posts of an account, newest first, in both formats with the same entries", async () => {
    const path = `/feeds/${key}/posts`;
    const query = `?platform=photoshare&account=${AMARA.name}`;
    const json = await get(`${path}.json${query}`);
    assert.equal(json.status, 200, json.text);
    assert.equal(json.header("content-type"), "application/feed+json; charset=utf-8");
    // Links of the feed's texts do not tell its key.
    assert.equal(json.header("referrer-policy"), "no-referrer");
    const feed = JSON.parse(json.text) as JsonFeed;
    assert.equal(feed.version, "https://jsonfeed.org/version/1.1");
    assert.ok(feed.items.length > 10);
    const times = feed.items.map(({ date_published: at }) => at ?? "");
    assert.deepEqual(times, times.toSorted().toReversed());

    const atom = await get(`${path}.atom${query}`);
    assert.equal(atom.header("content-type"), "application/atom+xml; charset=utf-8");
    const { ids, updated } = parseAtom(atom.text);
    assert.deepEqual(
      ids.slice(1),
      feed.items.map(({ id }) => id),
    );
    for (const at of updated) assert.match(at, /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
    const posts = await server.json<{ posts: { id: string }[] }>(`/api/posts${query}&limit=50`);
    assert.deepEqual(new Set(ids.slice(1)), new Set(posts.posts.map(({ id }) => `urn:triptych:photoshare:post:${id}`)));
  });

  test("a search of any platform and kind, whatever its texts contain", async () => {
    const feed = JSON.parse((await get(`/feeds/${key}/search.json?q=harbour`)).text) as JsonFeed;
    assert.equal(feed.title, "harbour");
    assert.ok(feed.items.length > 1);
    const selected = JSON.parse(
      (await get(`/feeds/${key}/search.json?q=harbour&fields=results(id)&continuation_token=x`)).text,
    ) as JsonFeed;
    assert.deepEqual(selected.items, feed.items, "a feed has all of its entries");
    const { ids, contents } = parseAtom((await get(`/feeds/${key}/search.atom?q=harbour`)).text);
    assert.equal(ids.length, feed.items.length + 1);
    assert.ok(contents.some((text) => text.startsWith('harbour ]]> </content><script>x</script> & "quotes" [2J  end')));
    assertProblem(await get(`/feeds/${key}/search.json`), "missing_parameter");
    assertProblem(await get(`/feeds/${key}/posts.atom?platform=photoshare&account=nobody.here`), "account_not_found");
  });

  test("accounts known by name only, and lines of one second in two languages, are entries of their own", async () => {
    const named = (name: string) =>
      anAccount(provisionalId(name), name, { bio: "Mends saltmarsh nets: net@knots.example" });
    const accounts = [named("Nils.Mender"), named("vera_nets"), anAccount("880001", "olga.k", { bio: "saltmarsh" })];
    const track = (language: string) => ({
      postId: "saltmarsh001",
      language,
      automatic: false,
      lines: [{ startS: 1.5, durationS: 2, text: `saltmarsh ${language}` }],
      capturedAt: Date.now(),
      source: "yt-dlp",
    });
    const store = await server.openStore();
    await store.writer.write([toUnit("shortvideo", { accounts })]);
    await store.writer.write([
      toUnit("longvideo", { posts: [aPost("saltmarsh001")], subtitles: [track("en"), track("nb")] }),
    ]);
    await store.close();
    const { items } = JSON.parse((await get(`/feeds/${key}/search.json?q=saltmarsh`)).text) as JsonFeed;
    assert.deepEqual(items.map(({ id }) => id).toSorted(), [
      "urn:triptych:longvideo:subtitle:saltmarsh001:1.5:en",
      "urn:triptych:longvideo:subtitle:saltmarsh001:1.5:nb",
      "urn:triptych:shortvideo:account:%40nils.mender",
      "urn:triptych:shortvideo:account:%40vera_nets",
      "urn:triptych:shortvideo:account:880001",
    ]);
    // A feed key shows no contacts.
    const { contents } = parseAtom((await get(`/feeds/${key}/search.atom?q=saltmarsh`)).text);
    for (const texts of [items.map(({ content_text: text }) => text), contents]) {
      assert.equal(texts.filter((text) => text.includes("nets: [hidden]")).length, 2);
      assert.doesNotMatch(texts.join("\n"), /knots/);
    }
  });

  test("an account without a display name is shown by its name", async () => {
    const store = await server.openStore();
    await store.writer.write([toUnit("shortvideo", { accounts: [anAccount("880002", "gannet.watch")] })]);
    await store.close();
    const { items } = JSON.parse((await get(`/feeds/${key}/search.json?q=gannet.watch`)).text) as JsonFeed;
    assert.deepEqual(
      items.map(({ title, content_text: content }) => [title, content]),
      [["gannet.watch", "gannet.watch"]],
    );
    const { contents } = parseAtom((await get(`/feeds/${key}/search.atom?q=gannet.watch`)).text);
    assert.deepEqual(contents, ["gannet.watch"]);
  });

  test("a search waits for its own words, and has no entries for another spelling or some of them", async () => {
    const { corrected, results } = await server.json<{ corrected: string; results: [] }>("/api/search?q=harbuor");
    assert.deepEqual([corrected, results.length > 0], ["harbour", true]);
    const waiting = await get(`/feeds/${key}/search.json?q=harbuor`);
    assert.deepEqual([waiting.status, (JSON.parse(waiting.text) as JsonFeed).items], [200, []]);
    const partial = await server.json<{ matched: string }>("/api/search?q=harbour+quokkas");
    assert.equal(partial.matched, "some");
    assert.deepEqual(
      (JSON.parse((await get(`/feeds/${key}/search.json?q=harbour+quokkas`)).text) as JsonFeed).items,
      [],
    );
    const store = await server.openStore();
    await store.writer.write([toUnit("longvideo", { posts: [aPost("harbuor0001", { text: "harbuor" })] })]);
    await store.close();
    const { items } = JSON.parse((await get(`/feeds/${key}/search.json?q=harbuor`)).text) as JsonFeed;
    assert.deepEqual(
      items.map(({ id }) => id),
      ["urn:triptych:longvideo:post:harbuor0001"],
    );
  });

  test("of more than 50 matches, the newest are entries", async () => {
    const posts = Array.from({ length: 60 }, (_, index) =>
      aPost(`sandpiper${index}`, {
        text: "sandpiper",
        publishedAt: 1_760_000_000 + ((index * 7) % 60),
        counters: { views: 10 ** (index % 7) },
      }),
    );
    const store = await server.openStore();
    await store.writer.write([toUnit("longvideo", { posts })]);
    await store.close();
    const { items } = JSON.parse((await get(`/feeds/${key}/search.json?q=sandpiper`)).text) as JsonFeed;
    const newest = posts.toSorted((a, b) => (b.publishedAt ?? 0) - (a.publishedAt ?? 0)).slice(0, 50);
    assert.deepEqual(
      items.map(({ id }) => id),
      newest.map(({ id }) => `urn:triptych:longvideo:post:${id}`),
    );
  });

  test("a record whose time of capture is unknown is an entry without one", async () => {
    const [publishedAt, capturedAt] = [1_760_000_000, 0];
    const posts = [aPost("undated001", { text: "peatcutter dated", publishedAt, capturedAt })];
    const store = await server.openStore();
    await store.writer.write([
      toUnit("longvideo", { posts, accounts: [anAccount("UCpeat", "peatcutter", { capturedAt })] }),
    ]);
    await store.close();
    const json = await get(`/feeds/${key}/search.json?q=peatcutter`);
    assert.equal(json.status, 200, json.text);
    const { items } = JSON.parse(json.text) as JsonFeed;
    assert.deepEqual(
      items.map(({ id, date_modified: at }) => [id, at]),
      [
        ["urn:triptych:longvideo:post:undated001", undefined],
        ["urn:triptych:longvideo:account:UCpeat", undefined],
      ],
    );
    const { updated } = parseAtom((await get(`/feeds/${key}/search.atom?q=peatcutter`)).text);
    const published = new Date(publishedAt * 1000).toISOString();
    assert.deepEqual(updated, [published, published, "1970-01-01T00:00:00.000Z"]);
  });

  test("an unchanged feed is a 304, and costs nothing of the daily quota", async () => {
    const { token } = await tokens.issue({ scopes: ["feed"] });
    const path = `/feeds/${token}/search.atom?q=harbour`;
    const first = await get(path);
    const again = await get(path, { "if-none-match": first.header("etag") ?? "" });
    assert.deepEqual([again.status, again.text], [304, ""]);
    const daily = (response: HttpResponse) => /"daily";r=\d+/.exec(response.header("ratelimit") ?? "")?.[0];
    assert.equal(daily(again), daily(first));
  });

  test("a feed key opens feeds and nothing else; other tokens open no feed", async () => {
    assertProblem(await get("/api/search?q=harbour", bearerHeader(key)), "insufficient_scope");
    const { token } = await tokens.issue({});
    assertProblem(await get(`/feeds/${token}/search.json?q=harbour`), "insufficient_scope");
    assertProblem(await get("/feeds/tt_wrong/search.json?q=harbour"), "invalid_feed_key");
    const { token: revoked, record } = await tokens.issue({ scopes: ["feed"] });
    assert.equal((await get(`/feeds/${revoked}/search.json?q=harbour`)).status, 200);
    await tokens.registry.revoke(record.keyId);
    const status = await until(async () => {
      const answer = await get(`/feeds/${revoked}/search.json?q=harbour`);
      return answer.status !== 200 && answer.status;
    });
    assert.equal(status, 403);
    const response = await sendRequest(server.url, { method: "POST", path: `/feeds/${key}/search.json` });
    assertProblem(response, "method_not_allowed");
  });

  test("each page of a search costs a search, and an exhausted key is told so", async () => {
    const { token } = await tokens.issue({ scopes: ["feed"], limits: { daily: 30 } });
    let response = await get(`/feeds/${token}/search.json?q=harbour`);
    assert.match(response.header("ratelimit") ?? "", /"daily";r=(?:25|20|15|10);/);
    for (let count = 0; count < 10 && response.status === 200; count++)
      response = await get(`/feeds/${token}/search.json?q=harbour`);
    assertProblem(response, "rate_limited");
  });

  test("no log has a key, not even of a path that does not exist", async () => {
    await get(`/feeds/${key}/nothing.xml`);
    await get(`/FEEDS/${key}`);
    const log = await until(async () => {
      const text = readFileSync(logFile, "utf8");
      return text.split("(no such path)").length > 2 && text;
    });
    assert.ok(log.includes("/feeds/:key/search.json"));
    assert.ok(!log.includes(key));
  });
});

test("an entry always has a title, of at most 100 characters", () => {
  const record = { platform: "shortvideo", kind: "post", id: "1", text: null, published_at: null, captured_at: null };
  const titleOf = (title: string) =>
    (JSON.parse(renderFeed({ title: "x", key: "x", records: [{ ...record, title }] }, "json")) as JsonFeed).items[0]
      ?.title;
  assert.deepEqual([" \n", "a\n b", "🦜".repeat(100), "🦜".repeat(101)].map(titleOf), [
    "post",
    "a b",
    "🦜".repeat(100),
    `${"🦜".repeat(99)}…`,
  ]);
});

test("an empty feed is a valid one", () => {
  const { ids } = parseAtom(renderFeed({ title: "nothing", key: "x", records: [] }, "atom"));
  assert.equal(ids.length, 1);
});

/** A document with a character, an entity or a nesting that XML does not allow fails. */
function parseAtom(text: string): { ids: string[]; updated: string[]; contents: string[] } {
  // oxlint-disable-next-line no-control-regex -- what XML forbids
  assert.doesNotMatch(text, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|&(?!(?:amp|lt|gt|quot);)/);
  const found: Record<string, string[]> = {};
  const open: string[] = [];
  const allowed = /^(?:feed|entry|id|title|updated|published|category|content|author|name)$/;
  const parser = new Parser(
    {
      onopentag(name) {
        assert.match(name, allowed);
        open.push(name);
        (found[name] ??= []).push("");
      },
      ontext(part) {
        const texts = found[open.at(-1) ?? ""];
        if (texts !== undefined) texts.push((texts.pop() ?? "") + part);
      },
      onclosetag(name, isImplied) {
        assert.equal(open.pop(), name);
        assert.ok(!isImplied || name === "category", name);
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  assert.deepEqual(open, []);
  return { ids: found["id"] ?? [], updated: found["updated"] ?? [], contents: found["content"] ?? [] };
}
