/** What crawlers and researchers look for at fixed paths. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "#domain/time.ts";
import { sendRequest } from "./http-client.ts";
import { startTestServer } from "./test-server.ts";

test("robots.txt keeps crawlers out, and security.txt says whom to write to, without a token", async () => {
  for (const [settings, contact] of [
    [{}, /^http:\/\/127\.0\.0\.1:\d+\/docs\/guides\/operating#reporting-a-vulnerability$/],
    [{ PUBLIC_URL: "https://triptych.example" }, /^https:\/\/triptych\.example\/docs\/guides\/operating#/],
    [{ SECURITY_CONTACT: "mailto:security@triptych.example" }, /^mailto:security@triptych\.example$/],
  ] as const) {
    const server = await startTestServer([], settings);
    try {
      const get = (path: string) => sendRequest(server.url, { path, headers: { authorization: null } });
      const robots = await get("/robots.txt");
      assert.deepEqual([robots.status, robots.text], [200, "User-agent: *\nDisallow: /\n"]);
      const file = await get("/.well-known/security.txt");
      assert.equal(file.status, 200);
      assert.equal(file.header("content-type"), "text/plain; charset=utf-8");
      const fields = Object.fromEntries(
        file.text
          .trimEnd()
          .split("\n")
          .map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]),
      );
      assert.deepEqual(Object.keys(fields), ["Contact", "Expires", "Preferred-Languages"]);
      assert.match(fields["Contact"] ?? "", contact);
      const days = (Date.parse(fields["Expires"] ?? "") - Date.now()) / DAY_MS;
      assert.ok(days > 150 && days < 365, fields["Expires"]);
      if (fields["Contact"]?.startsWith("http://127") === true) {
        const page = await get(new URL(fields["Contact"]).pathname);
        assert.match(page.text, /id="reporting-a-vulnerability"/);
      }
    } finally {
      await server.close();
    }
  }
});
