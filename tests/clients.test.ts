/** The clients against the running service: every operation, every list to its end, errors, retries and cancellation. */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import type { Operation } from "#api/platform.ts";
import { budget } from "#testing/budget.ts";
import type { List, Lookup } from "../client/operation.ts";
import { createClient, TriptychError } from "../client/triptych.ts";
import { OPERATIONS, requestOperation } from "./http-client.ts";
import { startTestServer, TEST_TOKEN, type TestServer } from "./test-server.ts";

const execute = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "..");
const NO_PYTHON = spawnSync("python3", ["--version"]).status === 0 ? false : "python3 is not installed";

type Functions = Record<string, List<object, object, object> | Record<string, List<object, object, object>>>;

/** The function of an operation, found by its name as a reader of the docs would. */
function functionOf(client: object, { endpoint, name, group }: Operation): List<object, object, object> {
  const [first = "", ...rest] = endpoint.path.split(/[^a-z0-9]+/i);
  const camelCase = first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  const functions = client as Functions;
  const holder = name.startsWith(`${group.name}/`) ? functions[group.name] : functions;
  return (holder as Record<string, List<object, object, object>>)[camelCase] as List<object, object, object>;
}

/** Without what differs between two requests: times of the request, ages in words, scores that fall with age, signed tokens and ids. */
function stable(body: unknown): unknown {
  const changing = /^(?:now|extra|log_pb|request_id|cursor|.*_token|logid|published_time|score)$/;
  return JSON.parse(JSON.stringify(body, (key, value: unknown) => (changing.test(key) ? undefined : value)));
}

async function rawBody(server: TestServer, { name, endpoint }: Operation): Promise<unknown> {
  return JSON.parse((await requestOperation(server.url, name, endpoint.example)).text);
}

/** A request for the items alone, without what requests the next page. */
function itemsOnly({ endpoint }: Operation): Record<string, string> {
  const [list = ""] = endpoint.pages?.items.split(".") ?? [];
  return { ...endpoint.example, fields: list };
}

const PAGED = OPERATIONS.filter(({ endpoint }) => endpoint.pages !== undefined);
/** Lists that are walked a second time for their items alone. */
const EVERY = Math.round(100 / budget("selectedListPercent"));
const SELECTED = PAGED.filter((_, at) => at % EVERY === 0);

describe("clients", () => {
  let server: TestServer;
  const walked = new Map<Operation, Promise<object[]>>();
  before(async () => {
    server = await startTestServer("demo", { RATE_LIMIT: "off" });
  });
  after(() => server.close());

  /** All items of a list, walked once by the TypeScript client. */
  function itemsOf(operation: Operation): Promise<object[]> {
    const client = createClient({ url: server.url, token: TEST_TOKEN });
    const items =
      walked.get(operation) ?? Array.fromAsync(functionOf(client, operation).items(operation.endpoint.example));
    walked.set(operation, items);
    return items;
  }

  test("TypeScript: every operation is a function that returns its body", async () => {
    const client = createClient({ url: `${server.url}/`, token: TEST_TOKEN });
    for (const operation of OPERATIONS) {
      const call: Lookup<object, object> = functionOf(client, operation);
      assert.deepEqual(stable(await call(operation.endpoint.example)), stable(await rawBody(server, operation)));
    }
    const { body, headers } = await client.photoshare.getProfile.withResponse({ username_or_url: "luna.marchetti" });
    assert.equal(body.user_data.username, "luna.marchetti");
    assert.ok(headers.get("x-request-id"));
  });

  test("TypeScript: iterators walk every list to its end, without repeating an item", async () => {
    const client = createClient({ url: server.url, token: TEST_TOKEN });
    for (const operation of PAGED) {
      const items = await itemsOf(operation);
      assert.ok(items.length > 20, `${operation.name}: ${items.length}`);
      assert.equal(new Set(items.map((item) => JSON.stringify(item))).size, items.length, operation.name);
    }
    for (const operation of SELECTED) {
      const selected = await Array.fromAsync(functionOf(client, operation).items(itemsOnly(operation)));
      assert.equal(selected.length, (await itemsOf(operation)).length, operation.name);
    }
    let pages = 0;
    for await (const page of client.shortvideo.musicPosts.pages({ musicId: "7100000000000000001", count: 10 })) {
      assert.ok(page.itemList.length <= 10);
      if (++pages === 3) break;
    }
    assert.equal(pages, 3);
  });

  test("TypeScript: an error has its code, its sentence and the request's id", async () => {
    const client = createClient({ url: server.url, token: TEST_TOKEN });
    await assert.rejects(client.shortvideo.postDetail({ videoId: "1" }), (error) => {
      assert.ok(error instanceof TriptychError);
      assert.deepEqual([error.status, error.code], [404, "post_not_found"]);
      assert.equal(error.message, error.problem?.detail);
      assert.ok(error.requestId);
      return true;
    });
    await assert.rejects(createClient({ url: server.url, token: "wrong" }).search({ q: "tea" }), { status: 401 });
  });

  test("Python: every operation, every list, errors", { skip: NO_PYTHON }, async () => {
    const calls = OPERATIONS.map(({ name, endpoint }) => [name, endpoint.path, endpoint.example]);
    const walks = [
      ...PAGED.map((operation) => ({ operation, input: operation.endpoint.example })),
      ...SELECTED.map((operation) => ({ operation, input: itemsOnly(operation) })),
    ];
    const lists = walks.map(({ operation, input }) => [operation.name, operation.endpoint.path, input]);
    const [bodies, counts, failure] = await runPython<[Record<string, unknown>, number[], string[]]>(server.url, {
      calls,
      lists,
      failing: ["shortvideo/post/detail", "post/detail", { videoId: "1" }],
    });
    for (const operation of OPERATIONS) {
      assert.deepEqual(stable(bodies[operation.name]), stable(await rawBody(server, operation)), operation.name);
    }
    for (const [index, { operation }] of walks.entries()) {
      assert.equal(counts[index], (await itemsOf(operation)).length, operation.name);
    }
    assert.deepEqual(failure, ["404", "post_not_found"]);
  });

  test("the guide's TypeScript code runs", async () => {
    const env = { ...process.env, TOKEN: TEST_TOKEN };
    const typescript = ["--input-type=module-typescript", "--eval", guide("ts", server.url)];
    const { stdout } = await execute(process.execPath, typescript, { cwd: ROOT, env });
    assert.match(stdout, /Nora Lindqvist \d+\n[\s\S]*post_not_found/);
  });

  test("the guide's Python code runs", { skip: NO_PYTHON }, async () => {
    const env = { ...process.env, TOKEN: TEST_TOKEN };
    // pandas may not be installed: this stands in for the one function that is used.
    const prelude = `import os, sys, types
sys.path.insert(0, "client/python")
sys.modules["pandas"] = types.SimpleNamespace(json_normalize=lambda rows: print(len(rows), "rows"))
token = os.environ["TOKEN"]\n`;
    const python = await execute("python3", ["-B", "-c", prelude + guide("python", server.url)], { cwd: ROOT, env });
    assert.match(python.stdout, /^\d+\n[\s\S]*\n\d+ rows\npost_not_found/);
  });
});

/** The code blocks of docs/clients.md, as they stand there but for the URL. */
function guide(language: string, url: string): string {
  const text = readFileSync(join(ROOT, "docs/clients.md"), "utf8");
  const [, code = ""] = new RegExp(`\\n\`\`\`${language}\\n(.*?)\\n\`\`\`\\n`, "s").exec(text) ?? [];
  return code.replaceAll("http://127.0.0.1:8080", url);
}

describe("clients of a service that fails for a moment", () => {
  let url: string;
  let requests: string[];
  let respond: (attempt: number, response: ServerResponse, request: IncomingMessage) => void;
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    respond(requests.length, response, request);
  });
  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const ok = (response: ServerResponse) => response.end('{"results":[],"continuation_token":""}');
  const busy = (response: ServerResponse, headers: Record<string, string>) =>
    response
      .writeHead(503, { "content-type": "application/problem+json", ...headers })
      .end('{"code":"busy","detail":"later"}');

  const cutInBody = (response: ServerResponse) =>
    response.writeHead(200, { "content-length": "100" }).write("{", () => response.socket?.destroy());

  const FOUR_EACH = ["tea", "rain"].flatMap((q) => Array.from({ length: 4 }, () => `/api/search?q=${q}`));
  const STATUSES: Partial<Record<number, number>> = { 5: 429, 6: 502, 7: 504 };
  /** Each of two requests. */
  const failThrice: typeof respond = (attempt, response) => {
    const status = STATUSES[attempt];
    if (attempt === 1) busy(response, { "retry-after": "0" });
    else if (attempt === 2) response.socket?.destroy();
    else if (attempt === 3) cutInBody(response);
    else if (status !== undefined) response.writeHead(status, { "retry-after": new Date(0).toUTCString() }).end();
    else ok(response);
  };

  test("a request is retried when Retry-After says so, and after a lost or cut connection", async () => {
    requests = [];
    respond = failThrice;
    const client = createClient({ url, token: "t" });
    await client.search({ q: "tea" });
    await client.search({ q: "rain" });
    assert.deepEqual(requests, FOUR_EACH);
  });

  test("Python: a request is retried likewise", { skip: NO_PYTHON }, async () => {
    requests = [];
    respond = failThrice;
    const calls = ["tea", "rain"].map((q) => ["search", "search", { q }]);
    await runPython(url, { calls, lists: [] });
    assert.deepEqual(requests, FOUR_EACH);
  });

  test("a wait that is longer than allowed is an error that says how long", async () => {
    requests = [];
    respond = (_attempt, response) => busy(response, { "retry-after": "120" });
    await assert.rejects(createClient({ url, token: "t" }).search({ q: "tea" }), { code: "busy", retryAfterS: 120 });
    assert.equal(requests.length, 1);
  });

  const waitTillTomorrow: typeof respond = (_attempt, response) =>
    busy(response, { "retry-after": new Date(Date.now() + 86_400_000).toUTCString() });

  test("so is one until a date", async () => {
    requests = [];
    respond = waitTillTomorrow;
    await assert.rejects(
      createClient({ url, token: "t" }).search({ q: "tea" }),
      (error: TriptychError) => Math.abs((error.retryAfterS ?? 0) - 86_400) < 600,
    );
    assert.equal(requests.length, 1);
  });

  test(
    "Python: a wait until a date that is longer than allowed is likewise an error",
    { skip: NO_PYTHON },
    async () => {
      requests = [];
      respond = waitTillTomorrow;
      const work = { calls: [], lists: [], failing: ["search", "search", { q: "tea" }] };
      const [, , failure] = await runPython<[object, number[], string[]]>(url, work);
      assert.deepEqual([failure, requests.length], [["503", "busy"], 1]);
    },
  );

  const respondWithPage =
    (status: number): typeof respond =>
    (_attempt, response) =>
      response.writeHead(status, { "content-type": "text/html" }).end("<h1>no</h1>");

  test("a response that is not the service's is an error, and is not retried", async () => {
    for (const status of [404, 200]) {
      requests = [];
      respond = respondWithPage(status);
      const sent = createClient({ url, token: "t" }).search({ q: "tea" });
      await assert.rejects(sent, { name: "TriptychError", status, code: "unexpected_response" });
      assert.equal(requests.length, 1);
    }
  });

  test("Python: a response that is not the service's is likewise an error", { skip: NO_PYTHON }, async () => {
    for (const status of [404, 200]) {
      requests = [];
      respond = respondWithPage(status);
      const work = { calls: [], lists: [], failing: ["search", "search", { q: "tea" }] };
      const [, , failure] = await runPython<[object, number[], string[]]>(url, work);
      assert.deepEqual(failure, [String(status), "unexpected_response"]);
      assert.equal(requests.length, 1);
    }
  });

  /** Redirects to another origin, which responds with the token that it was sent. */
  async function tokenAfterRedirect(search: () => Promise<unknown>): Promise<unknown> {
    const other = createServer((request, response) =>
      response.end(JSON.stringify({ token: request.headers.authorization ?? null })),
    );
    other.listen(0, "127.0.0.1");
    await once(other, "listening");
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    requests = [];
    respond = (_attempt, response) => response.writeHead(301, { location }).end();
    try {
      return await search();
    } finally {
      other.closeAllConnections();
      other.close();
    }
  }

  test("a redirect takes no token to another host", async () => {
    const client = createClient({ url, token: "t" });
    assert.deepEqual(await tokenAfterRedirect(() => client.search({ q: "tea" })), { token: null });
  });

  test("Python: a redirect likewise takes no token to another host", { skip: NO_PYTHON }, async () => {
    const work = { calls: [["search", "search", { q: "tea" }]], lists: [] };
    const [bodies] = (await tokenAfterRedirect(() => runPython(url, work))) as [object];
    assert.deepEqual(bodies, { search: { token: null } });
  });

  /** Responds with the token that it was sent. */
  const respondAfterRedirect: typeof respond = (attempt, response, { headers }) =>
    attempt === 1
      ? response.writeHead(302, { location: "/moved" }).end()
      : response.end(JSON.stringify({ token: headers.authorization ?? null }));

  test("a redirect within the same host keeps the token", async () => {
    requests = [];
    respond = respondAfterRedirect;
    const client = createClient({ url, token: "t" });
    assert.deepEqual(await client.search({ q: "tea" }), { token: "Bearer t" });
  });

  test("Python: a redirect within the same host likewise keeps the token", { skip: NO_PYTHON }, async () => {
    requests = [];
    respond = respondAfterRedirect;
    const [bodies] = await runPython<[object]>(url, { calls: [["search", "search", { q: "tea" }]], lists: [] });
    assert.deepEqual(bodies, { search: { token: `Bearer ${TEST_TOKEN}` } });
  });

  test("Python: a table of some items requests no page that it does not need", { skip: NO_PYTHON }, async () => {
    const itemList = Array.from({ length: 30 }, (_, id) => ({ id }));
    respond = (_attempt, response) => response.end(JSON.stringify({ itemList, cursor: 30, hasMore: true }));
    requests = [];
    const limits = [30, 31, 0];
    const lists = limits.map((limit) => ["shortvideo/music/posts", "music/posts", { musicId: `of-${limit}` }, limit]);
    const [, , , taken] = await runPython<unknown[]>(url, { calls: [], lists: [], taken: lists });
    const sent = limits.map((limit) => requests.filter((path) => path.includes(`=of-${limit}`)).length);
    assert.deepEqual([taken, sent], [limits, [1, 2, 0]]);
  });

  const NO_LIST = "fields leaves out itemList, the list of the items";
  const respondWithoutList: typeof respond = (_attempt, response) => response.end('{"cursor":30,"hasMore":true}');

  test("a selection without the list is an error that says so", async () => {
    requests = [];
    respond = respondWithoutList;
    const items = createClient({ url, token: "t" }).shortvideo.musicPosts.items({ musicId: "1", fields: "cursor" });
    await assert.rejects(items.next(), { name: "TypeError", message: NO_LIST });
  });

  test("Python: a selection without the list is likewise an error that says so", { skip: NO_PYTHON }, async () => {
    requests = [];
    respond = respondWithoutList;
    const unlisted = ["shortvideo/music/posts", "music/posts", { musicId: "1", fields: "cursor" }];
    const [, , failure] = await runPython<unknown[]>(url, { calls: [], lists: [], unlisted });
    assert.deepEqual(failure, [NO_LIST]);
  });

  test("an aborted request ends at once, also while it waits for a retry", async () => {
    for (const hang of [true, false]) {
      requests = [];
      const aborting = new AbortController();
      respond = (_attempt, response) => {
        if (!hang) busy(response, { "retry-after": "20" });
        setTimeout(() => aborting.abort(), 50);
      };
      const sent = createClient({ url, token: "t" }).search({ q: "tea" }, { signal: aborting.signal });
      await assert.rejects(sent, { name: "AbortError" });
      assert.equal(requests.length, 1);
    }
  });
});

/** tests/python-client.py: makes the calls and prints bodies, numbers of items and the error of the failing call. */
async function runPython<Result>(url: string, work: object): Promise<Result> {
  const program = join(import.meta.dirname, "python-client.py");
  const env = { ...process.env, TRIPTYCH_URL: url, TRIPTYCH_TOKEN: TEST_TOKEN, WORK: JSON.stringify(work) };
  const { stdout } = await execute("python3", ["-I", "-B", program], { env, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as Result;
}
