/**
 * Every operation, every parameter, every way to get it wrong: always the one problem body, always 4xx, always with the
 * parameter's name and place. The cases come from the operations' own schemas, so a new parameter is covered by being there.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { Compile } from "typebox/compile";
import { ERRORS, type ErrorCode } from "#errors";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { openTestHouse, type TestHouse } from "./house.ts";
import { assertParameterProblem, assertProblem, type Problem } from "./problem.ts";
import { ask, askWithJson, OPERATIONS, operationNamed, type Pairs, placeOf } from "./wire.ts";
import { aComment, anAccount, aPost, CAPTURED_AT, GOOD_REQUESTS, WORLD } from "./world.ts";

interface ParameterSchema {
  type?: string;
  format?: string;
  const?: string;
  enum?: (string | number)[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

interface Parameter {
  operation: string;
  name: string;
  place: "query" | "body";
  schema: ParameterSchema;
  required: boolean;
}

const PARAMETERS: Parameter[] = OPERATIONS.flatMap(({ name: operation, endpoint }) =>
  Object.entries(endpoint.input.properties as Record<string, ParameterSchema>).map(([name, schema]) => ({
    operation,
    name,
    place: placeOf(operation),
    schema,
    required: (endpoint.input.required ?? []).includes(name) && schema.default === undefined,
  })),
);

const NOT_INTEGERS = ["1e1", " 5", "5 ", "+5", "-1", "5.0", "0x5", "٥", "５", "NaN", "five", "1".repeat(17), "9007199254740993", "9".repeat(500)];
const NOT_LANGUAGES = ["e", "en_US", "no way", "en--US", "-en", "en-", "12", `en-x-${"abcdefgh-".repeat(5)}a`, "e\0n"];
const NOT_COUNTRIES = ["U", "USA", "1A", "U S", "U1", "XX", "日本", "U\0"];

/** Values of the wrong form, by the kind of parameter. */
function wrongValues({ name, schema }: Parameter): string[] {
  if (schema.type === "integer") {
    const { minimum = 0, maximum = 0 } = schema;
    return [...NOT_INTEGERS, ...(minimum > 0 ? [String(minimum - 1)] : []), ...(maximum < 10_000 ? [String(maximum + 1)] : []), ""];
  }
  if (schema.const !== undefined) return [schema.const.toUpperCase(), `${schema.const} `, ` ${schema.const}`, "likes", "x".repeat(5000)];
  if (schema.enum !== undefined) return ["nonsense", `${schema.enum[0]} `, "0", "__proto__", "x".repeat(5000)];
  if (schema.format === "bcp47") return NOT_LANGUAGES;
  if (schema.format === "country") return NOT_COUNTRIES;
  const { maxLength = 200 } = schema;
  return ["a\0b", "\0", "x".repeat(maxLength + 1), "x".repeat(5000), ...(WRONG_TEXTS[name] ?? [])];
}

/** Texts that are well-formed and still cannot be what the parameter asks for. */
const WRONG_TEXTS: Record<string, string[]> = {
  uniqueId: ["ines varga", "ines/varga", "@", "@@ines", "a".repeat(41), "https://example.com/@ines.varga"],
  username_or_url: [
    "amara petrovic",
    "@",
    "a".repeat(31),
    "https://www.instagram.com/p/C0de/",
    "https://www.instagram.com/reel/C0de",
    "instagram.com/stories/amara.petrovic/1",
    "https://www.instagram.com/amara.petrovic/p/C0de/",
    "https://example.com/amara.petrovic",
    "https://instagram.com.example.net/amara.petrovic",
    "https://www.instagram.com/",
    "javascript:alert(1)",
    "日本",
  ],
  url: [
    "7300000000000000001",
    "https://example.com/@ines.varga/video/7300000000000000001",
    "https://www.tiktok.com.example.net/@ines.varga/video/7300000000000000001",
    "https://user:secret@www.tiktok.com/@ines.varga/video/7300000000000000001",
    "https://www.tiktok.com:8443/@ines.varga/video/7300000000000000001",
    "ftp://www.tiktok.com/@ines.varga/video/7300000000000000001",
    "file:///etc/passwd",
    "http://169.254.169.254/latest/meta-data",
    "https://www.tiktok.com/@ines.varga",
    "https://vm.tiktok.com/ZMabc/",
    "https://www.tiktok.com/t/ZTabc/",
  ],
  hashtag: ["#", "  ", "###"],
  search_query: ["@", "#", "  ", "@ "],
};

function goodRequest(operation: string): Record<string, string> {
  const good = GOOD_REQUESTS[operation];
  assert.ok(good, `tests/world.ts has no good request for ${operation}`);
  return good;
}

describe("errors of parameters", () => {
  let house: TestHouse;
  before(async () => {
    house = await openTestHouse(WORLD, { RATE_LIMIT: "off" });
  });
  after(() => house.close());

  test("the world answers every operation's good request", async () => {
    for (const { name } of OPERATIONS) {
      const answer = await ask(house.address, name, goodRequest(name));
      assert.equal(answer.status, 200, `${name}: ${answer.text.slice(0, 200)}`);
    }
  });

  for (const parameter of PARAMETERS) {
    const { operation, name, place, schema, required } = parameter;
    const wrong = { in: place, parameter: name };
    const with_ = (value: string) => ask(house.address, operation, { ...goodRequest(operation), [name]: value });

    test(`${operation} refuses every wrong form of ${name}`, async () => {
      for (const value of wrongValues(parameter)) {
        const answer = await with_(value);
        const code: ErrorCode = required && value === "" ? "missing_parameter" : "invalid_parameter";
        const body = assertParameterProblem(answer, code, wrong, `${operation} ${name}=${JSON.stringify(value.slice(0, 80))}`);
        assertSaysWhatWouldBeRight(body, parameter, value);
      }
    });

    test(`${operation} refuses ${name} sent twice, even with the same value`, async () => {
      const { [name]: good = "7", ...others } = goodRequest(operation);
      const pairs: Pairs = [[name, good], ...Object.entries(others), [name, good]];
      const body = assertParameterProblem(await ask(house.address, operation, pairs), "repeated_parameter", wrong, operation);
      assert.deepEqual(body.errors, [{ ...wrong, reason: "must be sent once" }]);
    });

    if (required) {
      test(`${operation} asks for ${name} when it is missing or empty`, async () => {
        const { [name]: _left, ...others } = goodRequest(operation);
        assertParameterProblem(await ask(house.address, operation, others), "missing_parameter", wrong, `${operation} without ${name}`);
        assertParameterProblem(await with_(""), "missing_parameter", wrong, `${operation} with empty ${name}`);
      });
    }

    if (schema.type === "integer") {
      test(`${operation} takes ${name} at both ends of its range, and with leading zeros`, async () => {
        const { minimum = 0, maximum = 0 } = schema;
        // A cursor beyond the first page belongs to a search that began before it.
        if (operation === "shortvideo/search/general") return;
        for (const value of [String(minimum), String(maximum), `0${minimum + 1}`]) {
          const answer = await with_(value);
          assert.equal(answer.status, 200, `${name}=${value}: ${answer.text.slice(0, 200)}`);
        }
      });
    }

    if (place === "body") {
      test(`${operation} refuses JSON values of ${name} that are no scalars, and text that is not well-formed`, async () => {
        const json = (value: unknown) => askWithJson(house.address, operation, JSON.stringify({ ...goodRequest(operation), [name]: value }));
        assertParameterProblem(await json(["a"]), "repeated_parameter", wrong, `${operation} ${name}=["a"]`);
        assertParameterProblem(await json({ a: 1 }), "invalid_parameter", wrong, `${operation} ${name}={}`);
        assertParameterProblem(await json("lone \ud800 surrogate"), "invalid_parameter", wrong, `${operation} ${name}=lone surrogate`);
      });
    }
  }

  test("letters that only grow into a country code when they are capitalised are no country code", async () => {
    for (const country of ["ß", "ﬁ", "ıt"]) {
      const answer = await ask(house.address, "longvideo/trending", { country });
      assertParameterProblem(answer, "invalid_parameter", { in: "query", parameter: "country" }, country);
    }
  });

  test("codes that ISO 3166 gives to no country are refused", async () => {
    for (const country of ["ZZ", "XA", "QO", "EU"]) {
      const answer = await ask(house.address, "longvideo/trending", { country });
      assertParameterProblem(answer, "invalid_parameter", { in: "query", parameter: "country" }, country);
    }
  });

  test("several wrong parameters are all named in one answer", async () => {
    const answer = await ask(house.address, "photoshare/get-followers", { data: "likes", amount: "0" });
    const body = assertProblem(answer, "missing_parameter");
    assert.deepEqual(
      body.errors.map(({ parameter }) => parameter),
      ["username_or_url", "data", "amount"],
    );
  });

  test("the sentence of a missing parameter reads as documented", async () => {
    const body = assertProblem(await ask(house.address, "shortvideo/music/posts", {}), "missing_parameter");
    assert.equal(body.detail, "musicId is required in the query string");
    assert.equal(body.statusCode, 40001);
    assert.deepEqual(body.errors, [{ in: "query", parameter: "musicId", reason: "required" }]);
  });

  test("page tokens that are nonsense are refused as cursors, by name", async () => {
    for (const { operation, name, place } of PARAMETERS.filter((parameter) => /_token$|^search_id$/.test(parameter.name))) {
      for (const value of ["x", "0000", "!", "null", "../..", "W10", "a".repeat(1024), "🂡"]) {
        const answer = await ask(house.address, operation, { ...goodRequest(operation), [name]: value });
        assertParameterProblem(answer, "invalid_cursor", { in: place, parameter: name }, `${operation} ${name}=${value.slice(0, 20)}`);
      }
    }
  });

  test("names of Object's own members are parameters like any unknown one", async () => {
    for (const { name } of OPERATIONS) {
      for (const odd of ["__proto__", "constructor", "hasOwnProperty", "toString", "then"]) {
        const answer = await ask(house.address, name, [...Object.entries(goodRequest(name)), [odd, "x"], [odd, "y"]]);
        assert.equal(answer.status, 200, `${name} with ${odd}: ${answer.text.slice(0, 200)}`);
      }
    }
  });

  test("random junk in any parameter is answered strictly or refused in the one shape, never with 5xx", async () => {
    const junk = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.constantFrom("", "0", "-0", "1", "99999999999999999999", "%00", "%", "%zz", "' OR 1=1 --", '"', "*", '"a" NEAR "b"', "{}", "[]", "null", "\u202e", "ﬀ", "en", "US"),
      fc.bigInt().map(String),
      fc.double().map(String),
      fc.json(),
    );
    const request = fc.constantFrom(...OPERATIONS.map(({ name }) => name)).chain((name) => {
      const names = [...Object.keys(operationNamed(name).endpoint.input.properties), "fields", "zzz"];
      return fc.record({ name: fc.constant(name), junk: fc.array(fc.tuple(fc.constantFrom(...names), junk), { minLength: 1, maxLength: 3 }) });
    });
    const strict = new Map(OPERATIONS.map(({ name, endpoint }) => [name, Compile(endpoint.output)]));
    await fc.assert(
      fc.asyncProperty(request, async ({ name, junk: wrong }) => {
        const answer = await ask(house.address, name, Object.entries({ ...goodRequest(name), ...Object.fromEntries(wrong) }));
        if (answer.status !== 200) {
          assert.ok(answer.status >= 400 && answer.status < 500, answer.text);
          assertProblem(answer, (JSON.parse(answer.text) as Problem).code);
        } else if (wrong.every(([parameter]) => parameter !== "fields")) {
          assert.deepEqual(strict.get(name)?.Errors(JSON.parse(answer.text)), [], name);
        }
      }),
      { numRuns: 600 },
    );
  });

  test("every problem's type leads to its row of the error page", async () => {
    const page = await (await fetch(`${house.address}/docs/errors`)).text();
    for (const code of Object.keys(ERRORS)) assert.ok(page.includes(`id="${code}"`), code);
  });
});

describe("records that are not held", () => {
  let house: TestHouse;
  before(async () => {
    house = await openTestHouse(WORLD, { RATE_LIMIT: "off" });
  });
  after(() => house.close());

  const UNKNOWN: [operation: string, parameters: Record<string, string>, code: ErrorCode][] = [
    ["shortvideo/music/posts", { musicId: "7199999999999999999" }, "sound_not_found"],
    ["shortvideo/music/info", { musicId: "7199999999999999999" }, "sound_not_found"],
    ["shortvideo/user/info-with-region", { uniqueId: "nobody.known" }, "account_not_found"],
    ["shortvideo/post/detail", { videoId: "7399999999999999999" }, "post_not_found"],
    ["shortvideo/post/comments", { videoId: "7399999999999999999" }, "post_not_found"],
    ["shortvideo/download/video", { url: "https://www.tiktok.com/@nobody/video/7399999999999999999" }, "post_not_found"],
    ["longvideo/video/details", { video_id: "nobodysVideo" }, "post_not_found"],
    ["longvideo/video/comments", { video_id: "nobodysVideo" }, "post_not_found"],
    ["longvideo/video/subtitles", { video_id: "nobodysVideo" }, "post_not_found"],
    ["photoshare/get-user-tagged-posts", { username_or_url: "nobody.known" }, "account_not_found"],
    ["photoshare/get-profile", { username_or_url: "nobody.known" }, "account_not_found"],
    ["photoshare/get-bio-links", { username_or_url: "nobody.known", data: "bio_links" }, "account_not_found"],
    ["photoshare/get-profile-v2", { username_or_url: "nobody.known" }, "account_not_found"],
    ["photoshare/get-followers", { username_or_url: "nobody.known", data: "followers" }, "account_not_found"],
    ["photoshare/get-posts", { username_or_url: "nobody.known" }, "account_not_found"],
    ["photoshare/search-hashtag", { hashtag: "nobodysTag" }, "hashtag_not_found"],
  ];

  for (const [operation, parameters, code] of UNKNOWN) {
    test(`${operation} answers ${code}`, async () => {
      assertProblem(await ask(house.address, operation, parameters), code, operation);
    });
  }

  test("an unknown id stays unknown whatever cursor is sent with it", async () => {
    assertProblem(await ask(house.address, "shortvideo/music/posts", { musicId: "7199999999999999999", cursor: "5" }), "sound_not_found");
    assertProblem(await ask(house.address, "shortvideo/post/comments", { videoId: "7399999999999999999", cursor: "5" }), "post_not_found");
  });

  test("searches that find nothing are no errors", async () => {
    for (const [operation, parameters] of [
      ["shortvideo/search/general", { keyword: "zzyzx" }],
      ["longvideo/search", { query: "zzyzx" }],
      ["photoshare/search", { search_query: "zzyzx" }],
    ] as const) {
      assert.equal((await ask(house.address, operation, parameters)).status, 200, operation);
    }
  });

  test("a video without subtitles is no error", async () => {
    const answer = await ask(house.address, "longvideo/video/subtitles", { video_id: "world0000002" });
    assert.deepEqual(JSON.parse(answer.text), { lang: "", is_available: false, subtitles: [] });
  });

  test("erased records and records that never existed have the same 404 body", async () => {
    const gone = "7388888888888888888";
    const questions: [string, Record<string, string>][] = [
      ["shortvideo/user/info-with-region", { uniqueId: "soon.gone" }],
      ["shortvideo/post/detail", { videoId: gone }],
      ["shortvideo/post/comments", { videoId: gone }],
      ["shortvideo/download/video", { url: `https://www.tiktok.com/@soon.gone/video/${gone}` }],
      ["longvideo/video/details", { video_id: gone }],
      ["longvideo/video/comments", { video_id: gone }],
      ["longvideo/video/subtitles", { video_id: gone }],
      ["photoshare/get-profile", { username_or_url: "soon.gone" }],
      ["photoshare/get-profile-v2", { username_or_url: "soon.gone" }],
      ["photoshare/get-posts", { username_or_url: "soon.gone" }],
      ["photoshare/get-followers", { username_or_url: "soon.gone", data: "followers" }],
      ["photoshare/get-user-tagged-posts", { username_or_url: "soon.gone" }],
    ];
    const answers = () => Promise.all(questions.map(([operation, parameters]) => ask(house.address, operation, parameters)));
    const never = (await answers()).map(({ text }) => withoutId(text));
    const store = openSqliteStore(house.dataDir);
    try {
      const account = anAccount("6888888888888888888", "soon.gone");
      const batch = {
        accounts: [account],
        posts: [aPost(gone, { authorId: account.id, text: "soon gone" })],
        comments: [aComment("7488888888888888888", gone, { authorId: account.id })],
        subtitles: [{ postId: gone, language: "en", automatic: false, lines: [], capturedAt: CAPTURED_AT, source: "test" }],
      };
      for (const platform of ["shortvideo", "longvideo", "photoshare"]) await store.writer.put(platform, batch);
      for (const { status, text } of await answers()) assert.equal(status, 200, text);
      for (const platform of ["shortvideo", "longvideo", "photoshare"]) await store.writer.erase(platform, "account", account.id);
      assert.deepEqual((await answers()).map(({ text }) => withoutId(text)), never);
      for (const platform of ["shortvideo", "longvideo", "photoshare"]) await store.writer.put(platform, batch);
      assert.deepEqual((await answers()).map(({ text }) => withoutId(text)), never, "an import must not bring it back");
    } finally {
      await store.close();
    }
  });
});

function withoutId(text: string): unknown {
  return { ...(JSON.parse(text) as Problem), request_id: "" };
}

function assertSaysWhatWouldBeRight({ errors }: Problem, { name, schema }: Parameter, value: string): void {
  const reason = errors.find(({ parameter }) => parameter === name)?.reason ?? "";
  if (schema.type === "integer") assert.ok(reason.includes(`from ${schema.minimum} to ${schema.maximum}`), reason);
  if (schema.const !== undefined) assert.ok(reason.includes(schema.const), reason);
  for (const choice of schema.enum ?? []) assert.ok(reason.includes(String(choice)), reason);
  if (schema.maxLength !== undefined && schema.format === undefined && value.length > schema.maxLength) {
    assert.ok(reason.includes(String(schema.maxLength)), reason);
  }
}
