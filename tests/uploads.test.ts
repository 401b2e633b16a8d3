/** Data brought in over HTTP: as the browser extension pushes it, and as a multipart upload. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { until } from "#testing/until.ts";
import { startTestServer, temporaryFolder, type TestServer } from "./test-server.ts";
import { aPostObject, fixtureOf, postId, pushedLine } from "./spawn-import.ts";
import { assertProblem } from "./problem.ts";
import { bearerHeader, openTokenIssuer } from "./test-tokens.ts";
import { breakOffRequest, sendRequest, type HttpResponse } from "./http-client.ts";

const logs = temporaryFolder();
const LOG_FILE = join(logs.path, "triptych.log");

let service: TestServer;
let ingest: string;
let reading: string;

before(async () => {
  service = await startTestServer([], { INGEST_MAX_MB: "1", LOG_LEVEL: "trace", LOG_FILE });
  const desk = await openTokenIssuer(service);
  ingest = (await desk.issue({ scopes: ["ingest"] })).token;
  reading = (await desk.issue({})).token;
  await desk.close();
});

after(async () => {
  // A request that is never answered must not hold up the end.
  service.running.server.server.closeAllConnections();
  await service.close();
  logs.remove();
});

interface Queued {
  status: string;
  key: string;
  url: string;
}
interface Standing {
  done: boolean;
  status: string;
  rows: number;
  url: string;
}

/** As the extension does: a raw body, its platform in a header, no Authorization. */
function push(body: string | Buffer, platform: string | null = "tiktok.com", token = ingest): Promise<HttpResponse> {
  return sendRequest(service.url, {
    method: "POST",
    path: `/ingest/${token}/api/import-dataset/`,
    headers: { authorization: null, "content-type": "application/x-ndjson", "x-zeeschuimer-platform": platform },
    body,
  });
}

function check(key: string, token = ingest): Promise<HttpResponse> {
  return sendRequest(service.url, {
    path: `/ingest/${token}/api/check-query/?key=${key}`,
    headers: { authorization: null },
  });
}

function untilDone(key: string): Promise<Standing> {
  return until(async () => {
    const standing = JSON.parse((await check(key)).text) as Standing;
    return standing.done ? standing : null;
  });
}

interface Part {
  name: string;
  content: string | Buffer;
}

function upload(
  parts: readonly Part[],
  headers: Record<string, string | null> = bearerHeader(ingest),
): Promise<HttpResponse> {
  const boundary = "-----a-boundary-of-the-tests";
  const chunks = parts.flatMap(({ name, content }) => [
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
    content,
    "\r\n",
  ]);
  return sendRequest(service.url, {
    method: "POST",
    path: "/ingest/files",
    headers: { "content-type": `multipart/form-data; boundary=${boundary}`, ...headers },
    body: Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk))),
  });
}

async function uploaded(parts: readonly Part[]): Promise<{ files: string[]; standing: Standing }> {
  const answer = await upload(parts);
  assert.equal(answer.status, 202, answer.text);
  const { status, job, files } = JSON.parse(answer.text) as { status: string; job: string; files: string[] };
  assert.equal(status, "queued");
  return { files, standing: await untilDone(job) };
}

function contentOf(path: string): Part {
  return { name: basename(path), content: readFileSync(path) };
}

const folderOfUploads = () => join(service.dataDir, "uploads");

test("a push is queued, its standing can be asked for, and then the posts are served", async () => {
  const answer = await push([1, 2, 3].map((number) => `${pushedLine(aPostObject(number))}\n`).join(""));
  assert.equal(answer.status, 200, answer.text);
  assert.match(answer.header("content-type") ?? "", /^application\/json/);
  const { status, key, url } = JSON.parse(answer.text) as Queued;
  assert.equal(status, "queued");
  assert.ok(url.includes(key));
  const standing = await untilDone(key);
  assert.ok(standing.rows >= 3);
  assert.equal(standing.status, `imported ${standing.rows} records`);
  const { itemList } = await service.json<{ itemList: { id: string }[] }>(
    "/api/shortvideo/music/posts?musicId=7422000000000000900",
  );
  assert.deepEqual(
    itemList.map(({ id }) => id),
    [postId(3), postId(2), postId(1)],
  );
  await until(async () => !existsSync(join(folderOfUploads(), key)));
});

test("an extension that keeps only the host of its address sends the token as a password", async () => {
  const password = (secret: string) => `Basic ${Buffer.from(`x:${secret}`).toString("base64")}`;
  const send = (authorization: string | null) =>
    sendRequest(service.url, {
      method: "POST",
      path: "/api/import-dataset/",
      headers: { authorization, "x-zeeschuimer-platform": "tiktok.com", "content-type": "text/plain" },
      body: `${pushedLine(aPostObject(7))}\n`,
    });
  const challenge = await send(null);
  assert.deepEqual([challenge.status, challenge.header("www-authenticate")], [401, 'Basic realm="triptych ingest"']);
  assert.equal((await send(password("tt_wrong"))).status, 403);
  const answer = await send(password(ingest));
  assert.equal(answer.status, 200, answer.text);
  const { key, url } = JSON.parse(answer.text) as Queued;
  assert.equal(url, `/api/check-query/?key=${key}`);
  await until(async () => {
    const standing = await sendRequest(service.url, { path: url, headers: { authorization: password(ingest) } });
    return (JSON.parse(standing.text) as Standing).done ? standing : null;
  });
  await service.json(`/api/shortvideo/post/detail?videoId=${postId(7)}`);
});

test("a push of photos and one of comments are taken too", async () => {
  const photos = await push(readFileSync(fixtureOf("photoshare", "zeeschuimer.ndjson")), "instagram.com");
  const comments = await push(
    readFileSync(fixtureOf("shortvideo", "zeeschuimer/zeeschuimer-export-tiktok-comments-2024-09-06T120500.ndjson")),
    "tiktok-comments",
  );
  for (const { text } of [photos, comments]) assert.ok((await untilDone((JSON.parse(text) as Queued).key)).rows > 0);
});

test("the standing comes in one piece, with its length", async () => {
  const { key } = JSON.parse((await push(`${pushedLine(aPostObject(1))}\n`)).text) as Queued;
  for (const answer of [await check(key), (await untilDone(key), await check(key))]) {
    assert.equal(answer.header("content-length"), String(answer.body.length));
    assert.equal(answer.header("transfer-encoding"), null);
    assert.equal(answer.header("cache-control"), "no-store");
    assert.deepEqual(Object.keys(JSON.parse(answer.text) as Standing), ["done", "status", "rows", "url"]);
  }
  assertProblem(await check("no-such-import"), "unknown_path");
  assertProblem(
    await sendRequest(service.url, { path: `/ingest/${ingest}/api/check-query/`, headers: { authorization: null } }),
    "unknown_path",
  );
});

test("a wrong token and one without the scope get 403, and nothing is kept of what they sent", async () => {
  const line = `${pushedLine(aPostObject(50))}\n`;
  const mistyped = `${ingest.slice(0, -1)}${ingest.endsWith("0") ? "1" : "0"}`;
  assertProblem(await push(line, "tiktok.com", mistyped), "ingest_forbidden");
  assertProblem(await push(line, "tiktok.com", "nonsense"), "ingest_forbidden");
  assertProblem(await push(line, "tiktok.com", reading), "insufficient_scope");
  assertProblem(await check("any", mistyped), "ingest_forbidden");
  assertProblem(await check("any", reading), "insufficient_scope");
  assert.equal((await service.get(`/api/shortvideo/post/detail?videoId=${postId(50)}`)).status, 404);
});

test("a platform that is not read, or none, is 404 in the words that the extension looks for", async () => {
  for (const platform of ["twitter.com", "", null, "TIKTOK.COM/../.."]) {
    const problem = assertProblem(await push(`${pushedLine(aPostObject(1))}\n`, platform), "unknown_source");
    assert.equal(problem.detail, "Unknown platform or source format");
  }
});

const LARGE = Buffer.alloc(3 * 1024 * 1024, `${pushedLine(aPostObject(60))}\n`);
const BOUNDED = { timeout: 10_000 };

async function assertTooLarge(sent: Promise<HttpResponse>): Promise<void> {
  assertProblem(await sent, "body_too_large");
  await until(async () => uploadsLeft().length === 0);
  assert.equal((await service.get(`/api/shortvideo/post/detail?videoId=${postId(60)}`)).status, 404);
}

test("a push beyond INGEST_MAX_MB is 413 and leaves nothing behind", BOUNDED, () => assertTooLarge(push(LARGE)));

test("a push that does not say its length is 413 as soon as it is too large", BOUNDED, () =>
  assertTooLarge(chunkedPush(LARGE)),
);

test("a push of just INGEST_MAX_MB is taken, of a byte more not", BOUNDED, async () => {
  const most = Buffer.alloc(1024 * 1024, "\n");
  const taken = await chunkedPush(most);
  assert.equal(taken.status, 200, taken.text);
  await untilDone((JSON.parse(taken.text) as Queued).key);
  await assertTooLarge(chunkedPush(Buffer.concat([most, Buffer.from("\n")])));
});

test("an upload beyond INGEST_MAX_MB is 413 and leaves nothing behind", BOUNDED, () =>
  assertTooLarge(upload([{ name: "large.ndjson", content: LARGE }])),
);

function uploadsLeft(): string[] {
  return existsSync(folderOfUploads()) ? readdirSync(folderOfUploads()) : [];
}

/** Without a length: only counting the bytes can tell that it is too much. */
async function chunkedPush(body: Buffer): Promise<HttpResponse> {
  const { hostname, port } = new URL(service.url);
  const sent = httpRequest({
    hostname,
    port,
    method: "POST",
    path: `/ingest/${ingest}/api/import-dataset/`,
    headers: { "x-zeeschuimer-platform": "tiktok.com", "content-type": "application/x-ndjson", connection: "close" },
  });
  const answered = once(sent, "response");
  for (let at = 0; at < body.length; at += 65_536) sent.write(body.subarray(at, at + 65_536));
  sent.end();
  const [response] = (await answered) as [import("node:http").IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const whole = Buffer.concat(chunks);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    header: (name) => (response.headers[name] === undefined ? null : String(response.headers[name])),
    body: whole,
    text: whole.toString(),
  };
}

test("a push of junk is imported to its end, and its standing says that nothing was in it", async () => {
  for (const body of ["", "not json at all", Buffer.from([0, 1, 2, 3, 255, 254])]) {
    const answer = await push(body);
    assert.equal(answer.status, 200, answer.text);
    const { done, rows } = await untilDone((JSON.parse(answer.text) as Queued).key);
    assert.deepEqual([done, rows], [true, 0]);
  }
});

test("a push without a body is one of nothing", async () => {
  const answer = await sendRequest(service.url, {
    method: "POST",
    path: `/ingest/${ingest}/api/import-dataset/`,
    headers: { authorization: null, "content-length": "0", "x-zeeschuimer-platform": "tiktok.com" },
  });
  assert.equal(answer.status, 200, answer.text);
  assert.equal((await untilDone((JSON.parse(answer.text) as Queued).key)).rows, 0);
});

test("a body that is broken off leaves nothing behind and is no failure of the service", async () => {
  const path = `/ingest/${ingest}/api/import-dataset/`;
  const pushHeaders = { "content-type": "application/x-ndjson", "x-zeeschuimer-platform": "tiktok.com" };
  const form = { ...bearerHeader(reading), "content-type": "application/x-www-form-urlencoded" };
  for (const [id, sent] of Object.entries({
    "broken-push": { path, headers: pushHeaders, body: pushedLine(aPostObject(61)) },
    "broken-form": { path: "/api/photoshare/get-posts", headers: form, body: "username_or_url=" },
  }))
    await breakOffRequest(service.url, { ...sent, headers: { ...sent.headers, "x-request-id": id } });
  await until(async () => {
    const text = readFileSync(LOG_FILE, "utf8");
    return text.includes('"broken-push"') && text.includes('"broken-form"');
  });
  await until(async () => uploadsLeft().length === 0);
  await service.get("/healthz", { "x-request-id": "after-the-broken-ones" });
  const log = await until(async () => {
    const text = readFileSync(LOG_FILE, "utf8");
    return text.includes("after-the-broken-ones") ? text : null;
  });
  const lines = log.split("\n").filter((line) => line.includes('"broken-'));
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { status?: number }).status),
    [499, 499],
  );
});

test("files come in by multipart, and their names keep the facts that formats take from them", async () => {
  const { files } = await uploaded([
    contentOf(fixtureOf("longvideo", "yt-dlp/Harbour walk [harbourW01k].info.json")),
    contentOf(fixtureOf("longvideo", "subtitles/harbourW01k.es.srv1")),
  ]);
  assert.deepEqual(files, ["Harbour walk [harbourW01k].info.json", "harbourW01k.es.srv1"]);
  assert.equal((await service.get("/api/longvideo/video/details?video_id=harbourW01k")).status, 200);
  const store = openSqliteStore(service.dataDir);
  const languages = await store.reader("longvideo").listSubtitleLanguages("harbourW01k");
  await store.close();
  assert.ok(languages.some(({ language }) => language === "es"));
});

test("folders around a file are kept, since they say what is in it", async () => {
  const node = {
    id: "3317023193151045733",
    shortcode: "C4IbwUTgABl",
    owner: { id: "5501002004", username: "ada.ferro" },
  };
  const content = JSON.stringify({ node, instaloader: { version: "4.14", node_type: "Post" } });
  const path = "mira.holm/:tagged/C4IbwUTgABl.json";
  const { files } = await uploaded([
    { name: path, content },
    { name: path, content },
    // No file is where a folder is, nor a folder where a file is.
    { name: "mira.holm", content },
    { name: "plain", content },
    { name: "plain/C4IbwUTgABl.json", content },
    { name: "a/b/c/d/e/f/g/C4IbwUTgABl.json", content },
  ]);
  assert.deepEqual(files, [
    "mira.holm/：tagged/C4IbwUTgABl.json",
    "mira.holm/：tagged/1-C4IbwUTgABl.json",
    "1-mira.holm",
    "plain",
    "C4IbwUTgABl.json",
    "c/d/e/f/g/C4IbwUTgABl.json",
  ]);
  const { posts } = await service.json<{ posts: { id: string }[] }>(
    "/api/posts/with?platform=photoshare&trait=tagged&id=mira.holm",
  );
  assert.deepEqual(
    posts.map(({ id }) => id),
    [node.id],
  );
  await until(async () => readdirSync(folderOfUploads()).length === 0);
});

test("names that lead elsewhere stay inside the upload", async () => {
  const around = () => readdirSync(join(service.dataDir, "..")).filter((name) => name.includes("escaped"));
  const line = `${pushedLine(aPostObject(70))}\n`;
  const { files } = await uploaded(
    [
      "../../escaped.ndjson",
      String.raw`..\\..\\escaped.ndjson`,
      "/escaped.ndjson",
      "..",
      "...",
      "../b/../c.ndjson",
    ].map((name) => ({ name, content: line })),
  );
  assert.equal(files.length, 6);
  for (const name of files) assert.match(name, /^(?:\d-)?(?:escaped\.ndjson|b\/c\.ndjson|upload)$/);
  assert.equal(new Set(files).size, 6);
  assert.deepEqual(around(), []);
  assert.deepEqual(
    readdirSync(service.dataDir).filter((name) => name.includes("escaped")),
    [],
  );
});

test("files of the same name do not get in each other's way, whatever the others are called", async () => {
  const parts = ["a.ndjson", "2-a.ndjson", "a.ndjson"].map((name, at) => ({
    name,
    content: `${pushedLine(aPostObject(80 + at))}\n`,
  }));
  const { files } = await uploaded(parts);
  assert.equal(new Set(files).size, 3);
  for (const number of [80, 81, 82])
    assert.equal((await service.get(`/api/shortvideo/post/detail?videoId=${postId(number)}`)).status, 200);
});

test("a long name in any script is taken", async () => {
  const name = `${"潮汐表".repeat(40)} [tideVideo01].info.json`;
  const { files } = await uploaded([
    { name, content: JSON.stringify({ id: "tideVideo01", title: "Tides", extractor_key: "Youtube", _type: "video" }) },
  ]);
  assert.match(files[0] ?? "", /潮汐表.* \[tideVideo01\]\.info\.json$/);
  assert.equal((await service.get("/api/longvideo/video/details?video_id=tideVideo01")).status, 200);
});

test("a form with more than 100 files is 400 and leaves nothing behind", async () => {
  const files = Array.from({ length: 101 }, (_, at) => ({ name: `${at}.ndjson`, content: "\n" }));
  const { detail } = assertProblem(await upload(files), "invalid_body");
  assert.equal(detail, "the request body has more than 100 files");
  await until(async () => uploadsLeft().length === 0);
  assert.equal((await uploaded(files.slice(1))).files.length, 100);
});

test("a form without a file is 400, something else than a form 415, a broken form 400", async () => {
  assertProblem(await upload([]), "invalid_body");
  const other = (type: string, body: string) =>
    sendRequest(service.url, {
      method: "POST",
      path: "/ingest/files",
      headers: { "content-type": type, ...bearerHeader(ingest) },
      body,
    });
  assertProblem(await other("application/json", "{}"), "unsupported_media_type");
  assertProblem(await other("application/x-ndjson", pushedLine(aPostObject(1))), "unsupported_media_type");
  assertProblem(await other("multipart/form-data", "--x"), "invalid_body");
  assertProblem(await other("multipart/form-data; boundary=x", "--x\r\nbroken"), "invalid_body");
});

test("uploads ask for a token with the scope: 401 without one or with a bad one, 403 without the scope", async () => {
  const parts = [{ name: "a.ndjson", content: `${pushedLine(aPostObject(90))}\n` }];
  const missing = await upload(parts, { authorization: null });
  assertProblem(missing, "missing_token");
  assert.match(missing.header("www-authenticate") ?? "", /^Bearer/);
  assertProblem(await upload(parts, bearerHeader("nonsense")), "invalid_token");
  assertProblem(await upload(parts, bearerHeader(reading)), "insufficient_scope");
  assert.equal((await service.get(`/api/shortvideo/post/detail?videoId=${postId(90)}`)).status, 404);
});

test("an ingest token reads nothing", async () => {
  const { status } = await service.get(`/api/shortvideo/post/detail?videoId=${postId(1)}`, bearerHeader(ingest));
  assert.equal(status, 403);
});

test("the address with a token in it, which is for a browser extension, is not in the public documentation", async () => {
  const { paths } = await service.json<{ paths: Record<string, unknown> }>("/openapi.json");
  assert.ok(Object.keys(paths).length > 0);
  assert.deepEqual(
    Object.keys(paths).filter((path) => path.includes("ingest")),
    ["/ingest/files"],
  );
});

test("no address of the ingest way shows its token in the log, also where it is mistyped", async () => {
  const line = `${pushedLine(aPostObject(1))}\n`;
  await push(line);
  await push(line, "twitter.com");
  const asked = [
    `/ingest/${ingest}`,
    `/ingest/${ingest}/`,
    `/ingest/${ingest}/api/import-dataset`,
    `/ingest/${ingest}/api/check-query?key=1`,
    `/ingest/${ingest}/api/other/`,
  ];
  for (const path of asked) await sendRequest(service.url, { path, headers: { authorization: null } });
  await sendRequest(service.url, { method: "PUT", path: `/ingest/${ingest}/api/import-dataset/` });
  const marked = await service.get("/healthz", { "x-request-id": "the-last-request" });
  assert.equal(marked.status, 200);
  const log = await until(async () => {
    const text = existsSync(LOG_FILE) ? readFileSync(LOG_FILE, "utf8") : "";
    return text.includes("the-last-request") ? text : null;
  });
  assert.match(log, /\/ingest\/:token\/api\/import-dataset\//);
  assert.ok(!log.includes(ingest), "the token stands in the log");
});

test("subtitles of one folder that are named by ids are imported without being asked for", async () => {
  const ids = ["z6wDERJgUnk", "Qx7TrAm3pZ8", "m8QeD4sVfRo", "0tGiK6hJyCw", "W4hRq8NzLkA"];
  const content = "1\n00:00:01,000 --> 00:00:02,500\nTide tables\n";
  const { standing } = await uploaded(ids.map((id) => ({ name: `talks/${id}.srt`, content })));
  assert.equal(standing.rows, 10, "a video and a track of each");
  const alone = await uploaded([{ name: "talks/iPhone15Pro.srt", content }]);
  assert.equal(alone.standing.rows, 0);
});
