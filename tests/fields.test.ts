/** `fields=`: the caller names the parts of an answer that it wants, in the address or in the body. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestServer, type TestServer } from "./test-server.ts";
import { assertProblem } from "./problem.ts";
import { requestOperation, OPERATIONS } from "./http-client.ts";
import { GOOD_REQUESTS, RAIN_SOUND, WORLD } from "./world.ts";

const PROFILE = "/api/shortvideo/user/info-with-region?uniqueId=ines.varga";
const POSTS = `/api/shortvideo/music/posts?musicId=${RAIN_SOUND}`;

describe("fields", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(WORLD, { RATE_LIMIT: "off" });
  });
  after(() => server.close());

  test("a GET answers with the parts that were named, lists item by item", async () => {
    const body = await server.json<Record<string, never>>(
      `${PROFILE}&fields=userInfo(user(id,uniqueId),stats(followerCount)),statusCode`,
    );
    assert.deepEqual(body, {
      userInfo: { user: { id: "6800000000000000001", uniqueId: "ines.varga" }, stats: { followerCount: 1200 } },
      statusCode: 0,
    });
    const posts = await server.json<{ itemList: object[] }>(`${POSTS}&count=2&fields=itemList(id),hasMore`);
    assert.deepEqual(Object.keys(posts), ["itemList", "hasMore"]);
    for (const item of posts.itemList) assert.deepEqual(Object.keys(item), ["id"]);
  });

  test("what is named twice is selected by both", async () => {
    const twice = await server.json(
      `${PROFILE}&fields=userInfo(user(id)),statusCode,userInfo(stats(followerCount),user(uniqueId)),statusCode`,
    );
    assert.deepEqual(twice, {
      userInfo: { user: { id: "6800000000000000001", uniqueId: "ines.varga" }, stats: { followerCount: 1200 } },
      statusCode: 0,
    });
    const whole = await server.json(`${PROFILE}&fields=userInfo`);
    for (const fields of ["userInfo,userInfo(stats)", "userInfo(stats),userInfo"]) {
      assert.deepEqual(await server.json(`${PROFILE}&fields=${fields}`), whole, fields);
    }
  });

  test("a POST takes them in its body or in the address", async () => {
    const form = { username_or_url: "amara.petrovic", data: "bio_links" };
    const inBody = await server.postJson("/api/photoshare/get-bio-links", { ...form, fields: "title,url" });
    assert.deepEqual(inBody, [{ title: "Bakery", url: "https://bakery.example/" }]);
    assert.deepEqual(await server.postJson("/api/photoshare/get-bio-links?fields=title,url", form), inBody);
  });

  test("on every operation each part of the top level can be had alone", async () => {
    for (const { name, endpoint } of OPERATIONS) {
      const { properties, items } = endpoint.output as { properties?: object; items?: { properties: object } };
      for (const field of Object.keys(properties ?? items?.properties ?? {})) {
        const response = await requestOperation(server.url, name, { ...GOOD_REQUESTS[name], fields: field });
        assert.equal(response.status, 200, `${name} ${field}: ${response.text.slice(0, 200)}`);
        const body = JSON.parse(response.text) as object;
        for (const part of Array.isArray(body) ? body : [body])
          assert.deepEqual(Object.keys(part as object), [field], name);
      }
    }
  });

  test("an empty selection asks for all", async () => {
    assert.deepEqual(await server.json(`${PROFILE}&fields=`), await server.json(PROFILE));
  });

  test("a selection with a mistake is refused and says where", async () => {
    const wrong = [
      "nonsense",
      "userInfo(user(nonsense))",
      "userInfo(",
      "userInfo(user",
      "userInfo)",
      "userInfo,",
      ",userInfo",
      "userInfo,,statusCode",
      "userInfo()",
      "userInfo (user)",
      "__proto__",
      "constructor",
      "userInfo(user(id(x)))",
      "*",
      "userInfo.user",
    ];
    for (const fields of wrong) {
      const response = await requestOperation(server.url, "shortvideo/user/info-with-region", {
        uniqueId: "ines.varga",
        fields,
      });
      const { errors } = assertProblem(response, "invalid_parameter", fields);
      assert.deepEqual(
        errors.map(({ in: place, parameter }) => [place, parameter]),
        [["query", "fields"]],
        fields,
      );
    }
    for (const [fields, reason] of [
      ["usrInfo", "unknown field usrInfo; did you mean userInfo?"],
      ["userInfo(nickname)", "unknown field nickname; there are user, stats, statsV2, itemList"],
      ["statusCode(x)", "unknown field x; there are no fields below this value"],
    ] as const) {
      const { errors } = assertProblem(
        await requestOperation(server.url, "shortvideo/user/info-with-region", { uniqueId: "ines.varga", fields }),
        "invalid_parameter",
      );
      assert.equal(errors[0]?.reason, reason);
    }
    // Values that may be null, and items of a list.
    for (const [operation, fields, reason] of [
      ["post", "author(nme)", "unknown field nme; did you mean name?"],
      ["shortvideo/music/posts", "itemList(dsc)", "unknown field dsc; did you mean desc?"],
    ] as const) {
      const response = await requestOperation(server.url, operation, { ...GOOD_REQUESTS[operation], fields });
      assert.equal(assertProblem(response, "invalid_parameter").errors[0]?.reason, reason);
    }
    const twice = await requestOperation(server.url, "shortvideo/user/info-with-region", [
      ["uniqueId", "ines.varga"],
      ["fields", "userInfo"],
      ["fields", "statusCode"],
    ]);
    assert.equal(twice.status, 400);
  });

  test("a selection has 2,000 characters and 16 levels at most, whatever it selects", async () => {
    const select = (fields: string) =>
      requestOperation(server.url, "photoshare/get-profile-v2", { username_or_url: "amara.petrovic", fields });
    const repeated = (times: number) => `${"pk,".repeat(times)}id`;
    // Anything may be selected of `gating`, which has no schema.
    const nested = (levels: number) => `gating${"(a".repeat(levels)}${")".repeat(levels)}`;
    for (const fields of [repeated(666), nested(16)]) assert.equal((await select(fields)).status, 200, fields);
    for (const [fields, reason] of [
      [repeated(667), "must have at most 2000 characters"],
      [nested(17), "must not nest deeper than 16"],
    ] as const) {
      const { errors } = assertProblem(await select(fields), "invalid_parameter");
      assert.equal(errors[0]?.reason, reason);
    }
  });
});
