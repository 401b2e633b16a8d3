/**
 * The bytes of the deleted, in every file of the data folder: captures that are imported twice, the second time changed, make
 * SQLite move rows between pages, which leaves copies that `secure_delete` does not reach.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { DAY_MS } from "#domain/time.ts";
import { erase } from "#privacy/erase.ts";
import { readConfig } from "#config";
import { openServices } from "#serve/services.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import type { Store } from "#store/store.ts";
import type { Batch } from "#store/write/port.ts";
import { budget } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { until } from "#testing/until.ts";
import { runCommand } from "./run-command.ts";
import { pushedLine, writeLines } from "./spawn-import.ts";
import { startTestServer, temporaryFolder, type TestServer } from "./test-server.ts";
import { bearerHeader, openTokenIssuer } from "./test-tokens.ts";
import { aComment, anAccount, aPost } from "./world.ts";

const GONE = budget("erasedPeople");
const ROUNDS = ["first", "second"] as const;
const POSTS = 6;

/** Ids in no order, so that rows are inserted between others. */
const scatter = (number: number, step: number) => String((number * step) % 100_000_007).padStart(9, "0");

class Person {
  readonly id: string;
  readonly number: number;

  constructor(number: number) {
    this.number = number;
    this.id = `69${scatter(number + 1, 7_919_333)}00`;
  }

  get handle(): string {
    return `h${this.word("first")}`;
  }

  /** Part of all texts that a capture has of them. */
  word(round: (typeof ROUNDS)[number]): string {
    return `zq${this.number.toString(36)}${round}${scatter(this.number, 31_337)}`;
  }

  text(round: (typeof ROUNDS)[number], post: number): string {
    const length = 1 + ((this.number + post + ROUNDS.indexOf(round) * 3) % 7);
    return Array.from({ length }, () => `${this.word(round)} sails`).join(" and ");
  }

  postId(post: number): string {
    return `74${scatter(this.number * 97 + post + 1, 15_485_863)}${String(this.number).padStart(6, "0")}${post}1`;
  }

  get traces(): string[] {
    const posts = Array.from({ length: POSTS }, (_, post) => this.postId(post));
    return [this.id, this.handle, ...posts, ...ROUNDS.map((round) => this.word(round))];
  }
}

function linesOf(people: readonly Person[], round: (typeof ROUNDS)[number]): string[] {
  const isFirst = round === "first";
  return Array.from({ length: POSTS }, (_, number) =>
    people.flatMap((person) => {
      const { id, handle } = person;
      const views = (person.number * 7 + number * 13) * (isFirst ? 1 : 57);
      const item = {
        id: person.postId(number),
        createTime: 1_745_000_000 + number,
        desc: person.text(round, number),
        author: { id, uniqueId: handle, nickname: handle, signature: person.word(round) },
        stats: { diggCount: views % 977, shareCount: 1, commentCount: 2, playCount: views % 9_973 },
        video: { id: person.postId(number), duration: 12 },
      };
      const said = {
        cid: `99${person.postId(number)}`,
        aweme_id: people[(person.number + 1) % people.length]?.postId(number),
        text: `${person.text(round, number)}, they said`,
        create_time: 1_745_000_100,
        digg_count: views % 31,
        reply_id: "0",
        user: { uid: id, unique_id: handle, nickname: handle },
      };
      return [pushedLine(item), JSON.stringify(said)];
    }),
  ).flat();
}

const peopleFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => new Person(first + index));

function tracesLeft(dataDir: string, people: readonly Person[]): string[] {
  const files = globSync("**/*", { cwd: dataDir }).filter((name) => statSync(join(dataDir, name)).isFile());
  const bytes = files.map((name) => ({ name, text: readFileSync(join(dataDir, name)).toString("latin1") }));
  return people.flatMap(({ traces }) =>
    traces.flatMap((trace) => bytes.flatMap(({ name, text }) => (text.includes(trace) ? `${trace} in ${name}` : []))),
  );
}

describe("the bytes of deleted records, after an import that changed them", () => {
  const outside = temporaryFolder();
  let server: TestServer;
  let token: string;
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(args, server.env);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const importFile = async (name: string, lines: readonly string[]) => {
    const text = await run("import", writeLines(join(outside.path, name), [...lines]), "--json");
    return (JSON.parse(text) as { job: string }).job;
  };
  const importTwice = async (people: readonly Person[], name: string) => [
    await importFile(`${name}-first.ndjson`, linesOf(people, "first")),
    await importFile(`${name}-second.ndjson`, linesOf(people, "second")),
  ];
  const withStore = async (work: (store: Store) => Promise<void>) => {
    const store = await server.openStore();
    await work(store).finally(() => store.close());
  };
  const untilPurged = () =>
    withStore((store) => until(async () => (await store.getPurgePending()) === null).then(() => undefined));
  const eraseOverHttp = async (id: string) => {
    const headers = { ...bearerHeader(token), "content-type": "application/json" };
    const body = JSON.stringify({ platform: "shortvideo", kind: "account", id, dryRun: false });
    const response = await fetch(`${server.url}/admin/erasures`, { method: "POST", headers, body });
    return ((await response.json()) as { purged: boolean }).purged;
  };
  const listErasures = async () => {
    const response = await fetch(`${server.url}/admin/erasures`, { headers: bearerHeader(token) });
    return ((await response.json()) as { erasures: { purged: boolean }[] }).erasures;
  };

  before(async () => {
    server = await startTestServer([]);
    const desk = await openTokenIssuer(server);
    token = (await desk.issue({ scopes: ["admin"] })).token;
    await desk.close();
  });
  after(async () => {
    await server.close();
    outside.remove();
  });

  test("no byte of erased people is left, whoever erases them", async () => {
    const people = peopleFrom(0, 2 * GONE);
    await importTwice(people, "people");
    const gone = people.filter(({ number }) => number % 2 === 0);
    const [byCommand, overHttp, ...others] = gone as [Person, Person, ...Person[]];
    const services = await openServices(readConfig(server.env));
    const purge = async () => false;
    for (const { id } of others) {
      const request = { platform: "shortvideo", kind: "account", id, dryRun: false, actor: "test" } as const;
      await erase({ ...services, dataDir: server.dataDir, purge }, request);
    }
    await services.close();
    assert.equal((await listErasures())[0]?.purged, false);
    assert.notEqual(tracesLeft(server.dataDir, others).length, 0, "the test cannot see bytes");
    const erased = JSON.parse(await run("erase", "shortvideo", "account", byCommand.id, "--yes", "--json")) as {
      purged: boolean;
    };
    assert.equal(erased.purged, true);
    assert.deepEqual(tracesLeft(server.dataDir, [byCommand, ...others]), []);
    assert.equal(await eraseOverHttp(overHttp.id), true);
    assert.deepEqual(tracesLeft(server.dataDir, gone), []);
    assert.deepEqual(new Set((await listErasures()).map(({ purged }) => purged)), new Set([true]));
    assert.notEqual(tracesLeft(server.dataDir, people).length, 0, "everybody is gone");
    reportClaim(
      "people who were captured twice, the second time changed, leave 0 bytes in any file once they are erased",
      `${gone.length} of ${people.length} people erased, 0 of ${gone.flatMap(({ traces }) => traces).length} traces left`,
    );
  });

  test("no byte of imports that were undone is left, by command and over HTTP", async () => {
    const people = peopleFrom(1_000, GONE);
    for (const job of (await importTwice(people, "undone")).toReversed()) await run("undo", job, "--yes");
    assert.deepEqual(tracesLeft(server.dataDir, people), []);
    const others = peopleFrom(2_000, 6);
    for (const job of (await importTwice(others, "undone-over-http")).toReversed()) {
      const headers = { ...bearerHeader(token), "content-type": "application/json" };
      const response = await fetch(`${server.url}/admin/jobs/${job}/undo`, {
        method: "POST",
        headers,
        body: '{"dryRun":false}',
      });
      assert.equal(response.status, 200);
    }
    await untilPurged();
    assert.deepEqual(tracesLeft(server.dataDir, others), []);
    reportClaim("what undone imports brought leaves 0 bytes", `${people.length + others.length} people, 0 traces left`);
  });

  test("no byte of what retention deleted is left", async () => {
    const people = peopleFrom(3_000, GONE);
    const batch = (round: (typeof ROUNDS)[number], days: number): Batch => {
      const captured = { capturedAt: Date.now() - days * DAY_MS, source: "old-tool" };
      return {
        accounts: people.map(({ id, handle }) => ({ ...anAccount(id, handle), ...captured })),
        posts: people.flatMap((person) =>
          Array.from({ length: POSTS }, (_, number) => ({
            ...aPost(person.postId(number), { authorId: person.id, text: person.text(round, number) }),
            ...captured,
          })),
        ),
        comments: people.map((person) => ({
          ...aComment(`99${person.postId(0)}`, person.postId(1), { authorId: person.id, text: person.text(round, 1) }),
          ...captured,
        })),
      };
    };
    await withStore(async (store) => {
      await store.writer.write([toUnit("shortvideo", batch("first", 410))]);
      await store.writer.write([toUnit("shortvideo", batch("second", 400))]);
    });
    await run("retention", "set", "365", "--source", "old-tool");
    await run("retention", "run");
    assert.deepEqual(tracesLeft(server.dataDir, people), []);
    reportClaim("what retention deletes leaves 0 bytes", `${people.length} people, 0 traces left`);
  });

  test("what a killed process left is told by doctor and by the list of erasures, and removed by the next start", async (t) => {
    const folder = temporaryFolder();
    t.after(() => folder.remove());
    const env = { DATA_DIR: folder.path };
    const people = peopleFrom(4_000, 6);
    for (const round of ROUNDS) {
      const file = writeLines(join(outside.path, `killed-${round}.ndjson`), linesOf(people, round));
      assert.equal((await runCommand(["import", file], env)).code, 0);
    }
    const services = await openServices(readConfig(env));
    for (const { id } of people) {
      const request = { platform: "shortvideo", kind: "account", id, dryRun: false, actor: "test" } as const;
      const purge = () => Promise.resolve(false);
      assert.equal((await erase({ ...services, dataDir: folder.path, purge }, request)).isPurged, false);
    }
    await services.close();
    const doctor = async () =>
      (
        JSON.parse((await runCommand(["doctor", "--json"], env)).stdout) as {
          findings: { check: string; state: string; detail: string }[];
        }
      ).findings.find(({ check }) => check === "deleted records");
    const told = await doctor();
    assert.equal(told?.state, "warn");
    assert.match(
      told?.detail ?? "",
      /^bytes of what was deleted since \d{4}-.* may be on disk; .*npx triptych compact$/,
    );
    const restarted = await startTestServer([], env);
    const store = await restarted.openStore();
    await until(async () => (await store.getPurgePending()) === null);
    await store.close();
    assert.deepEqual(tracesLeft(folder.path, people), []);
    assert.equal((await doctor())?.state, "ok");
    await restarted.close();
  });
});
