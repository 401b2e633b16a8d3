/** Who may ask: tokens and scopes as a caller meets them. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readScope } from "#api/platform.ts";
import { DAY_MS } from "#domain/time.ts";
import { startTestServer, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { assertProblem } from "./problem.ts";
import { bearerHeader, openTokenIssuer, type TokenIssuer } from "./test-tokens.ts";
import { requestOperation, sendRequest, OPERATIONS } from "./http-client.ts";
import { GOOD_REQUESTS, WORLD } from "./world.ts";

const PATH = "/api/shortvideo/user/info-with-region?uniqueId=ines.varga";

describe("access", () => {
  let server: TestServer;
  let desk: TokenIssuer;
  before(async () => {
    server = await startTestServer(WORLD);
    desk = await openTokenIssuer(server);
  });
  after(async () => {
    await desk.close();
    await server.close();
  });

  const asking = (authorization: string | null, path = PATH) =>
    sendRequest(server.url, { path, headers: { authorization } });

  async function personalParts(headers: Record<string, string>): Promise<unknown[]> {
    const response = await requestOperation(
      server.url,
      "photoshare/get-profile-v2",
      { username_or_url: "amara.petrovic" },
      headers,
    );
    const profile = JSON.parse(response.text) as Record<string, unknown>;
    return ["address_street", "zip", "email_from_biography", "phone_from_biography"].map((name) => profile[name]);
  }

  test("every operation asks for a token", async () => {
    for (const { name } of OPERATIONS) {
      const response = await requestOperation(server.url, name, GOOD_REQUESTS[name] ?? {}, { authorization: null });
      const body = assertProblem(response, "missing_token", name);
      assert.equal(response.header("www-authenticate"), 'Bearer realm="triptych"');
      assert.deepEqual(body.errors, [{ in: "header", parameter: "Authorization", reason: "required" }]);
    }
  });

  test("anything but Bearer and a valid token is an invalid token, without saying why", async () => {
    const { token } = await desk.issue({});
    const expired = await desk.issue({ expiresInDays: 1 }, Date.now() - 2 * DAY_MS);
    const revoked = await desk.issue({});
    await desk.registry.revoke(revoked.record.keyId);
    const mistyped = token.slice(0, -1) + (token.endsWith("a") ? "b" : "a");
    const wrong = [
      `Bearer ${TEST_TOKEN}x`,
      `Bearer ${TEST_TOKEN.slice(0, -1)}`,
      `Bearer ${TEST_TOKEN.toUpperCase()}`,
      `Bearer ${TEST_TOKEN} ${TEST_TOKEN}`,
      `Bearer ${mistyped}`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${expired.token}`,
      `Bearer ${revoked.token}`,
      `Bearer ${"x".repeat(8000)}`,
    ];
    const details = new Set<string>();
    for (const authorization of wrong) {
      const response = await asking(authorization);
      details.add(assertProblem(response, "invalid_token", authorization).detail);
      assert.equal(
        response.header("www-authenticate"),
        'Bearer realm="triptych", error="invalid_token"',
        authorization,
      );
      assert.ok(!response.text.includes(TEST_TOKEN));
    }
    assert.equal(details.size, 1);
  });

  test("the scheme's case and the blanks after it do not matter", async () => {
    for (const authorization of [`bearer ${TEST_TOKEN}`, `BEARER   ${TEST_TOKEN}`])
      assert.equal((await asking(authorization)).status, 200, authorization);
  });

  test("an issued token opens what its scopes name and nothing else", async () => {
    const { token } = await desk.issue({ scopes: ["read:longvideo"] });
    assert.match(token, /^tt_[0-9A-Za-z]{48}$/);
    for (const { name, reads } of OPERATIONS) {
      const request = GOOD_REQUESTS[name] ?? {};
      const response = await requestOperation(server.url, name, request, bearerHeader(token));
      const needed = request["platform"] === undefined ? reads : [request["platform"]];
      if (needed.includes("longvideo")) assert.equal(response.status, 200, name);
      else {
        assertProblem(response, "insufficient_scope", name);
        assert.equal(
          response.header("www-authenticate"),
          `Bearer realm="triptych", error="insufficient_scope", scope="${needed.map(readScope).join(" ")}"`,
        );
      }
    }
  });

  test("scopes beside reading do not read", async () => {
    const { token } = await desk.issue({ scopes: ["export", "ingest", "admin"] });
    assertProblem(await asking(`Bearer ${token}`), "insufficient_scope");
  });

  test("street, zip, e-mail and phone of a profile are empty without read:personal", async () => {
    const { token } = await desk.issue({ scopes: ["read:photoshare"] });
    assert.deepEqual(await personalParts(bearerHeader(token)), ["", "", [], []]);
    const [street, zip, emails, phones] = await personalParts(bearerHeader(TEST_TOKEN));
    assert.deepEqual([street, zip, emails], ["12 Mill Lane", "1051", ["amara@bakery.example"]]);
    assert.equal((phones as string[]).length, 1);
  });

  test("no operation shows an author's e-mail or phone without read:personal", async () => {
    const signature = "Lanterns. ines@lanterns.example, +36 1 555 0142";
    const contacts = /@(?:lanterns|bakery)\.example|555 ?0142/;
    const bioLink = { link: "mailto:ines@lanterns.example" };
    const bio_links = [
      {
        title: "Call 0361 555 0142",
        url: "tel:+3615550142",
        lynx_url: "https://l.photos.example/?u=tel%3A%2B3615550142",
      },
      { title: "Bakery", url: "https://bakery.example/" },
    ];
    const external_url = "https://wa.me/3615550142";
    const external_lynx_url = `https://l.photos.example/?u=${encodeURIComponent(external_url)}`;
    const contactLinks = { bioLink, bio_links, external_url, external_lynx_url };
    const signed = await startTestServer(
      WORLD.map(({ platform, batch }) => {
        const { accounts = [], posts = [], sounds = [] } = batch;
        const signedBatch = {
          ...batch,
          accounts: accounts.map((account) => ({
            ...account,
            bio: signature,
            native: { ...account.native, ...contactLinks },
          })),
          posts: posts.map((post) => ({ ...post, native: { ...post.native, author: { signature } } })),
          sounds: sounds.map((sound) => ({ ...sound, native: { artist: { signature } } })),
        };
        return { platform, batch: signedBatch };
      }),
    );
    const ownDesk = await openTokenIssuer(signed);
    try {
      const { token } = await ownDesk.issue({ scopes: ["read:shortvideo", "read:longvideo", "read:photoshare"] });
      const hiding: string[] = [];
      const showing: string[] = [];
      for (const { name } of OPERATIONS) {
        const ask = (asked: string) =>
          requestOperation(signed.url, name, GOOD_REQUESTS[name] ?? {}, bearerHeader(asked));
        const { text } = await ask(token);
        assert.doesNotMatch(text, contacts, name);
        if (text.includes("[hidden]")) hiding.push(name);
        if (contacts.test((await ask(TEST_TOKEN)).text)) showing.push(name);
      }
      assert.deepEqual(showing, [
        "shortvideo/user/info-with-region",
        "shortvideo/music/info",
        "photoshare/get-bio-links",
        "photoshare/get-profile-v2",
        "posts",
        "posts/with",
        "post",
      ]);
      // The authors of these are shown as their posts' captures had them, without contacts to anybody.
      assert.deepEqual(hiding, ["shortvideo/music/posts", ...showing]);
    } finally {
      await ownDesk.close();
      await signed.close();
    }
  });

  test("a token in the URL is rejected, even with a valid header, on every operation", async () => {
    for (const { name, path, endpoint } of OPERATIONS) {
      for (const parameter of ["token", "access_token", "api_key"]) {
        const response = await sendRequest(server.url, {
          method: endpoint.method,
          path: `${path}?${parameter}=${TEST_TOKEN}`,
        });
        const body = assertProblem(response, "token_in_query", name);
        assert.deepEqual(body.errors, [{ in: "query", parameter, reason: "must not be sent in the URL" }]);
        assert.ok(!response.text.includes(TEST_TOKEN));
      }
    }
  });

  test("a rotated token and its successor are both good during the overlap", async () => {
    const old = await desk.issue({});
    const successor = await desk.registry.rotate(old.record.keyId);
    for (const { token } of [old, successor]) assert.equal((await asking(`Bearer ${token}`)).status, 200);
  });

  test("probes and documentation need no token", async () => {
    for (const path of ["/healthz", "/readyz", "/openapi.json", "/docs/", "/docs/errors"])
      assert.equal((await asking(null, path)).status, 200, path);
  });

  test("the first start makes one token that may do all but stand in URLs; the next start makes none", async () => {
    const fresh = await startTestServer(WORLD, { API_TOKEN: "" });
    const desk2 = await openTokenIssuer(fresh);
    try {
      const token = fresh.running.startup.bootstrapToken ?? "";
      assert.match(token, /^tt_[0-9A-Za-z]{48}$/);
      for (const { name } of OPERATIONS)
        assert.equal(
          (await requestOperation(fresh.url, name, GOOD_REQUESTS[name] ?? {}, bearerHeader(token))).status,
          200,
          name,
        );
      const [record, ...others] = await desk2.registry.list();
      assert.deepEqual(others, []);
      assert.deepEqual(record?.scopes.toSorted(), [
        "admin",
        "export",
        "ingest",
        "live",
        "read:longvideo",
        "read:personal",
        "read:photoshare",
        "read:shortvideo",
      ]);
      assert.equal((record?.expiresAt ?? 0) - (record?.createdAt ?? 0), 90 * 86_400);
      assert.ok(!JSON.stringify(record).includes(token));
    } finally {
      await desk2.close();
      await fresh.close();
    }
    assert.equal(server.running.startup.bootstrapToken, null, "none is made where the operator brought one");
  });
});
