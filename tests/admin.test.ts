/** The routes below /admin/ as an operator's client meets them. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Compile } from "typebox/compile";
import { openSecrets } from "#testing/secrets.ts";
import { dayOf, HOUR_MS, startOfDay, toIsoDate } from "#domain/time.ts";
import { ADMIN_ROUTES } from "#http/admin/routes.ts";
import { AuditLog } from "#privacy/audit-log.ts";
import { until } from "#testing/until.ts";
import { breakOffRequest, type HttpResponse, sendRequest } from "./http-client.ts";
import { assertProblem } from "./problem.ts";
import { runCommand } from "./run-command.ts";
import { aPostObject, pushedLine } from "./spawn-import.ts";
import { startTestServer, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { bearerHeader, openTokenIssuer, type TokenIssuer } from "./test-tokens.ts";
import { aPost, WORLD } from "./world.ts";

interface Overview {
  countedAt: string;
  newestCapture: string | null;
  records: { platform: string; kind: string; count: number }[];
  sources: { source: string; platform: string; kind: string; count: number; newestCapture: string | null }[];
  growth: { day: string; platform: string; count: number }[];
  jobs: { running: number; done: number; newest: { id: string } | null };
}

interface JobSummary {
  files: number;
  filesDone: number;
  documents: number;
  id: string;
  state: string;
  origin: string;
  label: string;
  records: { new: number };
  refused: number;
}

interface JobDetails {
  job: JobSummary;
  files: { name: string; records: { kind: string; new: number }[]; refused: { code: string; count: number }[] }[];
  nextFile: number | null;
  rejects: { number: number; file: string; line: number | null; code: string; reason: string }[];
  nextReject: number | null;
}

const SCHEMAS = new Map(ADMIN_ROUTES.map(({ name, output }) => [name, Compile(output)]));

/** Headers of a browser that signed in. */
function cookieOf(response: HttpResponse) {
  const [cookie = ""] = String(response.header("set-cookie")).split(";");
  return { authorization: null, cookie };
}

/** The body of a successful response, checked against the schema of its route. */
function checked(route: string, response: HttpResponse): unknown {
  assert.ok(response.status >= 200 && response.status < 300, `${route}: ${response.status} ${response.text}`);
  assert.equal(response.header("cache-control"), "no-store");
  const body: unknown = JSON.parse(response.text);
  assert.deepEqual(SCHEMAS.get(route)?.Errors(body), [], route);
  return body;
}

describe("admin routes", () => {
  let server: TestServer;
  let desk: TokenIssuer;
  let admin: Record<string, string>;
  let operator: string;
  before(async () => {
    server = await startTestServer(WORLD);
    desk = await openTokenIssuer(server);
    const { token, record } = await desk.issue({ label: "operator", scopes: ["admin", "ingest"] });
    admin = bearerHeader(token);
    operator = record.keyId;
  });
  after(async () => {
    await desk.close();
    await server.close();
  });

  const request = (method: string, path: string, headers: Record<string, string | null> = admin, body?: object) =>
    sendRequest(server.url, {
      method,
      path,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });

  /** A successful response, checked against the schema of its route. */
  async function call<Body>(route: string, path: string, body?: object): Promise<Body> {
    return checked(route, await request(route.split(" ")[0] ?? "", path, admin, body)) as Body;
  }

  const signIn = (token: string, headers: Record<string, string> = {}) =>
    request("POST", "/admin/session", { authorization: null, ...headers }, { token });

  async function signedIn(scopes: string[]) {
    const issued = await desk.issue({ label: "browser", scopes });
    const headers = cookieOf(await signIn(issued.token));
    return { ...issued, cookie: headers.cookie, headers };
  }

  async function upload(name: string, content: string): Promise<JobSummary> {
    const form = new FormData();
    form.append("file", new Blob([content]), name);
    const response = await fetch(`${server.url}/ingest/files`, { method: "POST", headers: admin, body: form });
    const { job } = (await response.json()) as { job: string };
    return until(async () => {
      const details = await call<JobDetails>("GET /admin/jobs/{id}", `/admin/jobs/${job}`);
      return details.job.state === "done" ? details.job : null;
    });
  }

  test("the overview counts what is stored, by platform and kind and by source", async () => {
    const store = await server.openStore();
    const { records } = await store.summary();
    await store.close();
    const overview = await call<Overview>("GET /admin/overview", "/admin/overview");
    const expected = Object.entries(records).flatMap(([platform, kinds]) =>
      Object.entries(kinds).map(([kind, count]) => ({ platform, kind, count })),
    );
    assert.deepEqual(overview.records, expected);
    for (const { platform, kind, count } of expected) {
      const sources = overview.sources.filter((source) => source.platform === platform && source.kind === kind);
      assert.equal(
        sources.reduce((sum, source) => sum + source.count, 0),
        count,
        `${platform} ${kind}`,
      );
    }
    assert.equal(
      overview.newestCapture,
      overview.sources
        .map(({ newestCapture }) => newestCapture ?? "")
        .toSorted()
        .at(-1),
    );
  });

  test("the overview has the records captured on each of the last 30 days", async () => {
    const { job } = { job: await upload("today.ndjson", `${pushedLine(aPostObject(900))}\n`) };
    assert.ok(job.records.new > 0);
    // Counts of a moment ago may be returned.
    const { countedAt, growth, jobs } = await until(async () => {
      const overview = await call<Overview>("GET /admin/overview", "/admin/overview");
      return overview.jobs.newest?.id === job.id ? overview : null;
    });
    assert.deepEqual(
      [...new Set(growth.map(({ day }) => day))],
      Array.from({ length: 30 }, (_, index) => toIsoDate(startOfDay(dayOf(Date.parse(countedAt)) - 29 + index))),
    );
    assert.ok(Math.abs(Date.now() - Date.parse(countedAt)) < HOUR_MS, countedAt);
    assert.equal(jobs.running, 0);
    assert.ok(jobs.done >= 1);
  });

  test("the files of an import come in pages, and its summary counts them all", async () => {
    const names = Array.from({ length: 5 }, (_, index) => `${index}.ndjson`);
    const form = new FormData();
    for (const [index, name] of names.entries()) {
      form.append("file", new Blob([`${pushedLine(aPostObject(910 + index))}\n`]), name);
    }
    const response = await fetch(`${server.url}/ingest/files`, { method: "POST", headers: admin, body: form });
    const path = `/admin/jobs/${((await response.json()) as { job: string }).job}`;
    const page = (fromFile: number) => call<JobDetails>("GET /admin/jobs/{id}", `${path}?limit=2&fromFile=${fromFile}`);
    const first = await until(async () => {
      const details = await page(0);
      return details.job.state === "done" ? details : null;
    });
    const pages = [first];
    for (let next = first.nextFile; next !== null; next = pages.at(-1)?.nextFile ?? null) pages.push(await page(next));
    assert.deepEqual(
      pages.map(({ files }) => files.length),
      [2, 2, 1],
    );
    assert.deepEqual(pages.flatMap(({ files }) => files.map(({ name }) => name)).toSorted(), names);
    for (const { job } of pages)
      assert.deepEqual([job.files, job.filesDone, job.documents, job.records.new > 4], [5, 5, 5, true]);
    await call("POST /admin/jobs/{id}/undo", `${path}/undo`, { dryRun: "false" });
  });

  test("imports are listed newest first, and one has a report per file and its refused records in pages", async () => {
    const broken = Array.from({ length: 5 }, () => '{"broken": }').join("\n");
    const first = await upload("first.ndjson", `${pushedLine(aPostObject(901))}\n`);
    const second = await upload("second.ndjson", `${pushedLine(aPostObject(902))}\n${broken}\n`);
    const { jobs } = await call<{ jobs: JobSummary[] }>("GET /admin/jobs", "/admin/jobs?limit=2");
    assert.deepEqual(
      jobs.map(({ id, origin, label }) => ({ id, origin, label })),
      [
        { id: second.id, origin: "upload", label: "second.ndjson" },
        { id: first.id, origin: "upload", label: "first.ndjson" },
      ],
    );
    const pageOf = (query: string) =>
      call<{ jobs: JobSummary[]; next: string | null }>("GET /admin/jobs", `/admin/jobs?${query}`);
    const newest = await pageOf("limit=1");
    assert.deepEqual([newest.jobs, newest.next], [jobs.slice(0, 1), second.id]);
    assert.deepEqual((await pageOf(`limit=1&before=${second.id}`)).jobs, jobs.slice(1));
    const all = await pageOf("limit=100");
    assert.equal(all.next, null);
    assert.deepEqual(await pageOf(`before=${all.jobs.at(-1)?.id}`), { jobs: [], next: null });
    assert.deepEqual(await pageOf("before=none"), { jobs: [], next: null });
    const path = `/admin/jobs/${second.id}`;
    const details = await call<JobDetails>("GET /admin/jobs/{id}", path);
    assert.deepEqual(details.job, jobs[0]);
    assert.deepEqual(
      details.files.map(({ name }) => name),
      ["second.ndjson"],
    );
    assert.equal(details.job.refused, 5);
    assert.equal(details.rejects.length, 5);
    for (const { file, code, reason } of details.rejects) {
      assert.equal(file, "second.ndjson");
      assert.equal(code, "not_json");
      assert.match(reason, /^not JSON/);
    }
    const paged = [];
    let last: number | null = 0;
    while (last !== null) {
      const page: JobDetails = await call("GET /admin/jobs/{id}", `${path}?limit=2&after=${last}`);
      assert.ok(page.rejects.length <= 2);
      paged.push(...page.rejects);
      last = page.nextReject;
    }
    assert.deepEqual(paged, details.rejects);
    interface Undone {
      removed: { kind: string; count: number }[];
    }
    const undo = (dryRun: boolean) =>
      call<Undone>("POST /admin/jobs/{id}/undo", `${path}/undo`, { dryRun: String(dryRun) });
    const planned = await undo(true);
    assert.equal(planned.removed.find(({ kind }) => kind === "post")?.count, 1);
    assert.deepEqual((await undo(false)).removed, planned.removed);
    assert.equal((await call<JobDetails>("GET /admin/jobs/{id}", path)).job.state, "undone");
  });

  test("an import without a process is interrupted, can be dismissed once, and is not one that runs", async () => {
    const id = "2026-11-16-cut";
    const job = { id, fingerprint: id, origin: "command" as const, label: "captures", owner: "north:1:a" };
    const claim = { jobId: id, claimGroup: id, path: job.owner, name: "", fingerprint: null, owner: job.owner };
    const states = async () => {
      const { job: shown } = await call<JobDetails>("GET /admin/jobs/{id}", `/admin/jobs/${id}`);
      const { jobs } = await call<{ jobs: JobSummary[] }>("GET /admin/jobs", "/admin/jobs");
      const overview = await call<{ jobs: Record<string, number> }>("GET /admin/overview", "/admin/overview");
      const { running, interrupted, dismissed } = overview.jobs;
      return [shown.state, jobs.find((listed) => listed.id === id)?.state, running, interrupted, dismissed];
    };
    const store = await server.openStore();
    try {
      await store.jobs.writeJob({ ...job, state: "running", createdAt: 1, updatedAt: 1 });
      await store.jobs.claimFile(claim, 60_000);
      assert.deepEqual(await states(), ["running", "running", 1, 0, 0]);
      const refused = assertProblem(await request("POST", `/admin/jobs/${id}/dismiss`), "conflict");
      assert.equal(refused.detail, `import ${id} is running; only an interrupted one can be dismissed`);
      await store.jobs.releaseClaims(id, job.owner);
    } finally {
      await store.close();
    }
    assert.deepEqual(await states(), ["interrupted", "interrupted", 0, 1, 0]);
    const dismissed = await call<JobSummary>("POST /admin/jobs/{id}/dismiss", `/admin/jobs/${id}/dismiss`);
    assert.equal(dismissed.state, "dismissed");
    assert.deepEqual(await states(), ["dismissed", "dismissed", 0, 0, 1]);
    assertProblem(await request("POST", `/admin/jobs/${id}/dismiss`), "conflict");
    assertProblem(await request("POST", "/admin/jobs/nothing/dismiss"), "job_not_found");
    const { entries } = await call<{ entries: { action: string; actor: string; details: object }[] }>(
      "GET /admin/audit",
      "/admin/audit",
    );
    const { action, actor, details } = entries.find((entry) => entry.action === "import.dismiss") ?? {};
    assert.deepEqual([action, actor, details], ["import.dismiss", operator, { job: id }]);
  });

  test("an import that does not exist is not found, and a wrong parameter is named with its place", async () => {
    assertProblem(await request("GET", "/admin/jobs/nothing"), "job_not_found");
    const wrong = assertProblem(await request("GET", "/admin/jobs?limit=0"), "invalid_parameter");
    assert.deepEqual(wrong.errors, [
      { in: "query", parameter: "limit", reason: "must be a whole number from 1 to 100" },
    ]);
    const long = assertProblem(await request("GET", `/admin/jobs/${"x".repeat(300)}`), "invalid_parameter");
    assert.equal(long.detail, "id in the path must have 1 to 200 characters");
  });

  describe("sessions", () => {
    const PROFILE = "/api/shortvideo/user/info-with-region?uniqueId=ines.varga";
    const SAME_ORIGIN = { "sec-fetch-site": "same-origin" };
    const OWN_HEADER = { "x-requested-with": "triptych-console" };

    test("a token signs in, the cookie stands for it without containing it, and says who is signed in", async () => {
      const { token, record } = await desk.issue({ label: "browser", scopes: ["admin"], expiresInDays: 30 });
      const response = await signIn(token);
      const body = checked("POST /admin/session", response) as {
        name: string;
        keyId: string;
        scopes: string[];
        expiresAt: string;
      };
      assert.deepEqual([body.name, body.keyId, body.scopes], ["browser", record.keyId, ["admin"]]);
      assert.ok(Date.parse(body.expiresAt) > Date.now() && Date.parse(body.expiresAt) <= Date.now() + 12 * HOUR_MS);
      const cookie = String(response.header("set-cookie"));
      assert.match(cookie, /^triptych_session=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43\d{3}$/);
      assert.ok(!cookie.includes(token.slice(-30)));
      const headers = { authorization: null, cookie: cookie.split(";")[0] ?? "" };
      assert.deepEqual(checked("GET /admin/session", await request("GET", "/admin/session", headers)), body);
    });

    test("the cookie needs https where clients use https", async () => {
      const { token } = await desk.issue({ scopes: ["admin"] });
      const response = await signIn(token, { "x-forwarded-proto": "https" });
      const cookie = String(response.header("set-cookie"));
      assert.match(cookie, /^__Host-triptych_session=[\w.-]+; Path=\/; HttpOnly; .*; Secure$/);
      const headers = { authorization: null, cookie: cookie.split(";")[0] ?? "" };
      const secure = { ...headers, "x-forwarded-proto": "https" };
      assert.equal((await request("GET", "/admin/session", secure)).status, 200);
      // A page of the same host that was reached by http cannot plant a session.
      const planted = { ...secure, cookie: headers.cookie.replace("__Host-", "") };
      assertProblem(await request("GET", "/admin/session", planted), "missing_token");
    });

    test("with the cookie, own pages are answered as with the token: operations, exports, uploads, admin routes", async () => {
      const { headers } = await signedIn(["admin", "ingest", "export", "read:shortvideo", "read:photoshare"]);
      const own = { ...headers, ...SAME_ORIGIN };
      for (const path of [PROFILE, "/admin/overview", "/api/export/accounts"])
        assert.equal((await request("GET", path, own)).status, 200, path);
      const both = { ...own, authorization: "Bearer unknown" };
      assertProblem(await request("GET", "/admin/overview", both), "invalid_token", "the header decides");
      const search = { method: "POST", path: "/api/photoshare/search", body: "search_query=amara" };
      const form = { ...own, "content-type": "application/x-www-form-urlencoded" };
      assert.equal((await sendRequest(server.url, { ...search, headers: form })).status, 200);
      const boundary = "a-boundary";
      const uploaded = await sendRequest(server.url, {
        method: "POST",
        path: "/ingest/files",
        headers: { ...headers, ...OWN_HEADER, "content-type": `multipart/form-data; boundary=${boundary}` },
        body: `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.ndjson"\r\n\r\n${pushedLine(aPostObject(903))}\n\r\n--${boundary}--\r\n`,
      });
      assert.equal(uploaded.status, 202, uploaded.text);
      assertProblem(await request("GET", "/api/longvideo/trending", own), "insufficient_scope");
    });

    test("requests of other sites, and changes that may be theirs, are treated as without the cookie", async () => {
      const { headers } = await signedIn(["admin"]);
      const create = (more: Record<string, string>) =>
        request("POST", "/admin/tokens", { ...headers, ...more }, { label: "x", scopes: ["feed"] });
      for (const site of ["cross-site", "same-site"]) {
        const other = { ...OWN_HEADER, "sec-fetch-site": site };
        assertProblem(await create(other), "missing_token", site);
        assertProblem(await request("GET", "/admin/overview", { ...headers, ...other }), "missing_token", site);
        assertProblem(await signIn("whatever", other), "origin_not_allowed", site);
      }
      assertProblem(await create({}), "missing_token");
      assertProblem(await create({ "x-requested-with": "XMLHttpRequest" }), "missing_token");
      for (const more of [SAME_ORIGIN, { "sec-fetch-site": "none" }, OWN_HEADER])
        assert.equal((await create(more)).status, 201);
      // Nothing changes by reading, so old browsers that say nothing may read.
      assert.equal((await request("GET", "/admin/overview", headers)).status, 200);
    });

    test("a session ends with its token within a second", async () => {
      const { headers, record } = await signedIn(["admin"]);
      assert.equal((await request("GET", "/admin/session", headers)).status, 200);
      await desk.registry.revoke(record.keyId);
      const revokedAt = performance.now();
      let lastAcceptedMs = 0;
      const refused = await until(async () => {
        const sentMs = performance.now() - revokedAt;
        const response = await request("GET", "/admin/session", headers);
        if (response.status !== 200) return response;
        lastAcceptedMs = sentMs;
        return null;
      });
      // Sent before the second was over, whatever the machine did meanwhile.
      assert.ok(lastAcceptedMs < 1_000, `accepted ${lastAcceptedMs} ms later`);
      assert.match(assertProblem(refused, "invalid_token").detail, /sign in again/);
    });

    test("a session of a rotated token ends with the overlap", async () => {
      const { headers, record } = await signedIn(["admin"]);
      const rotatedAt = Date.now();
      const path = `/admin/tokens/${record.keyId}/rotate`;
      const response = await request("POST", path, { ...headers, ...SAME_ORIGIN }, { overlapSeconds: 3600 });
      assert.equal(response.status, 201);
      const { expiresAt } = checked("GET /admin/session", await request("GET", "/admin/session", headers)) as {
        expiresAt: string;
      };
      assert.ok(Math.abs(Date.parse(expiresAt) - rotatedAt - HOUR_MS) < 60_000, expiresAt);

      const short = await signedIn(["admin"]);
      await request("POST", `/admin/tokens/${short.record.keyId}/rotate`, admin, { overlapSeconds: 0 });
      await until(async () => (await request("GET", "/admin/session", short.headers)).status === 401);
    });

    test("no other cookie is a session: forged, changed, of another token, expired", async () => {
      const { cookie } = await signedIn(["admin"]);
      const other = await signedIn(["feed"]);
      const parts = cookie.slice("triptych_session=".length).split(".");
      const [keyId, expiry, id, epoch, mac] = parts as [string, string, string, string, string];
      const flip = (text: string) => (text.startsWith("A") ? "B" : "A") + text.slice(1);
      const forged = [
        "",
        "x",
        `${keyId}.${expiry}.${id}.${epoch}.${flip(mac)}`,
        `${keyId}.${expiry}.${flip(id)}.${epoch}.${mac}`,
        `${keyId}.${expiry}.${id}.1.${mac}`,
        `${keyId}.${Number(expiry) + 60}.${id}.${epoch}.${mac}`,
        `${other.record.keyId}.${expiry}.${id}.${epoch}.${mac}`,
        `environment.${expiry}.${id}.${epoch}.${mac}`,
        `${keyId}.${expiry}.${id}.${epoch}`,
        `${keyId}.${expiry}.${mac}`,
        `${keyId}.1.${id}.${epoch}.${mac}`,
      ];
      for (const value of forged) {
        const headers = { authorization: null, cookie: `triptych_session=${value}` };
        assertProblem(await request("GET", "/admin/session", headers), "invalid_token", value);
      }
      assertProblem(
        await request("GET", "/admin/session", { authorization: null, cookie: "another=1; session=2" }),
        "missing_token",
      );
      assertProblem(await signIn("tt_nothing"), "invalid_token");
    });

    test("signing out deletes the cookie and ends its session at once, and no other of the token", async () => {
      const { headers, token } = await signedIn(["feed"]);
      const other = cookieOf(await signIn(token));
      const isAlive = async (each: Record<string, string | null>) =>
        (await request("GET", "/admin/session", each)).status === 200;
      assert.deepEqual([await isAlive(headers), await isAlive(other)], [true, true]);
      const response = await request("DELETE", "/admin/session", { ...headers, ...SAME_ORIGIN });
      assert.deepEqual(checked("DELETE /admin/session", response), { status: "signed out" });
      assert.match(String(response.header("set-cookie")), /^triptych_session=; .*Max-Age=0$/);
      const problem = assertProblem(await request("GET", "/admin/session", headers), "invalid_token");
      assert.match(problem.detail, /the session has ended; sign in again/);
      assert.equal(await isAlive(other), true);
      // Signing out again is no error, and a browser that sends no header of an own page can sign out too.
      assert.equal((await request("DELETE", "/admin/session", { ...headers, ...SAME_ORIGIN })).status, 200);
      assert.equal((await request("DELETE", "/admin/session", other)).status, 200);
      assert.equal(await isAlive(other), false);
    });

    test("signing out everywhere ends all sessions of the token, and none that begins later", async () => {
      const { headers, token } = await signedIn(["feed"]);
      const others = [cookieOf(await signIn(token)), cookieOf(await signIn(token))];
      const stranger = await signedIn(["feed"]);
      const status = async (each: Record<string, string | null>) =>
        (await request("GET", "/admin/session", each)).status;
      const response = await request("DELETE", "/admin/session?everywhere=true", headers);
      assert.deepEqual(checked("DELETE /admin/session", response), { status: "signed out everywhere" });
      for (const each of [headers, ...others]) assert.equal(await status(each), 401);
      assert.equal(await status(stranger.headers), 200);
      assert.equal(await status(cookieOf(await signIn(token))), 200);
      // A session that has ended ends no others, and does not say so.
      assertProblem(await request("DELETE", "/admin/session?everywhere=true", headers), "invalid_token");
      assertProblem(await request("DELETE", "/admin/session?everywhere=yes", headers), "invalid_parameter");
    });

    test("a session of API_TOKEN is ended as others are, also for a service that starts later", async () => {
      const { headers, token } = await signedIn(["feed"]);
      const mine = cookieOf(await signIn(TEST_TOKEN));
      const kept = cookieOf(await signIn(token));
      assert.equal((await request("DELETE", "/admin/session?everywhere=true", mine)).status, 200);
      assert.equal((await request("DELETE", "/admin/session", headers)).status, 200);
      const later = await startTestServer([], server.env);
      try {
        const status = async (each: Record<string, string | null>) =>
          (await sendRequest(later.url, { path: "/admin/session", headers: each })).status;
        assert.deepEqual([await status(mine), await status(headers), await status(kept)], [401, 401, 200]);
      } finally {
        await later.close();
      }
    });

    test("a session of a token without the scope sees no admin route", async () => {
      const { headers } = await signedIn(["read:shortvideo"]);
      assert.equal((await request("GET", PROFILE, headers)).status, 200);
      assertProblem(await request("GET", "/admin/overview", headers), "insufficient_scope");
    });
  });

  describe("tokens", () => {
    interface Token {
      keyId: string;
      state: string;
      scopes: string[];
      expiresAt: string | null;
      limits: object;
    }
    interface Issued {
      token: string;
      record: Token;
    }
    const session = (token: string) => request("GET", "/admin/session", bearerHeader(token));

    test("are created, listed, rotated and revoked", async () => {
      const body = { label: "dashboard", scopes: ["read:longvideo", "export"], expiresInDays: 7, daily: 5000 };
      const { token, record } = await call<Issued>("POST /admin/tokens", "/admin/tokens", body);
      assert.match(token, /^tt_[0-9A-Za-z]{48}$/);
      assert.deepEqual([record.state, record.scopes], ["active", ["read:longvideo", "export"]]);
      assert.deepEqual(record.limits, { burst: null, daily: 5000, concurrency: null });
      assert.ok(Math.abs(Date.parse(record.expiresAt ?? "") - Date.now() - 7 * 24 * HOUR_MS) < 60_000);
      assert.equal((await session(token)).status, 200);

      const path = `/admin/tokens/${record.keyId}`;
      const rotated = await call<Issued>("POST /admin/tokens/{id}/rotate", `${path}/rotate`, { overlapSeconds: 3600 });
      for (const each of [token, rotated.token]) assert.equal((await session(each)).status, 200);
      const list = async () => (await call<{ tokens: Token[] }>("GET /admin/tokens", "/admin/tokens")).tokens;
      const stateOf = async (keyId: string) => (await list()).find((each) => each.keyId === keyId)?.state;
      assert.deepEqual([await stateOf(record.keyId), await stateOf(rotated.record.keyId)], ["replaced", "active"]);
      assert.match(
        assertProblem(await request("POST", `${path}/rotate`), "conflict").detail,
        new RegExp(`rotate its successor ${rotated.record.keyId}`),
      );

      const successor = `/admin/tokens/${rotated.record.keyId}`;
      const revoked = await call<{ record: Token }>("DELETE /admin/tokens/{id}", successor);
      assert.equal(revoked.record.state, "revoked");
      assert.deepEqual(await call("DELETE /admin/tokens/{id}", successor), revoked);
      await until(async () => (await session(rotated.token)).status === 401);
      assertProblem(await request("POST", `${successor}/rotate`), "conflict");

      const store = await server.openStore();
      const audited = await new AuditLog(store.audit, openSecrets(server.dataDir).audit).listNewest(20);
      await store.close();
      assert.deepEqual(audited.flatMap(({ actor, action }) => (actor === operator ? action : [])).slice(0, 4), [
        "token.revoke",
        "token.revoke",
        "token.rotate",
        "token.create",
      ]);
    });

    test("a token that is rotated and revoked at the same moment ends", async () => {
      const body = { label: "dashboard", scopes: ["feed"] };
      for (let round = 0; round < 5; round++) {
        const { token, record } = await call<Issued>("POST /admin/tokens", "/admin/tokens", body);
        const path = `/admin/tokens/${record.keyId}`;
        const [rotated, again, revoked] = await Promise.all([
          request("POST", `${path}/rotate`),
          request("POST", `${path}/rotate`),
          request("DELETE", path),
        ]);
        assert.equal(revoked.status, 200);
        const given = [rotated, again].filter(({ status }) => status === 201);
        assert.ok(given.length <= 1, "two successors");
        for (const { status } of [rotated, again]) assert.ok(status === 201 || status === 409, String(status));
        await until(async () => (await session(token)).status === 401);
        for (const { text } of given) assert.equal((await session((JSON.parse(text) as Issued).token)).status, 200);
      }
    });

    test("a token that does not exist is not found, and a wrong request says what would be right", async () => {
      assertProblem(await request("DELETE", "/admin/tokens/nothing"), "token_not_found");
      assertProblem(await request("POST", "/admin/tokens/nothing/rotate"), "token_not_found");
      const create = (body: object) => request("POST", "/admin/tokens", admin, body);
      assertProblem(await create({ scopes: ["feed"] }), "missing_parameter");
      for (const [body, detail] of [
        [{ label: "x", scopes: ["write"] }, /write: unknown scope; the scopes are read:shortvideo/],
        [{ label: "x", scopes: ["feed", "admin"] }, /feed must be the only scope/],
        [{ label: "x", scopes: [] }, /scopes in the request body must/],
        [{ label: "x", scopes: [{}] }, /scopes in the request body must be a list of texts/],
        [{ label: "a\nb", scopes: ["feed"] }, /one line of 1 to 100 characters/],
        [{ label: "x", scopes: ["feed"], daily: 0 }, /daily in the request body must be a whole number from 1/],
      ] as const) {
        const response = await create(body);
        const { code } = JSON.parse(response.text) as { code: "invalid_parameter" | "missing_parameter" };
        assert.match(assertProblem(response, code).detail, detail);
      }
      const { record } = await call<Issued>("POST /admin/tokens", "/admin/tokens", {
        label: "for ever",
        scopes: "ingest, export",
        expiresInDays: 0,
      });
      assert.deepEqual([record.expiresAt, record.scopes], [null, ["ingest", "export"]]);
    });
  });

  describe("usage and errors", () => {
    const PROFILE = "/api/shortvideo/user/info-with-region";
    interface Usage {
      usage: {
        keyId: string;
        label: string;
        day: string | null;
        operation: string | null;
        requests: number;
        clientErrors: number;
        serverErrors: number;
      }[];
    }

    test("every request of a token is counted by day and operation, errors too", async () => {
      const spend = async () => {
        const day = toIsoDate(Date.now());
        const { token, record } = await desk.issue({ label: "=counted", scopes: ["read:shortvideo"] });
        for (const path of [`${PROFILE}?uniqueId=ines.varga`, `${PROFILE}?uniqueId=ines.varga`, PROFILE, "/admin/jobs"])
          await request("GET", path, bearerHeader(token));
        return { day, record };
      };
      let { day, record } = await spend();
      // At midnight, they are of two days.
      if (day !== toIsoDate(Date.now())) ({ day, record } = await spend());
      const usageBy = async (by: string) =>
        (await call<Usage>("GET /admin/usage", `/admin/usage?keyId=${record.keyId}&by=${by}`)).usage;
      const who = { keyId: record.keyId, label: "=counted" };
      assert.deepEqual(await usageBy("day"), [
        { ...who, day, operation: null, requests: 4, clientErrors: 2, serverErrors: 0 },
      ]);
      const operations = [
        { operation: "admin/jobs", requests: 1, clientErrors: 1, serverErrors: 0 },
        { operation: PROFILE.slice(5), requests: 3, clientErrors: 1, serverErrors: 0 },
      ];
      assert.deepEqual(
        await usageBy("operation"),
        operations.map((row) => ({ ...who, day: null, ...row })),
      );
      assert.deepEqual(
        await usageBy("both"),
        operations.map((row) => ({ ...who, day, ...row })),
      );
      const tomorrow = toIsoDate(Date.now() + 24 * HOUR_MS);
      assert.deepEqual((await call<Usage>("GET /admin/usage", `/admin/usage?since=${tomorrow}`)).usage, []);

      const usage = async (...args: string[]) => {
        const { code, stdout, stderr } = await runCommand(["usage", "--token", record.keyId, ...args], server.env);
        assert.deepEqual([code, stderr], [0, ""]);
        return stdout;
      };
      assert.deepEqual(
        (await usage()).split("\n").map((line) => line.split(/ {2,}/)),
        [
          ["KEY ID", "LABEL", "OPERATION", "REQUESTS", "4XX", "5XX"],
          [record.keyId, "=counted", PROFILE.slice(5), "3", "1", "0"],
          [record.keyId, "=counted", "admin/jobs", "1", "1", "0"],
          [""],
        ],
      );
      // A spreadsheet must not take the label for a formula.
      assert.equal(
        await usage("--csv", "--since", day),
        [
          "day,key_id,label,operation,requests,client_errors,server_errors",
          `${day},${record.keyId},'=counted,admin/jobs,1,1,0`,
          `${day},${record.keyId},'=counted,${PROFILE.slice(5)},3,1,0`,
          "",
        ].join("\r\n"),
      );
      assert.equal(await usage("--since", tomorrow), `No requests with a token since ${tomorrow}.\n`);
      const wrong = await runCommand(["usage", "--since", "yesterday"], server.env);
      assert.deepEqual([wrong.code, /--since must be a day/.test(wrong.stderr)], [2, true]);
    });

    test("a request whose client gives up is counted as an error of the client", async () => {
      const { token, record } = await desk.issue({ scopes: ["ingest", "read:shortvideo"] });
      await request("GET", PROFILE, bearerHeader(token));
      const headers = { ...bearerHeader(token), "content-type": "multipart/form-data; boundary=x" };
      const row = await until(async () => {
        // While the service reads the new token again, as it is notified of it, it does not know whose request it was.
        await breakOffRequest(server.url, { path: "/ingest/files", headers });
        const { usage } = await call<Usage>("GET /admin/usage", `/admin/usage?keyId=${record.keyId}&by=operation`);
        return usage.find(({ operation }) => operation === "ingest") ?? null;
      });
      assert.deepEqual([row.clientErrors, row.serverErrors], [row.requests, 0]);
    });

    test("refused requests are listed with their request ids and without secrets", async () => {
      const { token, record } = await desk.issue({ scopes: ["read:shortvideo"] });
      const lost = `/nowhere/${token}`;
      await request("GET", PROFILE, { ...bearerHeader(token), "x-request-id": "the-refused-one" });
      const notFound = await request("GET", lost, { ...bearerHeader(token), "x-request-id": "the-lost-one" });
      assert.ok(!notFound.text.includes(token));
      await request("DELETE", PROFILE, { ...bearerHeader(token), "x-request-id": "the-wrong-method" });
      const named = await request("GET", PROFILE, { ...bearerHeader(token), "x-request-id": token });
      assert.notEqual(named.header("x-request-id"), token);
      const { text } = await request("GET", "/admin/errors?kind=refused");
      const { errors } = await call<{ errors: Record<string, unknown>[] }>(
        "GET /admin/errors",
        "/admin/errors?kind=refused",
      );
      const { at, ...refused } = errors.find(({ requestId }) => requestId === "the-refused-one") ?? {};
      assert.ok(Math.abs(Date.parse(String(at)) - Date.now()) < 60_000);
      assert.deepEqual(refused, {
        requestId: "the-refused-one",
        method: "GET",
        path: PROFILE,
        status: 400,
        code: "missing_parameter",
        detail: "uniqueId is required in the query string",
        keyId: record.keyId,
      });
      const { path, code } = errors.find(({ requestId }) => requestId === "the-lost-one") ?? {};
      assert.deepEqual([path, code], ["(no such path)", "unknown_path"]);
      const wrong = errors.find(({ requestId }) => requestId === "the-wrong-method");
      assert.deepEqual([wrong?.["path"], wrong?.["code"]], ["(no such method)", "method_not_allowed"]);
      assert.ok(!text.includes(token));
      assert.deepEqual((await call<{ errors: [] }>("GET /admin/errors", "/admin/errors?kind=failed")).errors, []);
    });
  });
});

test("the overview has no time for captures of which it is unknown", async (t) => {
  const posts = [aPost("7300000000000000077", { capturedAt: 0 })];
  const server = await startTestServer([{ platform: "shortvideo", batch: { posts } }]);
  t.after(() => server.close());
  const desk = await openTokenIssuer(server);
  const { token } = await desk.issue({ scopes: ["admin"] });
  await desk.close();
  const response = await sendRequest(server.url, { path: "/admin/overview", headers: bearerHeader(token) });
  const { newestCapture, sources } = checked("GET /admin/overview", response) as Overview;
  assert.deepEqual([newestCapture, sources.map((source) => source.newestCapture)], [null, [null]]);
});
