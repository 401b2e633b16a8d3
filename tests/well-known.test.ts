/** What crawlers and researchers look for at fixed paths. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "#domain/time.ts";
import { sendRequest } from "./http-client.ts";
import { assertProblem } from "./problem.ts";
import { startTestServer } from "./test-server.ts";

test("robots.txt keeps crawlers out, and security.txt says whom to write to, without a token", async () => {
  for (const [settings, contact] of [
    [
      { PUBLIC_URL: "https://triptych.example" },
      /^https:\/\/triptych\.example\/docs\/guides\/operating#reporting-a-vulnerability$/,
    ],
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
      if (fields["Contact"]?.startsWith("https:") === true) {
        const page = await get(new URL(fields["Contact"]).pathname);
        assert.match(page.text, /id="reporting-a-vulnerability"/);
      }
    } finally {
      await server.close();
    }
  }
});

test("security.txt never repeats the Host of a request: without a contact there is none", async () => {
  const server = await startTestServer([]);
  try {
    const headers = { authorization: null, host: "evil.example" };
    const response = await sendRequest(server.url, { path: "/.well-known/security.txt", headers });
    assert.ok(!response.text.includes("evil.example"));
    const { detail } = assertProblem(response, "unknown_path");
    assert.equal(detail, "no contact is set; the operator sets SECURITY_CONTACT or PUBLIC_URL");
  } finally {
    await server.close();
  }
});
