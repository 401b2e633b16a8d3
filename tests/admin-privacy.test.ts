/** Erasures, retention and the audit log over HTTP. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sendRequest } from "./http-client.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { bearerHeader, openTokenIssuer } from "./test-tokens.ts";
import { WORLD } from "./world.ts";

describe("privacy below /admin/", () => {
  let server: TestServer;
  let admin: Record<string, string>;
  let keyId: string;
  before(async () => {
    server = await startTestServer(WORLD);
    const desk = await openTokenIssuer(server);
    const issued = await desk.issue({ label: "operator", scopes: ["admin"] });
    await desk.close();
    admin = bearerHeader(issued.token);
    keyId = issued.record.keyId;
  });
  after(() => server.close());

  async function call<Body = Record<string, unknown>>(method: string, path: string, body?: object, status = 200) {
    const response = await sendRequest(server.url, {
      method,
      path,
      headers: { ...admin, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    assert.equal(response.status, status, response.text);
    return JSON.parse(response.text) as Body;
  }

  const profile = () => server.get("/api/shortvideo/user/info-with-region?uniqueId=ines.varga");

  test("a dry run says what would go, an erasure does it at once, and the list says that it happened, not to whom", async () => {
    const request = { platform: "shortvideo", kind: "account", id: "@ines.varga" };
    const missing = await call<{ code: string }>("POST", "/admin/erasures", request, 400);
    assert.equal(missing.code, "missing_parameter", "whether to erase has to be said");
    assert.equal((await profile()).status, 200);
    const dry = await call<{ counts: Record<string, number>; purged: boolean | null }>("POST", "/admin/erasures", {
      ...request,
      dryRun: true,
    });
    assert.ok((dry.counts["post"] ?? 0) > 0);
    assert.equal(dry.purged, null);
    assert.equal((await profile()).status, 200);
    const real = await call<object>("POST", "/admin/erasures", { ...request, dryRun: false });
    assert.deepEqual(real, { ...dry, dryRun: false, purged: true });
    assert.equal((await profile()).status, 404, "also from the response cache");
    const { erasures } = await call<{ erasures: { actor: string; details: object }[] }>("GET", "/admin/erasures");
    assert.equal(erasures.length, 1);
    assert.equal(erasures[0]?.actor, keyId);
    assert.doesNotMatch(JSON.stringify(erasures), /ines|6800000000000000001/);
    await call("POST", "/admin/erasures", { ...request, platform: "tiktok", dryRun: true }, 400);
  });

  test("an erasure takes the URLs that operations take, and refuses what names nothing", async () => {
    const send = <Body = Record<string, unknown>>(kind: string, id: string, status = 200) =>
      call<Body>("POST", "/admin/erasures", { platform: "shortvideo", kind, id, dryRun: true }, status);
    const { id, name } = await send("account", "https://www.tiktok.com/@tomas_okafor");
    assert.deepEqual([id, name], ["6800000000000000002", "tomas_okafor"]);
    const { counts } = await send<{ counts: { post: number } }>(
      "post",
      "https://www.tiktok.com/@tomas_okafor/video/7300000000000000002",
    );
    assert.equal(counts.post, 1);
    for (const [kind, text] of [
      ["post", "https://www.tiktok.com/@tomas_okafor"],
      ["post", "tomas_okafor"],
      ["account", "https://example.com/tomas_okafor"],
    ] as const) {
      const { code, errors } = await send<{ code: string; errors: object[] }>(kind, text, 400);
      const site = "its URL on the platform's own site; short links are not resolved";
      const reason =
        kind === "post"
          ? `must be the id of a post or ${site}`
          : `must be the id of an account, its name or ${site}, nor are /user/ and /c/: use /channel/ or /@`;
      assert.deepEqual([code, errors], ["invalid_parameter", [{ in: "body", parameter: "id", reason }]]);
    }
  });

  test("retention rules are set, listed and removed, and each change is in the audit log", async () => {
    const rule = { source: "zeeschuimer", kind: "comment", days: 30 };
    const done = { dryRun: false, due: null };
    assert.deepEqual(await call("PUT", "/admin/retention", rule), { ...rule, ...done });
    assert.deepEqual(await call("PUT", "/admin/retention", { days: 0 }), { source: "", kind: "", days: null, ...done });
    const { rules } = await call<{ rules: object[] }>("GET", "/admin/retention");
    assert.deepEqual(rules, [{ source: "", kind: "", days: null }, rule]);
    await call("PUT", "/admin/retention", { kind: "video", days: 3 }, 400);
    const path = "/admin/retention?source=zeeschuimer&kind=comment";
    assert.deepEqual(await call("DELETE", path), { removed: true, ...done });
    assert.deepEqual(await call("DELETE", path), { removed: false, ...done });
    const { entries } = await call<{ entries: { action: string; actor: string }[] }>("GET", "/admin/audit");
    assert.deepEqual(
      entries.slice(0, 3).map(({ action, actor }) => [action, actor]),
      Array.from({ length: 3 }, () => ["retention.set", keyId]),
    );
  });

  test("a dry run of a retention rule, and of its removal, says what would go and changes nothing", async () => {
    const dryRun = async (method: string, path: string, body?: object) => {
      const { due } = await call<{ due: { kind: string; count: number }[] }>(method, path, body);
      return Object.fromEntries(due.map(({ kind, count }) => [kind, count]));
    };
    const { rules } = await call<{ rules: object[] }>("GET", "/admin/retention");
    const all = await dryRun("PUT", "/admin/retention", { days: 1, dryRun: true });
    assert.ok((all["account"] ?? 0) > 1 && (all["post"] ?? 0) > 1 && (all["comment"] ?? 0) > 1, JSON.stringify(all));
    const { comment } = all;
    assert.deepEqual(await dryRun("PUT", "/admin/retention", { kind: "comment", days: 1, dryRun: true }), { comment });
    assert.deepEqual(await dryRun("PUT", "/admin/retention", { days: 99_999, dryRun: true }), {});
    const same = await call<{ rules: object[] }>("GET", "/admin/retention");
    assert.deepEqual(same.rules, rules);
    await call("PUT", "/admin/retention", { days: 99_999 });
    await call("PUT", "/admin/retention", { kind: "comment", days: 1 });
    assert.deepEqual(await dryRun("DELETE", "/admin/retention?kind=comment&dryRun=true"), {});
    assert.deepEqual(await dryRun("PUT", "/admin/retention", { days: 1, dryRun: true }), all);
    const last = await call<{ rules: { kind: string; days: number }[] }>("GET", "/admin/retention");
    assert.deepEqual(
      last.rules.map(({ kind, days }) => [kind, days]),
      [
        ["", 99_999],
        ["comment", 1],
      ],
    );
  });
});
