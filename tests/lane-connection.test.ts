/**
 * Connections are read by hand as long as all that comes over them is plain. However requests are mixed, put behind one
 * another and cut into pieces, a caller must get what node:http and the framework answer: the same service for which
 * cross-origin pages are allowed has no fast lane.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import * as fc from "fast-check";
import { openTestHouse, TEST_TOKEN, type TestHouse } from "./house.ts";
import type { Received } from "./problem.ts";
import { openSocket, operationNamed, parseAnswers, readToEnd } from "./wire.ts";
import { WORLD } from "./world.ts";

const detail = operationNamed("shortvideo/post/detail");
const DETAIL = `${detail.path}?videoId=${detail.endpoint.example["videoId"]}`;
const posts = operationNamed("photoshare/get-posts");
const FORM = String(new URLSearchParams(posts.endpoint.example));

const HOST = "Host: service.example\r\n";
const TOKEN = `Authorization: Bearer ${TEST_TOKEN}\r\n`;
const FORM_TYPE = "Content-Type: application/x-www-form-urlencoded\r\n";

const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\n${HOST}${TOKEN}${headers}\r\n`;
const post = (form: string, headers = "") =>
  `POST ${posts.path} HTTP/1.1\r\n${HOST}${TOKEN}${FORM_TYPE}Content-Length: ${form.length}\r\n${headers}\r\n${form}`;

/** After which the connection is still good. */
const WHOLE = [
  get(DETAIL),
  get(DETAIL, "X-Request-Id: mine\r\nConnection: keep-alive\r\n"),
  get(DETAIL, "If-None-Match: *\r\nAccept:\t application/json \t\r\n"),
  get(DETAIL, "Prefer: unknown=null\r\n"),
  get(DETAIL, "Accept-Encoding: gzip\r\n"),
  get(DETAIL, "Content-Length: 0\r\n"),
  get(DETAIL, "Content-Length: 3\r\n") + "abc",
  get(`${DETAIL}&videoId=2`),
  get(`${detail.path}?videoId=%37`),
  ...["a+b", "%2B%20+%F0%9F%A5%9F", "%c3%A9", "%C3", "%", "%zz", "%00", "a%26b%3Dc", "%u0041", "%ED%A0%80"].map(
    (word) => get(`/api/photoshare/get-profile?username_or_url=${word}`),
  ),
  get(`${DETAIL}&%6eote=1`),
  get(`${DETAIL}&note=${"x".repeat(5_000)}`),
  get(`${DETAIL}&note=${"x".repeat(9_000)}`),
  get(DETAIL, TOKEN),
  get(DETAIL, HOST),
  get(DETAIL, "Accept: text/html\r\n"),
  get(DETAIL, "Accept: text/html\r\nAccept: application/json\r\n"),
  get(DETAIL, "Accept-Encoding: br;q=0, *;q=0\r\n"),
  get(DETAIL, 'If-None-Match: "a", W/"b"\r\n'),
  get(DETAIL, "Traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n"),
  get(DETAIL, "Range: bytes=0-5\r\nCookie: a=b\r\nX-Forwarded-For: 192.0.2.1\r\n"),
  get(DETAIL, "X-Request-Id: no good\r\n"),
  get(DETAIL, "Api-Version: 1999-01-01\r\n"),
  get(`http://service.example${DETAIL}`),
  get(`/${DETAIL}`),
  get(`${DETAIL}#part`),
  get(`${DETAIL}&fields=itemInfo`),
  get(`${DETAIL}&access_token=${TEST_TOKEN}`),
  get(DETAIL.replace("?", "?&")),
  get(detail.path),
  get(posts.path),
  post(FORM, "Content-Encoding: gzip\r\n"),
  post(FORM).replace("urlencoded", "urlencoded; charset=utf-8"),
  post(FORM).replace(posts.path, `${posts.path}?fields=posts`),
  post(FORM).replace(posts.path, detail.path),
  get("/api/nothing"),
  get("/healthz"),
  get(DETAIL).replace(TOKEN, ""),
  get(DETAIL).replace(HOST, "HOST:service.example\r\n"),
  post(FORM),
  post(FORM, "X-Request-Id: yours\r\n"),
  post(`${FORM}&nonsense=%C3%A9`),
  post(""),
  post("x".repeat(2_000)),
  `POST ${posts.path} HTTP/1.1\r\n${HOST}${TOKEN}${FORM_TYPE}Transfer-Encoding: chunked\r\n\r\n${FORM.length.toString(16)}\r\n${FORM}\r\n0\r\n\r\n`,
  `OPTIONS ${detail.path} HTTP/1.1\r\n${HOST}\r\n`,
];

/** After which nothing more is answered. */
const LAST = [
  get(DETAIL, "Connection: close\r\n"),
  post(FORM, "connection: Close\r\n"),
  get(DETAIL, "Connection: close, te\r\n"),
  get(DETAIL).replace("HTTP/1.1", "HTTP/1.0"),
];

/** Not HTTP. What came before them is answered, or is not: node:http forgets what it has not answered yet. */
const BROKEN = [
  get(DETAIL, "Folded: a\r\n b\r\n"),
  get(DETAIL, "Spaced : a\r\n"),
  get(DETAIL, "Odd: \x01\r\n"),
  get(DETAIL, "Content-Length: 1\r\nContent-Length: 2\r\n"),
  get(DETAIL, "Content-Length:\r\n"),
  get(DETAIL, "Content-Length: -1\r\n"),
  post(FORM, "Transfer-Encoding: chunked\r\n"),
  post(FORM, "Content-Length: 7\r\n"),
  get(DETAIL).replaceAll("\r\n", "\n"),
  get(DETAIL, `Long: ${"x".repeat(20_000)}\r\n`),
  get(DETAIL).replace("GET", "get"),
  get(DETAIL).replace(" /", "  /"),
  "\x16\x03\x01\x02\x00\x01\x00",
];

/** What two services must agree on. */
function telling(received: Received): unknown {
  const { status, text } = received;
  const header = (name: string) => received.header(name);
  const id = header("x-request-id") ?? "";
  const isRandom = id.length === 36;
  return {
    status,
    text: isRandom ? text.replaceAll(id, "its id") : text,
    id: isRandom ? "random" : id,
    etag: header("etag"),
    type: header("content-type"),
    length: isRandom ? text.length : header("content-length"),
    connection: (header("connection") ?? "").toLowerCase(),
  };
}

async function converse(address: string, pieces: readonly string[]): Promise<unknown[]> {
  const socket = await openSocket(address);
  socket.setNoDelay(true);
  const answers = readToEnd(socket);
  for (const piece of pieces) {
    if (socket.destroyed || !socket.writable) break;
    socket.write(piece, "latin1");
    // Long enough that most pieces arrive on their own.
    for (let turns = 0; turns < 4; turns++) await turn();
  }
  socket.end();
  return parseAnswers(await answers).map(telling);
}

function cut(text: string, places: readonly number[]): string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted((a, b) => a - b);
  return [...ends, text.length]
    .map((end, index) => text.slice(ends[index - 1] ?? 0, end))
    .filter((part) => part !== "");
}

describe("a connection in the fast lane", () => {
  let lane: TestHouse;
  let framework: TestHouse;

  before(async () => {
    const env = { RATE_LIMIT: "off", METRICS: "public" };
    lane = await openTestHouse(WORLD, env);
    framework = await openTestHouse(WORLD, { ...env, CORS_ORIGINS: "https://pages.example" });
  });
  after(async () => {
    await lane.close();
    await framework.close();
  });

  const cuts = fc.array(fc.nat({ max: 4_000 }), { maxLength: 4 });
  const conversation = fc.record({
    whole: fc.array(fc.constantFrom(...WHOLE), { maxLength: 6 }),
    last: fc.constantFrom("", ...LAST, ...BROKEN),
    cuts,
  });

  test("each way to ask gets what the framework answers", async () => {
    // Twice: what is asked again comes from memory.
    for (const asked of [...WHOLE, ...LAST, ...BROKEN, ...WHOLE, ...LAST]) {
      const expected = await converse(framework.address, [asked]);
      assert.deepEqual(await converse(lane.address, [asked]), expected, JSON.stringify(asked));
    }
  });

  test("so do random conversations, cut into pieces at random", async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async ({ whole, last, cuts: places }) => {
        // What node:http answers to the last of several requests that it reads at once, if that is broken, is a race.
        const earlier = BROKEN.includes(last) ? whole.map(() => get(DETAIL)) : whole;
        const pieces = cut(earlier.join("") + last, places);
        const ours = await converse(lane.address, pieces);
        const theirs = await converse(framework.address, pieces);
        if (BROKEN.includes(last)) assert.deepEqual(ours.at(-1), theirs.at(-1));
        else assert.deepEqual(ours, theirs);
      }),
      { numRuns: 150 },
    );
  });

  test("thousands of requests in one go are answered in their order, to one who is slow to read", async () => {
    const socket = await openSocket(lane.address);
    const many = 3_000;
    const all = Array.from({ length: many }, (_, number) => get(DETAIL, `X-Request-Id: n${number}\r\n`)).join("");
    socket.write(all, "latin1");
    socket.end();
    // Others are answered meanwhile.
    for (let asked = 0; asked < 20; asked++) assert.equal((await converse(lane.address, [get(DETAIL)])).length, 1);
    const ids = parseAnswers(await readToEnd(socket)).map((answer) => [answer.status, answer.header("x-request-id")]);
    assert.deepEqual(
      ids,
      Array.from({ length: many }, (_, number) => [200, `n${number}`]),
    );
  });

  test("a service that stops ends connections on which nothing is asked", async () => {
    const house = await openTestHouse(WORLD);
    const idle = await openSocket(house.address);
    idle.write(get(DETAIL));
    await once(idle, "data");
    const silent = await openSocket(house.address);
    const ended = Promise.all([readToEnd(idle), readToEnd(silent)]);
    await house.close();
    await ended;
  });
});
