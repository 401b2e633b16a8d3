/** MCP with the SDK's own client, over both transports, on the demo world; and messages that no client would send. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import * as fc from "fast-check";
import { DAY_MS } from "#domain/time.ts";
import { ANY_CHARACTER } from "#testing/any-character.ts";
import { OPERATIONS } from "#platforms/registry.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { budget } from "#testing/budget.ts";
import { programEnvironment } from "#testing/program-environment.ts";
import { until } from "#testing/until.ts";
import { idsIn, idsOf, walk } from "./paged-lists.ts";
import { assertProblem, type Received } from "./problem.ts";
import { startTestServer, temporaryFolder, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { bearerHeader, openTokenIssuer, type TokenIssuer } from "./test-tokens.ts";
import { anAccount, aPost } from "./world.ts";

const BIN = join(import.meta.dirname, "..", "bin", "triptych.mjs");
const ORIGIN = "https://agent.example";

let server: TestServer;
let tokens: TokenIssuer;

before(async () => {
  // Tokens of tests about limits have limits of their own.
  server = await startTestServer("demo", { CORS_ORIGINS: ORIGIN, RATE_BURST: "1000000" });
  tokens = await openTokenIssuer(server);
});

after(async () => {
  await (await sharedStdio)?.close();
  await tokens?.close();
  await server?.close();
});

interface Answer {
  data: Record<string, unknown>;
  source: { request: string; captured_at: string | null };
  left_out?: string[];
  next_page?: Record<string, unknown>;
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Answer> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [{ text } = { text: "" }] = content as { text: string }[];
  assert.notEqual(isError, true, text);
  return JSON.parse(text) as Answer;
}

async function failure(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  assert.equal(isError, true);
  return (content as { text: string }[])[0]?.text ?? "";
}

/** The parameters that request the next page. */
function tokenNames(tool: string): string[] {
  return Object.keys(OPERATIONS.find(({ id }) => id === tool)?.endpoint.pages?.next ?? {});
}

async function overHttp(token = TEST_TOKEN, { url } = server): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

/** A response in the form that the check of problems reads. */
async function received(response: Response): Promise<Received> {
  return { status: response.status, header: (name) => response.headers.get(name), text: await response.text() };
}

async function overStdio(of = server): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const env = programEnvironment(of.env);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BIN, "mcp"], env }));
  return client;
}

let sharedStdio: Promise<Client> | undefined;

/** One for the tests that do not end it. */
function shareStdio(): Promise<Client> {
  return (sharedStdio ??= overStdio());
}

for (const [transport, connect] of [
  ["streamable HTTP", () => overHttp()],
  ["standard input and output", shareStdio],
] as const) {
  describe(`over ${transport}`, () => {
    let client: Client;
    before(async () => {
      client = await connect();
    });
    after(async () => {
      if (client !== (await sharedStdio)) await client?.close();
    });

    test("there is a read-only tool per operation, with its parameters", async () => {
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name).filter((name) => name !== "export_table"),
        OPERATIONS.map(({ id }) => id),
      );
      for (const [index, { endpoint }] of OPERATIONS.entries()) {
        const { inputSchema, annotations, description } = tools[index] as (typeof tools)[number];
        assert.deepEqual(Object.keys(inputSchema.properties ?? {}), [
          ...Object.keys(endpoint.input.properties),
          "fields",
          "max_tokens",
        ]);
        assert.equal(annotations?.readOnlyHint, true);
        assert.ok((description ?? "").length > 20);
      }
    });

    test("a question of several steps: the most liked comment on the first video about street food, and its growth", async () => {
      const found = await call(client, "search", { q: "street food", platform: "longvideo", kind: "post" });
      const [{ id } = { id: "" }] = found.data["results"] as { id: string }[];
      const details = await call(client, "longvideo_video_details", { video_id: id, fields: "title,number_of_views" });
      const comments = await call(client, "longvideo_video_comments", { video_id: id, sort: "top" });
      const [top] = comments.data["comments"] as { text: string }[];
      const history = await call(client, "history", { platform: "longvideo", kind: "post", id });
      const points = history.data["points"] as unknown[];

      const page = await server.json<{ comments: { text: string }[] }>(
        `/api/longvideo/video/comments?video_id=${id}&sort=top`,
      );
      assert.equal(top?.text, page.comments[0]?.text);
      const video = await server.json(`/api/longvideo/video/details?video_id=${id}&fields=title,number_of_views`);
      assert.deepEqual(details.data, video);
      assert.ok(points.length > 0);
      assert.match(details.source.captured_at ?? "", /^\d{4}-\d{2}-\d{2}T/);
      assert.equal(details.source.request, "GET /api/longvideo/video/details");
    });

    test("pages follow each other by next_page, and an answer keeps to its budget and says what it left out", async () => {
      const first = await call(client, "photoshare_get_posts", {
        username_or_url: "luna.marchetti",
        amount: "3",
        fields: "posts(node(code)),pagination_token",
      });
      const second = await call(client, "photoshare_get_posts", first.next_page ?? {});
      const codes = (answer: Answer) =>
        (answer.data["posts"] as { node: { code: string } }[]).map(({ node }) => node.code);
      assert.equal(new Set([...codes(first), ...codes(second)]).size, 6);
      const long = { username_or_url: "luna.marchetti", max_tokens: 50_000 };
      const whole = await call(client, "photoshare_get_posts", long);
      assert.equal(whole.next_page?.["max_tokens"], 50_000);
      const rest = await call(client, "photoshare_get_posts", whole.next_page ?? {});
      assert.deepEqual([whole.left_out, rest.left_out], [undefined, undefined]);
      const { content } = await client.callTool({
        name: "photoshare_get_posts",
        arguments: { username_or_url: "luna.marchetti", max_tokens: 700 },
      });
      const [{ text } = { text: "" }] = content as { text: string }[];
      assert.ok(text.length < 700 * 4, `${text.length} characters`);
      assert.match((JSON.parse(text) as Answer).left_out?.join() ?? "", /^\d+ of 12 items of posts/);
    });

    test("a selection keeps next_page, and has nothing that was not selected", async () => {
      const lists: [string, Record<string, unknown>, string][] = [
        ["photoshare_get_posts", { username_or_url: "luna.marchetti", amount: "3" }, "posts(node(code))"],
        ["shortvideo_search_general", { keyword: "food" }, "data(item(id))"],
        ["search", { q: "food", limit: 2 }, "results(id)"],
      ];
      for (const [name, args, fields] of lists) {
        const whole = await call(client, name, { ...args, max_tokens: 50_000 });
        const first = await call(client, name, { ...args, fields });
        const [list = ""] = fields.split("(");
        assert.deepEqual(Object.keys(first.data), [list]);
        assert.deepEqual(Object.keys(first.next_page ?? {}), [...Object.keys(args), "fields", ...tokenNames(name)]);
        const second = await call(client, name, first.next_page ?? {});
        assert.equal((first.data[list] as unknown[]).length, (whole.data[list] as unknown[]).length);
        assert.notDeepEqual(second.data, first.data);
        assert.deepEqual(Object.keys(second.data), [list]);
      }
      assert.match(await failure(client, "search", { q: "food", fields: "results(id" }), /fields: expected \) at/);
    });

    test("mistakes are explained to the model; an unknown tool is a protocol error", async () => {
      assert.match(
        await failure(client, "longvideo_video_details", { video_id: "nobodysVideo" }),
        /\(post_not_found\)$/,
      );
      assert.match(await failure(client, "longvideo_video_details", {}), /video_id is required/);
      assert.match(
        await failure(client, "shortvideo_post_detail", { videoId: Number("7709056739932632909") }),
        /videoId .*must be sent as a string: a number this large loses digits/,
      );
      assert.match(
        await failure(client, "longvideo_video_comments", { video_id: "demoVideo01", sort: "best" }),
        /must be one of newest, top/,
      );
      await assert.rejects(client.callTool({ name: "delete_everything", arguments: {} }), /unknown tool/);
    });

    test("records are resources, and prompts name the research tasks", async () => {
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.ok(
        resourceTemplates.some(({ uriTemplate }) => uriTemplate === "triptych://longvideo/video/details/{video_id}"),
      );
      const { contents } = await client.readResource({ uri: "triptych://longvideo/video/details/demoVideo01" });
      const [{ text } = { text: "" }] = contents as { text: string }[];
      assert.equal((JSON.parse(text) as Answer).data["video_id"], "demoVideo01");
      await assert.rejects(
        client.readResource({ uri: "triptych://longvideo/video/details/nobodysVideo" }),
        /not found/,
      );
      await assert.rejects(client.readResource({ uri: "file:///etc/passwd" }), /unknown resource/);
      const { prompts } = await client.listPrompts();
      assert.ok(prompts.length >= 4);
      const { messages } = await client.getPrompt({ name: "growth_over_time", arguments: { record: "market lane" } });
      assert.match(JSON.stringify(messages), /market lane.*history/);
      await assert.rejects(client.getPrompt({ name: "growth_over_time", arguments: {} }), /needs the argument record/);
    });
  });
}

/** What a list has, over HTTP. */
async function idsOver(operation: string, parameters: Record<string, string>): Promise<Set<string>> {
  return new Set(idsOf(await walk(server, { name: operation, operation, parameters, size: null })));
}

/** Of a list that is not followed to its end. */
const FIRST_CALLS = 20;

describe("lists whose pages do not fit", () => {
  let client: Client;
  before(async () => {
    client = await overHttp();
  });
  after(() => client?.close());

  /** All that an agent sees that follows `next_page` to the end, or for this many calls. */
  async function follow(
    tool: string,
    operation: string,
    args: Record<string, unknown>,
    atMost = Infinity,
  ): Promise<Set<string>> {
    const ids = new Set<string>();
    let next: Record<string, unknown> | undefined = args;
    for (let calls = 0; next !== undefined && calls < atMost; calls++) {
      assert.ok(calls < 400, `${operation}: the walk does not end`);
      const answer: Answer = await call(client, tool, next);
      if (answer.data !== null) for (const id of idsIn(operation, answer.data)) ids.add(id);
      next = answer.next_page;
    }
    return ids;
  }

  test("an agent that follows next_page sees every record", async () => {
    for (const { id, name, endpoint } of OPERATIONS.filter(({ endpoint: { pages } }) => pages !== undefined)) {
      const properties = endpoint.input.properties as Record<string, { maximum?: number }>;
      const sizes = ["count", "amount", "limit"].filter((size) => Object.hasOwn(properties, size));
      const largest = Object.fromEntries(sizes.map((size) => [size, String(properties[size]?.maximum)]));
      const parameters = { ...endpoint.example, ...largest } as Record<string, string>;
      const all = await idsOver(name, parameters);
      assert.deepEqual(await follow(id, name, parameters), all, name);
      // Not even one item fits at first. Longer lists would take a call for each item.
      if (all.size >= 200) continue;
      const isWhole = all.size <= budget("itemsOneByOne");
      const seen = await follow(id, name, { ...parameters, max_tokens: 200 }, isWhole ? Infinity : FIRST_CALLS);
      assert.ok(seen.size >= Math.min(FIRST_CALLS - 2, all.size), `${name}: ${seen.size} items`);
      assert.deepEqual(seen, isWhole ? all : new Set([...all].slice(0, seen.size)), name);
    }
    // A page with a number begins where it did, whatever its size.
    const third = { period: "30", limit: "18", page: "3" };
    const songs = "shortvideo/trending/songs";
    assert.deepEqual(await follow("shortvideo_trending_songs", songs, third), await idsOver(songs, third));
  });

  test("where not even one item fits, next_page asks for one, with as many tokens as it needs", async () => {
    const posts = { username_or_url: "luna.marchetti", amount: 12 };
    const { data, next_page: next } = await call(client, "photoshare_get_posts", { ...posts, max_tokens: 200 });
    assert.equal(data, null);
    const needed = Number(next?.["max_tokens"]);
    assert.deepEqual(next, { ...posts, amount: 1, max_tokens: needed });
    assert.ok(needed > 200 && needed < 2_000, `${needed} tokens`);
    const one = await call(client, "photoshare_get_posts", next ?? {});
    assert.deepEqual([(one.data["posts"] as unknown[]).length, one.left_out], [1, undefined]);
  });
});

describe("over HTTP, as for the API", () => {
  const message = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/mcp`, {
      method: "POST",
      body,
      headers: {
        authorization: `Bearer ${TEST_TOKEN}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
    });

  test("a token is required, and its scopes decide about the tools", async () => {
    assertProblem(await received(await post(message("tools/list"), { authorization: "" })), "invalid_token");
    const { token } = await tokens.issue({ scopes: ["read:photoshare"] });
    const client = await overHttp(token);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      OPERATIONS.filter(({ reads }) => reads.includes("photoshare")).map(({ id }) => id),
    );
    await assert.rejects(client.callTool({ name: "longvideo_trending", arguments: {} }), /unknown tool/);
    await client.close();
  });

  test("pages of other origins are refused, programs and allowed pages are not", async () => {
    assertProblem(
      await received(await post(message("tools/list"), { origin: "https://evil.example" })),
      "origin_not_allowed",
    );
    assertProblem(await received(await post(message("tools/list"), { origin: server.url })), "origin_not_allowed");
    assert.equal((await post(message("tools/list"), { origin: ORIGIN })).status, 200);
  });

  test("a message costs a look-up and a tool what its operation costs; an exhausted token is told so", async () => {
    const { token } = await tokens.issue({ limits: { burst: 20 } });
    const headers = bearerHeader(token);
    const remaining = async (body: string) => {
      const response = await post(body, headers);
      await response.arrayBuffer();
      return Number(/"burst";r=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1]);
    };
    const atFirst = await remaining(message("tools/list"));
    const afterSearch = await remaining(message("tools/call", { name: "search", arguments: { q: "ramen" } }));
    assert.ok(atFirst - afterSearch >= 5, `${atFirst} to ${afterSearch}`);
    let limited = await post(message("tools/list"), headers);
    for (let count = 0; count < 50 && limited.status === 200; count++)
      limited = await post(message("tools/list"), headers);
    assertProblem(await received(limited), "rate_limited");
  });

  test("each message of a list costs a look-up, also after a byte order mark", async () => {
    const list = (length: number) =>
      JSON.stringify(Array.from({ length }, (_, id) => ({ jsonrpc: "2.0", id, method: "tools/list" })));
    for (const mark of ["", "\u{FEFF}"]) {
      const { token } = await tokens.issue({ limits: { burst: 20 } });
      assert.equal((await post(mark + list(2), bearerHeader(token))).status, 200);
      assertProblem(await received(await post(mark + list(30), bearerHeader(token))), "rate_limited");
    }
  });

  test("a tool call is one concurrent request", async () => {
    const { token } = await tokens.issue({ limits: { concurrency: 1 } });
    const search = message("tools/call", { name: "search", arguments: { q: "ramen", fields: "query" } });
    const response = await post(search, bearerHeader(token));
    assert.equal(response.status, 200);
    const text = await response.text();
    assert.match(text, /ramen/);
    assert.doesNotMatch(text, /too_many_concurrent/);
  });

  test("only POST is allowed: there are no sessions and no streams", async () => {
    const response = await server.get("/mcp");
    assertProblem(await received(response), "method_not_allowed");
    assert.equal(response.headers.get("allow"), "OPTIONS, POST");
  });

  test("malformed messages get an error of the client's, and the next message an answer", async () => {
    for (const body of fc.sample(malformedMessage(), budget("malformedMessages"))) {
      const response = await post(body);
      await response.arrayBuffer();
      // A notification, or a response that nobody asked for, is accepted and dropped.
      assert.ok(
        [200, 202, 400, 406, 413, 415, 429].includes(response.status),
        `${response.status} for ${String(body)}`,
      );
    }
    const client = await overHttp();
    assert.equal(
      (await call(client, "longvideo_video_details", { video_id: "demoVideo01" })).data["video_id"],
      "demoVideo01",
    );
    await client.close();
  });
});

interface Table {
  csv: string;
  rows: number;
  complete: boolean;
}

async function table(client: Client, args: Record<string, unknown>): Promise<Table> {
  return (await call(client, "export_table", args)) as unknown as Table;
}

test("a small table leaves out what is due, and the audit log says how many rows it had", async (t) => {
  const [due, recent] = [{ capturedAt: Date.now() - 400 * DAY_MS }, { capturedAt: Date.now() }];
  const posts = Array.from({ length: 20 }, (_, index) =>
    aPost(`2000${index}`, { authorId: "100001", text: "x".repeat(2_000), ...(index === 0 ? due : recent) }),
  );
  const batch = { accounts: [anAccount("100001", "old.timer", due)], posts };
  const small = await startTestServer([{ platform: "shortvideo", batch }]);
  t.after(() => small.close());
  const issuer = await openTokenIssuer(small);
  const { token, record } = await issuer.issue({ scopes: ["read:shortvideo", "export"] });
  await issuer.close();
  const store = await small.openStore();
  await store.retention.write({ source: "", kind: "", days: 365 });

  const exported: [string, number][] = [];
  for (const [actor, client] of [
    [record.keyId, await overHttp(token, small)],
    ["command", await overStdio(small)],
  ] as const) {
    const { csv, rows, complete } = await table(client, { kind: "posts" });
    await client.close();
    assert.ok(rows > 0 && !complete, `${rows} rows`);
    assert.match(csv, /\r\nshortvideo,20001,100001,/);
    for (const gone of ["shortvideo,20000,", "old.timer"]) assert.ok(!csv.includes(gone), gone);
    exported.push([actor, rows]);
  }
  const entries = await store.audit.listNewest(10, "export");
  await store.close();
  assert.deepEqual(
    entries.map(({ actor, details }) => [actor, (JSON.parse(details) as { rows: number }).rows]).toReversed(),
    exported,
  );
});

test("a small table as CSV: rows that fit, whether they are all, and only with the scope export", async () => {
  const { token } = await tokens.issue({ scopes: ["read:photoshare", "export"] });
  const [overToken, overFile] = [await overHttp(token), await shareStdio()];
  const few = await table(overToken, { kind: "posts", max_tokens: 1_000 });
  assert.ok(few.csv.length <= 3_000 && !few.complete);
  assert.match(few.csv, /^platform,id,author_id,/);
  assert.equal(few.csv.split("\r\n").length, few.rows + 2);
  assert.ok(
    few.csv
      .split("\r\n")
      .slice(1, -1)
      .every((line) => line.startsWith("photoshare,")),
  );
  const all = await table(overFile, { kind: "posts", platform: "longvideo", where: "street food", max_tokens: 50_000 });
  assert.ok(all.rows > 0 && all.complete);
  assert.match(
    await failure(overFile, "export_table", { kind: "charts", where: "x" }),
    /where must be absent: charts are not searched/,
  );
  assert.match(await failure(overToken, "export_table", { kind: "post" }), /kind must be one of accounts, posts/);
  assert.match(
    await failure(overToken, "export_table", { kind: "posts", platform: "longvideo" }),
    /^the token needs the scope read:longvideo \(insufficient_scope\)$/,
  );
  assert.match(
    await failure(overToken, "export_table", { kind: "posts", platform: "photo" }),
    /platform must be one of shortvideo, longvideo, photoshare/,
  );
  for (const client of [overToken, overFile]) {
    assert.equal(
      await failure(client, "export_table", { kind: "posts", pseudonymise: true }),
      "pseudonymise is unknown; an export takes kind, platform, where, max_tokens (invalid_parameter)",
    );
  }
  await overToken.close();
  const reader = await overHttp();
  await assert.rejects(reader.callTool({ name: "export_table", arguments: { kind: "posts" } }), /unknown tool/);
  await reader.close();
  const { token: unreadable } = await tokens.issue({ scopes: ["export"] });
  const exporter = await overHttp(unreadable);
  assert.equal(
    await failure(exporter, "export_table", { kind: "posts" }),
    "the token needs one of the scopes read:shortvideo, read:longvideo, read:photoshare (insufficient_scope)",
  );
  await exporter.close();
});

test("an answer from captures of unknown time has no captured_at", async (t) => {
  const posts = [aPost("7300000000000000077", { capturedAt: 0 })];
  const undated = await startTestServer([{ platform: "shortvideo", batch: { posts } }]);
  t.after(() => undated.close());
  const client = await overHttp(TEST_TOKEN, undated);
  const { source } = await call(client, "post", { platform: "shortvideo", id: "7300000000000000077" });
  assert.equal(source.captured_at, null);
  await client.close();
});

test("a failure of the service reaches the operator with its cause, and the client with its request_id", async (t) => {
  const logs = temporaryFolder();
  t.after(() => logs.remove());
  const LOG_FILE = join(logs.path, "triptych.log");
  const broken = await startTestServer([{ platform: "shortvideo", batch: { posts: [aPost("7300000000000000077")] } }], {
    LOG_LEVEL: "error",
    LOG_FILE,
  });
  t.after(() => broken.close());
  const desk = await openTokenIssuer(broken);
  const { token } = await desk.issue({ scopes: ["admin"] });
  await desk.close();
  const [service, child] = [await overHttp(TEST_TOKEN, broken), new Client({ name: "test", version: "1.0.0" })];
  const env = programEnvironment(broken.env);
  const pipe = new StdioClientTransport({ command: process.execPath, args: [BIN, "mcp"], env, stderr: "pipe" });
  let printed = "";
  pipe.stderr?.on("data", (chunk) => (printed += String(chunk)));
  await child.connect(pipe);
  t.after(() => Promise.all([service.close(), child.close()]));
  const db = new DatabaseSync(join(broken.dataDir, STORE_FILE));
  db.exec("DROP TABLE records");
  db.close();

  const failed: string[] = [];
  for (const [client, lines] of [
    [service, () => readFileSync(LOG_FILE, "utf8")],
    [child, () => printed],
  ] as const) {
    const answers = [
      await failure(client, "shortvideo_post_comments", { videoId: "7300000000000000077" }),
      await client
        .readResource({ uri: "triptych://shortvideo/post/detail/7300000000000000077" })
        .then(JSON.stringify, String),
    ];
    for (const answer of answers) {
      const [, id = "none"] = /^.*internal error; .* request_id \(internal, request_id ([\w-]+)\)$/.exec(answer) ?? [];
      assert.notEqual(id, "none", answer);
      await until(async () => lines().includes(id) && lines().includes("no such table"));
      failed.push(id);
    }
  }
  const response = await fetch(`${broken.url}/admin/errors?kind=failed`, { headers: bearerHeader(token) });
  const { errors } = (await response.json()) as { errors: { requestId: string }[] };
  assert.deepEqual(errors.map(({ requestId }) => requestId).toReversed(), failed.slice(0, 2));
});

test("malformed lines on standard input get an error or nothing, and the next line an answer", async () => {
  const child = spawn(process.execPath, [BIN, "mcp"], {
    env: programEnvironment(server.env),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const answered = (async () => {
    for await (const line of createInterface(child.stdout)) {
      const answer = JSON.parse(line) as { id?: unknown; result?: { tools?: unknown[] } };
      if (answer.id === "last") return answer.result?.tools?.length;
    }
    return undefined;
  })();
  const send = (text: string | Uint8Array) => child.stdin.write(text) || once(child.stdin, "drain");
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "fuzz", version: "1" } };
  await send(`${JSON.stringify({ jsonrpc: "2.0", id: "first", method: "initialize", params: hello })}\n`);
  for (const body of fc.sample(malformedMessage(), budget("malformedMessages"))) {
    await send(Buffer.concat([Buffer.from(body), Buffer.from("\n")]));
  }
  await send(`${JSON.stringify({ jsonrpc: "2.0", id: "last", method: "tools/list", params: {} })}\n`);
  assert.equal(await answered, OPERATIONS.length + 1);
  const exited = once(child, "exit");
  child.stdin.end();
  assert.deepEqual(await exited, [0, null]);
});

test("calls are answered also if standard input ends while they run", async () => {
  const child = spawn(process.execPath, [BIN, "mcp"], {
    env: programEnvironment(server.env),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "pipe", version: "1" } };
  const messages = [
    { id: 1, method: "initialize", params: hello },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "export_table", arguments: { kind: "posts" } } },
    { id: 3, method: "tools/call", params: { name: "search", arguments: { q: "ramen" } } },
  ];
  child.stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
  const ids = new Set<number>();
  for await (const line of createInterface(child.stdout)) {
    const { id, result } = JSON.parse(line) as { id: number; result?: { isError?: boolean } };
    if (result !== undefined && result.isError !== true) ids.add(id);
  }
  assert.deepEqual(ids, new Set([1, 2, 3]));
  assert.deepEqual(await exited, [0, null]);
});

/** Broken JSON, JSON that is no message, and messages with wrong parts. No valid request of a tool. */
function malformedMessage(): fc.Arbitrary<string | Uint8Array<ArrayBuffer>> {
  const valid = JSON.stringify({
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name: "search", arguments: { q: "x" } },
  });
  const part = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom("2.0", "tools/call", "tools/list", "__proto__", -1),
  );
  const message = fc.record(
    { jsonrpc: part, id: part, method: part, params: part, result: part, error: part },
    { requiredKeys: [] },
  );
  return fc.oneof(
    fc.string({ unit: ANY_CHARACTER, maxLength: 200 }).map((text) => text.replaceAll(/[\r\n]/g, " ")),
    fc
      .uint8Array({ maxLength: 100 })
      .map((bytes) => Uint8Array.from(bytes.filter((byte) => byte !== 10 && byte !== 13))),
    fc.nat(valid.length - 1).map((end) => valid.slice(0, end)),
    fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
    message.map((value) => JSON.stringify(value)),
    fc.array(message, { maxLength: 5 }).map((batch) => JSON.stringify(batch)),
    fc.constantFrom("[".repeat(5_000), '{"a":'.repeat(5_000), `"${"x".repeat(30_000)}"`, "null", "[]", "{}"),
  );
}
