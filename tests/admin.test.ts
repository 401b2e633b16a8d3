/** The routes below /admin/ as an operator's client meets them. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Compile } from "typebox/compile";
import { dayOf, startOfDay, toIsoDate } from "#domain/time.ts";
import { ADMIN_ROUTES } from "#http/admin/routes.ts";
import { until } from "#testing/until.ts";
import { type HttpResponse, sendRequest } from "./http-client.ts";
import { assertProblem } from "./problem.ts";
import { aPostObject, pushedLine } from "./spawn-import.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { bearerHeader, openTokenIssuer, type TokenIssuer } from "./test-tokens.ts";
import { WORLD } from "./world.ts";

interface Overview {
  newestCapture: string;
  records: { platform: string; kind: string; count: number }[];
  sources: { source: string; platform: string; kind: string; count: number; newestCapture: string }[];
  growth: { day: string; platform: string; count: number }[];
  jobs: { running: number; done: number; newest: { id: string } | null };
}

interface JobSummary {
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
  rejects: { number: number; file: string; line: number | null; code: string; reason: string }[];
  nextReject: number | null;
}

const SCHEMAS = new Map(ADMIN_ROUTES.map(({ name, output }) => [name, Compile(output)]));

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
  before(async () => {
    server = await startTestServer(WORLD);
    desk = await openTokenIssuer(server);
    admin = bearerHeader((await desk.issue({ label: "operator", scopes: ["admin", "ingest"] })).token);
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
        .map(({ newestCapture }) => newestCapture)
        .toSorted()
        .at(-1),
    );
  });

  test("the overview has the records captured on each of the last 30 days", async () => {
    const { job } = { job: await upload("today.ndjson", `${pushedLine(aPostObject(900))}\n`) };
    assert.ok(job.records.new > 0);
    const today = toIsoDate(Date.now());
    // Counts of a moment ago may be returned.
    const { growth, jobs } = await until(async () => {
      const overview = await call<Overview>("GET /admin/overview", "/admin/overview");
      return overview.jobs.newest?.id === job.id ? overview : null;
    });
    assert.deepEqual(
      [...new Set(growth.map(({ day }) => day))],
      Array.from({ length: 30 }, (_, index) => toIsoDate(startOfDay(dayOf(Date.now()) - 29 + index))),
    );
    assert.equal(growth.at(-1)?.day, today);
    assert.equal(jobs.running, 0);
    assert.ok(jobs.done >= 1);
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
});
