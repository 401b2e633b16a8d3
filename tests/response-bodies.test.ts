/**
 * Every body belongs to its request: many connections, some of which pipeline and read a few bytes at a time, get
 * look-ups and lists from a small cache that is cleared meanwhile. Each response is compared to the expected one.
 */
import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { after, before, describe, mock, test } from "node:test";
import { demoWorld } from "#import/demo-world.ts";
import { demoTime } from "#testing/demo-store.ts";
import { budget } from "#testing/budget.ts";
import { startTestServer, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { aPost } from "./world.ts";
import { toUnit } from "#store/write/batch-changes.ts";

const TOTAL = budget("concurrentRequests");
const CONNECTIONS = 300;
const SLOW_CONNECTIONS = 20;
const SLOW_PIPELINE = 4;
const SLOW_BYTES = 1_024;
const KEYS_PER_OPERATION = 40;
const WRITE_EVERY = 1_000;

/** A request without its id, and the body of its response without the id. */
interface Exchange {
  bytes: (requestId: string) => string;
  expected: Buffer;
  /** Whether the body contains the request's id. */
  hasId: boolean;
}

interface Received {
  head: string;
  body: Buffer;
}

/** A keep-alive connection on which requests may be pipelined. */
class Connection {
  readonly #socket: Socket;
  readonly #waiting: { resolve: (response: Received) => void; reject: (error: Error) => void }[] = [];
  #chunks: Buffer[] = [];
  #size = 0;
  /** Of the response that is being received; 0 before its headers are complete. */
  #length = 0;

  constructor(address: string, { isSlow }: { isSlow: boolean }) {
    const { hostname: host, port } = new URL(address);
    const slowReads = {
      buffer: Buffer.alloc(SLOW_BYTES),
      callback: (count: number, buffer: Uint8Array) => {
        this.#receive(Buffer.from(buffer.subarray(0, count)));
        setImmediate(() => this.#socket.resume());
        return false;
      },
    };
    this.#socket = connect({ host, port: Number(port), ...(isSlow && { onread: slowReads }) });
    if (!isSlow) this.#socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => this.#fail(new Error("the connection was closed")));
  }

  send(bytes: string): Promise<Received> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#length === 0 ? this.#readHead() : this.#size >= this.#length) {
      if (this.#size < this.#length) return;
      const bytes = Buffer.concat(this.#chunks);
      const headEnd = bytes.indexOf("\r\n\r\n") + 4;
      const response = { head: bytes.toString("latin1", 0, headEnd), body: bytes.subarray(headEnd, this.#length) };
      this.#chunks = bytes.length > this.#length ? [bytes.subarray(this.#length)] : [];
      this.#size -= this.#length;
      this.#length = 0;
      this.#waiting.shift()?.resolve(response);
    }
  }

  #readHead(): boolean {
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [bytes];
    const end = bytes.indexOf("\r\n\r\n");
    if (end < 0) return false;
    const length = /\r\ncontent-length: (\d+)/i.exec(bytes.toString("latin1", 0, end))?.[1];
    this.#length = end + 4 + Number(length);
    return true;
  }
}

function requests(): Exchange["bytes"][] {
  const worlds = Object.groupBy(demoWorld(demoTime()), ({ platform }) => platform);
  const batches = (platform: string) => (worlds[platform] ?? []).map(({ batch }) => batch);
  const some = <Item>(items: readonly Item[]) => items.slice(0, KEYS_PER_OPERATION);
  const posts = some(batches("shortvideo").flatMap((batch) => batch.posts ?? []));
  const sounds = some(batches("shortvideo").flatMap((batch) => batch.sounds ?? []));
  const accounts = some(batches("shortvideo").flatMap((batch) => batch.accounts ?? []));
  const videos = some(batches("longvideo").flatMap((batch) => batch.posts ?? []));
  const profiles = some(batches("photoshare").flatMap((batch) => batch.accounts ?? []));
  const get = (path: string) => (headers: string) => (requestId: string) =>
    `GET /api/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_TOKEN}\r\nX-Request-Id: ${requestId}\r\n${headers}\r\n`;
  const post = (path: string, body: string) => (headers: string) => (requestId: string) =>
    `POST /api/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_TOKEN}\r\nX-Request-Id: ${requestId}\r\n` +
    `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`;
  const plain = [
    ...posts.map(({ id }) => get(`shortvideo/post/detail?videoId=${id}`)),
    ...posts.map(({ id }) => get(`shortvideo/post/comments?videoId=${id}&count=50`)),
    ...sounds.map(({ id }) => get(`shortvideo/music/posts?musicId=${id}&count=30`)),
    ...sounds.map(({ id }) => get(`shortvideo/music/info?musicId=${id}`)),
    ...accounts.map(({ name }) => get(`shortvideo/user/info-with-region?uniqueId=${name}`)),
    ...videos.map(({ id }) => get(`longvideo/video/details?video_id=${id}`)),
    ...profiles.map(({ name }) => post("photoshare/get-posts", `username_or_url=${name}&amount=12`)),
  ];
  return plain.flatMap((request, index) => [
    request(""),
    // With variants of the body; expectedOf drops the encoding where the body has an id.
    request(["Prefer: unknown=null\r\n", "Accept-Encoding: gzip\r\n", "Accept-Encoding: zstd\r\n"][index % 3] ?? ""),
  ]);
}

describe("response bodies", { timeout: 600_000 }, () => {
  let server: TestServer;
  let exchanges: Exchange[];
  let longest: Exchange[];

  before(async () => {
    server = await startTestServer("demo", { RATE_LIMIT: "off", CACHE_MB: "4" });
    // Bodies with a clock or a page token change with the time.
    mock.timers.enable({ apis: ["Date"], now: Date.now() });
    const connection = new Connection(server.url, { isSlow: false });
    exchanges = [];
    for (const bytes of requests()) exchanges.push(await expectedOf(connection, bytes));
    connection.close();
    longest = exchanges.toSorted((a, b) => b.expected.length - a.expected.length).slice(0, KEYS_PER_OPERATION);
  });
  after(async () => {
    mock.timers.reset();
    await server.close();
  });

  async function expectedOf(connection: Connection, bytes: Exchange["bytes"]): Promise<Exchange> {
    const [one, other] = [await connection.send(bytes("first")), await connection.send(bytes("other"))];
    assert.match(one.head, /^HTTP\/1\.1 200 /);
    const hasId = !one.body.equals(other.body);
    if (hasId && /content-encoding/i.test(one.head)) return expectedOf(connection, withoutEncoding(bytes));
    return { bytes, expected: one.body, hasId };
  }

  function withoutEncoding(bytes: Exchange["bytes"]): Exchange["bytes"] {
    return (requestId) => bytes(requestId).replace(/Accept-Encoding: \w+\r\n/, "");
  }

  function check({ expected, hasId }: Exchange, requestId: string, { head, body }: Received): void {
    const ownBody = hasId ? Buffer.from(expected.toString().replaceAll('"first"', `"${requestId}"`)) : expected;
    if (head.includes(`x-request-id: ${requestId}\r\n`) && body.equals(ownBody)) return;
    assert.equal(head + body.toString(), ownBody.toString(), `request ${requestId}`);
  }

  test(`${TOTAL} concurrent requests with slow readers among them each get their own body`, async () => {
    let sent = 0;
    let slowlyRead = 0;
    const isDone = () => sent >= TOTAL;
    const store = await server.openStore();
    const next = async (connection: Connection, pool: readonly Exchange[]) => {
      const number = sent++;
      if (number % WRITE_EVERY === 0)
        await store.writer.write([toUnit("shortvideo", { posts: [aPost(`99000000000${number}`)] })]);
      const exchange = pool[(number * 7) % pool.length] as Exchange;
      check(exchange, `r-${number}`, await connection.send(exchange.bytes(`r-${number}`)));
    };
    const run = async (isSlow: boolean) => {
      const connection = new Connection(server.url, { isSlow });
      while (!isDone()) {
        const inFlight = Math.min(isSlow ? SLOW_PIPELINE : 1, TOTAL - sent);
        await Promise.all(Array.from({ length: inFlight }, () => next(connection, isSlow ? longest : exchanges)));
        if (isSlow) slowlyRead += inFlight;
      }
      connection.close();
    };
    try {
      await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => run(index < SLOW_CONNECTIONS)));
    } finally {
      await store.close();
    }
    assert.equal(sent, TOTAL);
    assert.ok(slowlyRead >= SLOW_CONNECTIONS, `${slowlyRead} responses were read slowly`);
  });
});
