/**
 * The same service on a file and on PostgreSQL: the same writes to both, then the same random questions to both, and
 * the answers must be the same to the last byte. Both run in this process by one clock, sign with one pepper and are
 * told the request's id, so that nothing is left that may differ.
 */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, describe, mock, test } from "node:test";
import { DAY_MS } from "#domain/time.ts";
import { importFiles } from "#import/import-files.ts";
import { readFiles } from "#import/read-files.ts";
import { OPERATIONS, PLATFORMS } from "#platforms/registry.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import type { Store } from "#store/store.ts";
import { budget, IS_FULL } from "#testing/budget.ts";
import { mixedWorld } from "./mixed-world.ts";
import { startTestServer, temporaryFolder, type TestServer } from "./test-server.ts";
import { freshStoreDatabase } from "./postgres/databases.ts";
import { describeRequest, type RandomRequest, RandomRequests } from "./random-requests.ts";
import { requestOperation, type HttpResponse } from "./http-client.ts";
import { aPost, GOOD_REQUESTS } from "./world.ts";

const QUESTIONS = budget("storeRequests");
const NOON = Date.UTC(2026, 10, 15, 12);
/** The run spans a day, so that pages are asked for at other times than the ones before, and some of their tokens have expired. */
const BETWEEN_QUESTIONS_MS = Math.round(95_000_000 / QUESTIONS);
const QUESTIONS_A_WRITE = QUESTIONS / budget("writesBetween");
/** Fewer answers of an operation would say little about it. */
const ANSWERS_OF_EACH = QUESTIONS * 0.006;
/** Writes and changes of day after which both compute their trends again: that costs more than many questions. */
const CHANGES_A_REFRESH = IS_FULL ? 6 : 8;
const TREND_OPERATIONS = new Set(OPERATIONS.filter(({ endpoint }) => endpoint.readsTrends).map(({ name }) => name));

const FIXTURES = globSync("src/platforms/*/importers/fixtures/*", { cwd: resolve(import.meta.dirname, "..") })
  .toSorted()
  .map((path) => resolve(import.meta.dirname, "..", path));

/** Of both, the file first. What is done to one is done to the other. */
type Both<Thing> = [file: Thing, postgres: Thing];

function onBoth<Thing, Result>([file, postgres]: Both<Thing>, act: (thing: Thing) => Promise<Result>) {
  return Promise.all([act(file), act(postgres)]);
}

describe("a file and PostgreSQL", () => {
  const shared = temporaryFolder();
  const questions = new RandomRequests(20_261_115);
  let database: { url: string; drop: () => Promise<void> };
  let servers: Both<TestServer>;
  let stores: Both<Store>;

  before(async () => {
    mock.timers.enable({ apis: ["Date"], now: NOON });
    database = await freshStoreDatabase();
    const env = { RATE_LIMIT: "off", PEPPER_FILE: join(shared.path, "pepper") };
    const batches = mixedWorld(NOON);
    for (const { platform, batch } of batches) questions.learnBatch(platform, batch);
    // One after the other: a file is written without a pause, and a server's answers would go unheard meanwhile.
    const file = await startTestServer(batches, env);
    servers = [file, await startTestServer(batches, { ...env, STORE_URL: database.url })];
    stores = await onBoth(servers, (server) => server.openStore());
  });
  after(async () => {
    await onBoth(stores, (store) => store.close());
    await onBoth(servers, (server) => server.close());
    await database.drop();
    shared.remove();
    mock.timers.reset();
  });

  const writes: ((store: Store) => Promise<unknown>)[] = [];
  /** Made once, so that both are given the same. */
  function planWrites(): void {
    for (const [index, path] of FIXTURES.entries()) {
      writes.push((store) => importInto(store, path), ...(index % 2 === 0 ? [erasing()] : [putting(index)]));
    }
  }

  function erasing(): (store: Store) => Promise<unknown> {
    const kind = questions.pick(["account", "post"] as const);
    const platform = questions.pick(PLATFORMS).name;
    const id = questions.from(platform, kind);
    return (store) => store.writer.erase(platform, kind, id);
  }

  function putting(round: number): (store: Store) => Promise<unknown> {
    const platform = questions.pick(PLATFORMS).name;
    const capturedAt = NOON - 86_400_000 + round;
    const posts = Array.from({ length: 20 }, (_, index) =>
      aPost(index % 2 === 0 ? questions.from(platform, "post") : `late-${round}-${index}`, {
        authorId: questions.from(platform, "account"),
        text: `${questions.from(platform, "phrase")} ${questions.from(platform, "word")}`,
        publishedAt: Math.floor(NOON / 1000) - index * 3_600,
        hashtags: [questions.from(platform, "tag")],
        soundId: questions.from(platform, "sound"),
        counters: { views: index * round, likes: index },
        capturedAt,
      }),
    );
    return (store) => store.writer.write([toUnit(platform, { posts: posts.filter(firstOfItsId) })]);
  }

  /** The files' own times are those of the checkout. */
  async function importInto(store: Store, path: string): Promise<unknown> {
    const { files, total } = await importFiles(
      { store, read: (asked) => readFiles(PLATFORMS, store.encoder, asked), dataDir: shared.path },
      { paths: [path], origin: "command", subject: "amara.petrovic", capturedAt: NOON - 3_600_000 },
    );
    return { files, total };
  }

  /** After a write: where nothing has changed since a service's own refresh, which is at another moment, it stays. */
  async function refresh(number: number): Promise<void> {
    const posts = [aPost(`refresh-${number}`, { counters: { views: number }, capturedAt: Date.now() })];
    await onBoth(stores, async (store) => {
      await store.writer.write([toUnit("shortvideo", { posts })]);
      await store.writer.refreshTrends();
    });
  }

  async function compare(question: RandomRequest, number: number): Promise<string | null> {
    const headers = { ...question.headers, "x-request-id": `question-${number}` };
    const [file, postgres] = await onBoth(servers, (server) =>
      requestOperation(server.url, question.operation, question.parameters, headers),
    );
    assert.deepEqual(telling(postgres), telling(file), `question ${number}: ${describeRequest(question)}`);
    assert.ok(file.status < 500, `question ${number}: ${describeRequest(question)}: ${file.text}`);
    return file.status === 200 ? file.text : null;
  }

  test(`answer ${QUESTIONS} random questions alike, while both are written to`, async () => {
    planWrites();
    const answered = new Map<string, number>();
    const askBoth = async (question: RandomRequest, number: number) => {
      const text = await compare(question, number);
      if (text === null) return;
      answered.set(question.operation, (answered.get(question.operation) ?? 0) + 1);
      questions.learnResponse(question, text);
    };
    let day = 0;
    let changes = CHANGES_A_REFRESH;
    let written = 0;
    for (let number = 0; number < QUESTIONS; number++) {
      const now = NOON + number * BETWEEN_QUESTIONS_MS;
      mock.timers.setTime(now);
      const write = number % QUESTIONS_A_WRITE === QUESTIONS_A_WRITE - 1 ? writes.shift() : undefined;
      if (write !== undefined) {
        written++;
        const [file, postgres] = await onBoth(stores, write);
        assert.deepEqual(postgres, file, `write before question ${number}`);
      }
      if (write !== undefined || Math.floor(now / DAY_MS) !== day) {
        day = Math.floor(now / DAY_MS);
        changes++;
      }
      let question = questions.next();
      if (changes >= CHANGES_A_REFRESH) {
        changes = 0;
        await refresh(number);
      } else if (changes > 0) {
        // Until then each service may refresh its trends at another moment.
        while (TREND_OPERATIONS.has(question.operation)) question = questions.next();
      }
      await askBoth(question, number);
    }
    assert.equal(written, budget("writesBetween"));
    const seldom = () =>
      OPERATIONS.filter(({ name }) => (answered.get(name) ?? 0) < ANSWERS_OF_EACH).map(({ name }) => name);
    await refresh(QUESTIONS);
    // In a small sample chance passes over some: these are asked more, also for what the test world surely answers.
    for (let number = QUESTIONS; number < 2 * QUESTIONS; number++) {
      const names = seldom();
      const name = names[number % names.length];
      if (name === undefined) break;
      const good = { operation: name, parameters: GOOD_REQUESTS[name] ?? {}, headers: {} };
      await askBoth(number % 4 === 0 ? good : questions.nextOf(name), number);
    }
    assert.deepEqual(seldom(), [], "every operation gave answers to compare");
  });

  test("hold as many records of each kind", async () => {
    const [file, postgres] = await onBoth(stores, (store) => store.summary());
    assert.deepEqual(postgres.records, file.records);
    assert.deepEqual(await onBoth(stores, (store) => store.verify()), [[], []]);
  });
});

function firstOfItsId({ id }: { id: string }, index: number, all: readonly { id: string }[]): boolean {
  return all.findIndex((other) => other.id === id) === index;
}

/** All of an answer but what belongs to the connection. */
function telling({ status, headers, text }: HttpResponse): unknown {
  const {
    date: _date,
    connection: _connection,
    "keep-alive": _keepAlive,
    "cache-status": _cacheStatus,
    ...rest
  } = headers;
  return { status, headers: rest, text };
}
