/** Watches from the command line and over HTTP, on a service that asks a replayed official API for them. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "#testing/until.ts";
import { type Respond, Upstream } from "#testing/upstream.ts";
import { respondAsYoutube, videoResource, YOUTUBE_HOST } from "#testing/youtube-api.ts";
import { sendRequest } from "./http-client.ts";
import { assertProblem } from "./problem.ts";
import { runCommand } from "./run-command.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { bearerHeader, openTokenIssuer } from "./test-tokens.ts";

interface Watch {
  id: string;
  platform: string;
  kind: string;
  target: string;
  every: string;
  state: string;
  nextAt: string | null;
  lastAt: string | null;
  lastOutcome: string | null;
  requests: number;
}

interface Source {
  name: string;
  state: string;
  budgets: { name: string; used: number; left: number; limit: number; resetsAt: string | null }[];
  pause: { state: string; reason: string } | null;
}

/** Every search finds a video of the channel, which has more views by then. */
const respondLater: Respond = (call) => {
  const resource = call.path.replace("/youtube/v3/", "");
  const list = (kind: string, items: unknown[]) => ({ body: { kind: `youtube#${kind}ListResponse`, items } });
  if (resource === "search")
    return list("search", [{ kind: "youtube#searchResult", id: { kind: "youtube#video", videoId: "tarnUpload1" } }]);
  if (resource === "videos" && call.query.has("id")) return list("video", [videoResource("tarnUpload1", 5_000)]);
  return respondAsYoutube(call);
};

const SOURCES = { LIVE_SOURCES: "youtube-data-api", YOUTUBE_API_KEY: "invented-key-0123456789" };

describe("watches", () => {
  let upstream: Upstream;
  let server: TestServer;
  let admin: Record<string, string>;

  before(async () => {
    upstream = await Upstream.start([YOUTUBE_HOST], respondAsYoutube);
    server = await startTestServer([], { ...SOURCES, RATE_LIMIT: "off" }, (config) => {
      config.live.dial = upstream.dial;
    });
    const desk = await openTokenIssuer(server);
    admin = bearerHeader((await desk.issue({ label: "operator", scopes: ["admin"] })).token);
    await desk.close();
  });
  after(async () => {
    await server.close();
    await upstream.close();
  });

  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(args, { ...server.env, ...SOURCES });
    assert.deepEqual([code, stderr], [0, ""], args.join(" "));
    return stdout;
  };
  const request = (method: string, path: string, body?: object) =>
    sendRequest(server.url, {
      method,
      path,
      headers: { ...admin, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  async function call<Body>(method: string, path: string, body?: object): Promise<Body> {
    const response = await request(method, path, body);
    assert.ok(response.status < 300, response.text);
    return JSON.parse(response.text) as Body;
  }
  const list = async () => (await call<{ watches: Watch[] }>("GET", "/admin/watches")).watches;
  const ranOnce = (target: string) =>
    until(async () => {
      // The service takes up watches every few seconds: asking it all the time would take processor time from that.
      await delay(200);
      return (await list()).find((watch) => watch.target === target && watch.lastOutcome !== null) ?? null;
    });
  /** From the store alone. */
  const stored = <Body>(path: string) => server.json<Body>(path, { "cache-control": "only-if-cached" });

  test("what is watched is requested by the service: its videos, its history and its chart are stored", async () => {
    const out = await command("watch", "add", "longvideo", "channel", "@tarnsideweavers", "--every", "6h");
    assert.match(out, /^Watching longvideo channel @tarnsideweavers every 6h, as [0-9a-f]{8}\.\n$/);
    await command("watch", "add", "longvideo", "chart", "us/music", "--every", "1d");
    const channel = await ranOnce("@tarnsideweavers");
    assert.deepEqual([channel.lastOutcome, channel.requests], ["updated", 1]);
    const dueIn = Date.parse(channel.nextAt ?? "") - Date.parse(channel.lastAt ?? "");
    assert.ok(dueIn > 5.9 * 3_600_000 && dueIn <= 6 * 3_600_000, `${dueIn} ms`);
    await ranOnce("US/Music");
    const { posts } = await stored<{ posts: { id: string }[] }>(
      "/api/posts?platform=longvideo&account=@tarnsideweavers",
    );
    assert.ok(posts.some(({ id }) => id === "tarnUpload1"));
    const chart = await stored<{ videos: { video_id: string }[] }>("/api/longvideo/trending?country=US&section=Music");
    assert.equal(chart.videos[0]?.video_id, "tarnChart01");
    const { ranks } = await stored<{ ranks: { rank: number; source: string }[] }>(
      "/api/charts/history?video_id=tarnChart02",
    );
    assert.deepEqual(
      ranks.map(({ rank, source }) => [rank, source]),
      [[2, "youtube-data-api"]],
    );
    // Another watch sees the same video later.
    upstream.reset(respondLater);
    await command("watch", "add", "longvideo", "search", "loom", "--every", "1d");
    await ranOnce("loom");
    const { points } = await stored<{ points: { counters: { views: number } }[] }>(
      "/api/history?platform=longvideo&kind=post&id=tarnUpload1",
    );
    assert.deepEqual(
      points.map(({ counters }) => counters.views),
      [1_200, 5_000],
    );
    assert.equal(await command("jobs"), 'No imports yet; start one with "npx triptych import <file>".\n');
  });

  test("the quota that watches used is counted, and shown over HTTP as the command shows it", async () => {
    const { sources } = await call<{ sources: Source[] }>("GET", "/admin/sources");
    const youtube = sources.find(({ name }) => name === "youtube-data-api");
    const [units, searches] = youtube?.budgets ?? [];
    // The channel, its uploads and their videos; a chart; the videos of a search.
    assert.deepEqual([units?.used, units?.left, units?.limit], [5, 9_995, 10_000]);
    assert.deepEqual([searches?.used, searches?.left], [1, 99]);
    assert.ok(Date.parse(units?.resetsAt ?? "") > Date.now());
    assert.deepEqual([youtube?.state, youtube?.pause], ["on", null]);
    assert.equal(sources.find(({ name }) => name === "instagram-graph")?.state, "incomplete");
    const env = { ...server.env, ...SOURCES };
    const { stdout } = await runCommand(["sources"], env);
    assert.match(stdout, /^youtube-data-api +on +longvideo +5 of 10,000 units a day, 1 of 100 searches a day/m);
  });

  test("a watch is added, paused, resumed and removed over HTTP, and each change is in the audit log", async () => {
    const body = { platform: "longvideo", kind: "hashtag", target: "#weaving", every: "30m" };
    const added = await call<Watch>("POST", "/admin/watches", body);
    assert.deepEqual([added.target, added.every, added.state], ["weaving", "30m", "active"]);
    const again = await call<Watch>("POST", "/admin/watches", { ...body, every: "2h" });
    assert.deepEqual([again.id, again.every], [added.id, "2h"]);
    const path = `/admin/watches/${added.id}`;
    const paused = await call<Watch>("POST", `${path}/pause`);
    assert.deepEqual([paused.state, paused.nextAt], ["paused", null]);
    assert.match(
      await command("watch", "list"),
      new RegExp(`^${added.id} +longvideo hashtag weaving +2h +paused +- `, "m"),
    );
    assert.equal((await call<Watch>("POST", `${path}/resume`)).state, "active");
    await call("DELETE", path);
    assertProblem(await request("DELETE", path), "watch_not_found");
    assertProblem(await request("POST", `${path}/pause`), "watch_not_found");
    const { entries } = await call<{ entries: { action: string; details: Record<string, string> }[] }>(
      "GET",
      "/admin/audit?limit=5",
    );
    assert.deepEqual(
      entries.map(({ action, details }) => [action, details["change"]]),
      ["remove", "resume", "pause", "add", "add"].map((change) => ["watch.set", change]),
    );
    assert.doesNotMatch(JSON.stringify(entries), /weaving/, "a target may be a person");
  });

  test("the command changes and removes what HTTP lists, and says what it did", async () => {
    const [{ id } = { id: "" }] = await list();
    assert.match(await command("watch", "pause", id), /^Paused longvideo /);
    assert.equal((await list()).find((watch) => watch.id === id)?.state, "paused");
    assert.match(await command("watch", "resume", id), /^Resumed longvideo /);
    assert.equal(await command("watch", "remove", id), `Removed ${id}; what it brought stays.\n`);
    assert.ok((await list()).every((watch) => watch.id !== id));
  });

  test("watches of a person go with them, however they were given", async () => {
    for (const target of ["https://www.instagram.com/quillon.vex/", "@Quillon.Vex", "instagram.com/other.one"])
      await command("watch", "add", "photoshare", "account", target, "--every", "1d");
    await command("erase", "photoshare", "account", "quillon.vex", "--yes");
    const targets = (await list()).filter(({ kind }) => kind === "account").map(({ target }) => target);
    assert.deepEqual(targets, ["@other.one"]);
    const post = ["watch", "add", "photoshare", "account", "https://www.instagram.com/p/C0dE_1abcde/", "--every", "1d"];
    assert.match((await runCommand(post, server.env)).stderr, /the target must be: name or URL/);
  });

  test("the same thing written differently is one watch, also if another version stored it as it was written", async () => {
    const store = await server.openStore();
    const older = {
      everyMs: 3_600_000,
      state: "paused",
      createdAt: 0,
      nextAt: 0,
      lastAt: null,
      lastOutcome: null,
      runs: 0,
    } as const;
    for (const [id, target] of [
      ["0000000a", "Orla.Finn"],
      ["0000000b", "@petra_wold"],
    ] as const)
      await store.watches.addWatch({ ...older, id, platform: "photoshare", kind: "account", target });
    await store.close();
    const channel = "UCAbCdEfGhIjKlMnOpQrStUv";
    for (const [platform, kind, expected, ...forms] of [
      ["photoshare", "account", "@sanna.ek", "sanna.ek", "@Sanna.Ek", "https://www.instagram.com/Sanna.Ek/"],
      ["photoshare", "account", "Orla.Finn", "@orla.finn", "orla.finn"],
      ["photoshare", "account", "5500077", "5500077", " 5500077 "],
      ["photoshare", "hashtag", "pottery", "Pottery", "#pottery", " POTTERY"],
      ["photoshare", "hashtag", "año", "#Año", "an\u0303o", "\uff03AÑO"],
      ["photoshare", "hashtag", "ano", "#ano"],
      ["shortvideo", "account", "@sanna.ek", "Sanna.Ek", "https://www.tiktok.com/@sanna.ek"],
      ["longvideo", "channel", "@loomroom", "LoomRoom", "@loomroom", "https://www.youtube.com/@LoomRoom"],
      ["longvideo", "channel", channel, channel, `https://www.youtube.com/channel/${channel}`],
    ] as const) {
      const added = [];
      for (const target of forms)
        added.push(await call<Watch>("POST", "/admin/watches", { platform, kind, target, every: "1d" }));
      assert.deepEqual([...new Set(added.map(({ target }) => target))], [expected]);
      assert.equal(new Set(added.map(({ id }) => id)).size, 1, expected);
    }
    for (const person of ["sanna.ek", "orla.finn", "petra_wold", "5500077"])
      await command("erase", "photoshare", "account", person, "--yes");
    const left = (await list()).filter((watch) => watch.platform === "photoshare" && watch.kind === "account");
    assert.deepEqual(
      left.map(({ target }) => target),
      ["@other.one"],
    );
  });

  test("what cannot be watched is refused with what would be right, by both", async () => {
    const right = { platform: "longvideo", kind: "chart", target: "US", every: "6h" };
    for (const [wrong, parameter, reason] of [
      [{ platform: "tiktok" }, "platform", /must be one of shortvideo, longvideo, photoshare/],
      [{ kind: "toString" }, "kind", /must be one of channel, hashtag, search, chart on longvideo/],
      [{ target: "Atlantis" }, "target", /must be: country code/],
      [{ every: "1m" }, "every", /from 5m to 365d/],
    ] as const) {
      const { platform, kind, target, every } = { ...right, ...wrong };
      const problem = assertProblem(
        await request("POST", "/admin/watches", { platform, kind, target, every }),
        "invalid_parameter",
      );
      assert.equal(problem.errors?.[0]?.parameter, parameter);
      assert.match(problem.detail, reason);
      const { code, stderr } = await runCommand(["watch", "add", platform, kind, target, "--every", every], server.env);
      assert.equal(code, 2);
      assert.match(stderr, reason);
      assert.ok(stderr.startsWith(`triptych: ${parameter === "every" ? "--every" : `the ${parameter}`} must`), stderr);
    }
    const { code, stderr } = await runCommand(["watch", "pause", "nothing"], server.env);
    assert.deepEqual([code, /there is no watch nothing; "npx triptych watch list"/.test(stderr)], [2, true]);
  });
});
