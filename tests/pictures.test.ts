/** The pictures of the demo data: drawn by the service itself, without token, network or store. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { demoWorld } from "#import/demo-world.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { assertProblem } from "./problem.ts";
import { sendRequest } from "./http-client.ts";

describe("pictures", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer([]);
  });
  after(() => server.close());

  const get = (path: string, method = "GET") =>
    sendRequest(server.url, { path, method, headers: { authorization: null } });

  test("every picture of the demo data is an SVG of the size in its URL, for anyone and for good", async () => {
    const urls = new Set(
      Array.from(
        JSON.stringify([...demoWorld(Date.UTC(2026, 10, 15), "http://pictures.example")]).matchAll(
          /http:\/\/pictures\.example(\/[^"]+)/g,
        ),
        ([, path]) => path ?? "",
      ),
    );
    // One of each subject and size.
    const kinds = new Map([...urls].map((path) => [path.replace(/\/[\w-]+\/(?=\d+x)/, "/").replace(/\?.*/, ""), path]));
    assert.ok(kinds.size > 20, String(kinds.size));
    for (const path of kinds.values()) {
      const picture = await get(path);
      assert.equal(picture.status, 200, path);
      assert.equal(picture.header("content-type"), "image/svg+xml; charset=utf-8");
      assert.equal(picture.header("cache-control"), "public, max-age=31536000, immutable");
      assert.match(picture.header("content-security-policy") ?? "", /^default-src 'none'/);
      const [, width, height] = /(\d+)x(\d+)\.svg/.exec(path) ?? [];
      assert.ok(picture.text.startsWith(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`));
      assert.doesNotMatch(picture.text, /NaN|undefined|http(?!:\/\/www\.w3\.org)/);
      assert.ok(picture.text.length < 2_000);
    }
  });

  test("the same URL is the same picture, another id another one", async () => {
    const [one, again, other] = await Promise.all(
      ["1", "1", "2"].map(async (id) => (await get(`/media/pottery/${id}/640x640.svg`)).text),
    );
    assert.equal(one, again);
    assert.notEqual(one, other);
    assert.equal((await get("/media/pottery/1/640x640.svg", "HEAD")).status, 200);
  });

  test("text is escaped and short", async () => {
    const text = encodeURIComponent(`<&"'`);
    const { text: picture } = await get(`/media/avatar/1/150x150.svg?text=${text}script>`);
    assert.match(picture, />&#60;&#38;&#34;&#39;<\/text>/);
    assert.doesNotMatch(picture, /script/);
    for (const query of ["text=a&text=b", "text=%00%01", "text="])
      assert.equal((await get(`/media/avatar/1/150x150.svg?${query}`)).status, 200);
  });

  test("anything else is no picture", async () => {
    for (const path of ["x/1/640x640.png", "x/1/9x9.svg", "x/1/3000x20.svg", "x/a%2Fb/64x64.svg", "x/1/064x-64.svg"])
      assertProblem(await get(`/media/${path}`), "unknown_path", path);
    assertProblem(await get("/media/x/1/64x64.svg", "POST"), "method_not_allowed");
  });
});
