/** Strings that are code in SQL, search engines, shells, paths or pages are literal text here, and URLs are never fetched. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { budget } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { OPERATIONS, requestOperation, sendRequest } from "./http-client.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { aPost, WORLD } from "./world.ts";

const STORE = process.env["TEST_STORE"] === "postgres" ? "PostgreSQL" : "SQLite";

/** Openings, what they try to run, and what cuts the rest off: every combination is one string. */
const OPENINGS = ["", "'", '"', "')", '")', "';", "`", "\\'", "''", "%27", "*/", "]]>", "}}", "$$", "\n"];
const CODE = [
  " OR 1=1",
  " OR 'a'='a",
  " UNION SELECT name FROM sqlite_schema",
  " UNION SELECT rolpassword FROM pg_authid",
  "; DROP TABLE records",
  "; DELETE FROM tokens",
  "; SELECT pg_sleep(10)",
  "; COPY (SELECT 1) TO PROGRAM 'id'",
  "; ATTACH DATABASE '/tmp/x' AS x",
  " AND randomblob(1000000000)",
  "||(SELECT digest FROM tokens)||",
  " MATCH 'a'",
  " NEAR(a b, 5)",
  "text : *",
  "{text title} : lantern",
  "^lantern*",
  "lantern* AND NOT",
  " & ! | <-> :*",
  "lantern:A<2>",
  "%_%",
  "[a-z]{99999}(a+)+$",
  "$(id)",
  "| cat /etc/passwd",
  "../../../../etc/passwd",
  "..\\..\\windows\\win.ini",
  "file:///etc/passwd",
  "${7*7}{{7*7}}<%= 7*7 %>",
  "<script>alert(1)</script>",
  "<!ENTITY x SYSTEM 'file:///etc/passwd'>",
  '{"$gt":""}',
  "*)(uid=*))(|(uid=*",
  "__proto__[admin]=1",
  "=cmd|'/c calc'!A1",
  "%s%s%s%n",
  "\u202egpj.exe",
  "\ud83d\ude00\u200d\u200b\ufeff",
  "\r\nSet-Cookie: a=b",
  "1e309",
  "9223372036854775808",
  "NaN",
];
const ENDINGS = ["", "--", "-- -", "/*", "#", ";", "\\"];

function* strings(): Generator<string> {
  for (const ending of ENDINGS)
    for (const opening of OPENINGS) for (const code of CODE) yield `${opening}${code}${ending}`;
}

const COUNT = budget("injectionStrings");
const ALL = [...strings()];
/** Spread over all of them. */
const STRINGS = Array.from({ length: COUNT }, (_, index) => ALL[Math.floor((index * ALL.length) / COUNT)] as string);
const idOf = (index: number) => String(7_390_000_000_000_000_000n + BigInt(index));

describe("strings that would be code elsewhere", { timeout: 600_000 }, () => {
  let server: TestServer;
  before(async () => {
    const posts = STRINGS.map((text, index) => aPost(idOf(index), { text, authorId: "6800000000000000001" }));
    server = await startTestServer([...WORLD, { platform: "shortvideo", batch: { posts } }], { RATE_LIMIT: "off" });
  });
  after(() => server.close());

  test("are stored and returned as they are", async () => {
    assert.ok(ALL.length >= 2_000);
    for (let first = 0; first < COUNT; first += 100) {
      const texts = STRINGS.slice(first, first + 100);
      const requests = texts.map((_, index) => ({
        operation: "shortvideo/post/detail",
        parameters: { videoId: idOf(first + index) },
      }));
      const { text } = await sendRequest(server.url, {
        method: "POST",
        path: "/api/batch",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ requests }),
      });
      const { responses } = JSON.parse(text) as {
        responses: { body: { itemInfo: { itemStruct: { desc: string } } } }[];
      };
      assert.deepEqual(
        responses.map(({ body }) => body.itemInfo.itemStruct.desc),
        texts,
      );
    }
  });

  test("name no record, and match no more than their words", async () => {
    const lookups = OPERATIONS.filter(({ endpoint, name }) => endpoint.cost === "lookup" && name !== "subtitles");
    const nobody = new Set<number>([400, 404]);
    for (const [index, text] of STRINGS.entries()) {
      const { name, endpoint } = lookups[index % lookups.length] as (typeof OPERATIONS)[number];
      const [parameter = ""] = Object.keys(endpoint.example);
      const found = await requestOperation(server.url, name, { ...endpoint.example, [parameter]: text });
      assert.ok(
        nobody.has(found.status),
        `${name} ${JSON.stringify(text)}: ${found.status} ${found.text.slice(0, 200)}`,
      );
      const searched = await requestOperation(server.url, "search", { q: text, limit: "50" });
      assert.ok(
        searched.status === 200 || searched.status === 400,
        `${JSON.stringify(text)}: ${searched.status} ${searched.text.slice(0, 200)}`,
      );
    }
    assert.equal((await requestOperation(server.url, "search", { q: "lantern" })).status, 200, "nothing was dropped");
    reportClaim(
      `Text is never code on ${STORE}`,
      `${COUNT} injection strings: all stored and returned as they are, 0 x 5xx`,
    );
  });

  test("that name an address of this machine are not fetched", async () => {
    let dialled = 0;
    const canary = createServer((_request, response) => response.end()).on("connection", () => dialled++);
    canary.listen(0, "127.0.0.1");
    await once(canary, "listening");
    try {
      const { port } = canary.address() as AddressInfo;
      const addresses = addressesOf(port);
      assert.ok(addresses.length >= 300, String(addresses.length));
      const asked: [operation: string, parameter: string][] = [
        ["shortvideo/download/video", "url"],
        ["shortvideo/post/detail", "videoId"],
        ["longvideo/video/details", "video_id"],
        ["photoshare/get-profile", "username_or_url"],
        ["photoshare/get-bio-links", "username_or_url"],
        ["post", "id"],
      ];
      for (const [index, address] of addresses.entries()) {
        const [operation = "", parameter = ""] = asked[index % asked.length] ?? [];
        const example = OPERATIONS.find(({ name }) => name === operation)?.endpoint.example;
        const headers = { "x-forwarded-host": address.replaceAll(/[^\x20-\x7e]/g, ""), referer: "http://127.0.0.1/" };
        const response = await requestOperation(server.url, operation, { ...example, [parameter]: address }, headers);
        assert.ok(response.status >= 400 && response.status < 500, `${operation} ${address}: ${response.status}`);
      }
      assert.equal(dialled, 0);
      reportClaim(
        "No request makes the server connect elsewhere",
        `${addresses.length} address tricks: ${dialled} connections dialled`,
      );
    } finally {
      canary.close();
    }
  });
});

/** This machine, in all the ways that URL parsers disagree about. */
function addressesOf(port: number): string[] {
  const hosts = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "127.000.000.001",
    "0",
    "0.0.0.0",
    "localhost",
    "LOCALHOST.",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:0:0:1]",
    "[::]",
    "127.0.0.1.nip.example",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "169.254.169.254",
  ];
  const forms = [
    (host: string) => `http://${host}:${port}/`,
    (host: string) => `https://${host}:${port}/@someone/video/7300000000000000001`,
    (host: string) => `http://www.tiktok.com@${host}:${port}/@someone/video/7300000000000000001`,
    (host: string) => `http://www.tiktok.com:80@${host}:${port}/`,
    (host: string) => `http://${host}:${port}#@www.tiktok.com/@someone/video/1`,
    (host: string) => `http://${host}:${port}\\@www.tiktok.com/`,
    (host: string) => `http://${host}:${port}?www.youtube.com/watch?v=demoVideo01`,
    (host: string) => `//${host}:${port}/`,
    (host: string) => `http:${host}:${port}/`,
    (host: string) => `http:///${host}:${port}/`,
    (host: string) => `HTTP://${host}:${port}/%2e%2e/`,
    (host: string) => ` http://${host}:${port}/\t`,
    (host: string) => `http://www.instagram.com%2f@${host}:${port}/`,
    (host: string) => `gopher://${host}:${port}/_GET%20/`,
    (host: string) => `https://www.instagram.com/redirect?u=http://${host}:${port}/`,
  ];
  return hosts.flatMap((host) => forms.map((form) => form(host)));
}
