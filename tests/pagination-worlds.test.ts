/** Pages of any small world: random ids, few seconds, unknown times, any page size. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as fc from "fast-check";
import { propertyBudget } from "#testing/budget.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import type { Store } from "#store/store.ts";
import { hashId } from "../src/platforms/shortvideo/paging.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { idsOf, listNamed, newestFirst, walk } from "./paged-lists.ts";
import { aComment, AMARA, aPost, T0 } from "./world.ts";

const OPEN = { RATE_LIMIT: "off" };

describe("walking any small world", () => {
  let server: TestServer;
  let store: Store;
  before(async () => {
    server = await startTestServer([{ platform: "photoshare", batch: { accounts: [AMARA] } }], OPEN);
    store = await server.openStore();
  });
  after(async () => {
    await store.close();
    await server.close();
  });

  const seconds = fc.option(
    fc.integer({ min: 1, max: 4 }).map((step) => T0 + step),
    { freq: 6 },
  );
  const ids = fc.oneof(
    fc.stringMatching(/^[0-9]{1,4}$/),
    fc.stringMatching(/^[A-Za-z0-9_-]{1,3}$/),
    fc.integer({ min: 0, max: 999 }).map((number) => `7300000000000000${number}`),
  );
  const records = fc.uniqueArray(
    fc.record({ id: ids, at: seconds, likes: fc.option(fc.integer({ min: 0, max: 3 })) }),
    {
      selector: ({ id }) => id,
      maxLength: 25,
      minLength: 1,
    },
  );
  let run = 0;

  test("the integer cursor of music/posts gives each record once, in order, at any page size", async () => {
    await fc.assert(
      fc.asyncProperty(records, fc.integer({ min: 1, max: 9 }), async (world, size) => {
        const musicId = `sound-${++run}`;
        // Ids are unique in a store: each run has its own prefix, which changes no order within the run.
        const own = world.map((record) => ({ ...record, id: `${run}.${record.id}` }));
        await store.writer.write([
          toUnit("shortvideo", {
            posts: own.map(({ id, at }) => aPost(id, { publishedAt: at, soundId: musicId })),
          }),
        ]);
        const list = { ...listNamed("music/posts"), parameters: { musicId } };
        assert.deepEqual(
          idsOf(await walk(server, list, { size })),
          own.toSorted(newestFirst).map(({ id }) => id),
        );
      }),
      propertyBudget(40),
    );
  });

  for (const name of ["post/comments, newest first", "post/comments, top first"]) {
    test(`the integer cursor of ${name} gives each record once, in order, at any page size`, async () => {
      const list = listNamed(name);
      await fc.assert(
        fc.asyncProperty(records, fc.integer({ min: 1, max: 9 }), async (world, size) => {
          const videoId = `video-${++run}`;
          const comments = world.map(({ id, at, likes }) =>
            aComment(id, videoId, { publishedAt: at, counters: likes === null ? {} : { likes } }),
          );
          await store.writer.write([toUnit("shortvideo", { comments })]);
          const here = { ...list, parameters: { ...list.parameters, videoId } };
          const expected = world.toSorted(list.order ?? newestFirst).map(({ id }) => id);
          assert.deepEqual(idsOf(await walk(server, here, { size })), expected);
        }),
        propertyBudget(40),
      );
    });
  }

  test("the tokens of get-posts give each record once, in order, at any page size", async () => {
    await fc.assert(
      fc.asyncProperty(records, fc.integer({ min: 1, max: 9 }), async (world, size) => {
        const account = { ...AMARA, id: `account-${++run}`, name: `walker_${run}` };
        const own = world.map((record) => ({ ...record, id: `${run}.${record.id}` }));
        await store.writer.write([
          toUnit("photoshare", {
            accounts: [account],
            posts: own.map(({ id, at }) => aPost(id, { publishedAt: at, authorId: account.id })),
          }),
        ]);
        const list = { ...listNamed("get-posts"), parameters: { username_or_url: account.name } };
        assert.deepEqual(
          idsOf(await walk(server, list, { size })),
          own.toSorted(newestFirst).map(({ id }) => id),
        );
      }),
      propertyBudget(40),
    );
  });

  test("a walk ends and gives each record once even where two of one second have the same cursor", async () => {
    const [first, second] = twinsOf(2 ** 20);
    const soundPosts = [first, second, `${second}z`].map((id) => aPost(id, { publishedAt: T0, soundId: "twins" }));
    await store.writer.write([toUnit("shortvideo", { posts: soundPosts })]);
    const list = { ...listNamed("music/posts"), parameters: { musicId: "twins" } };
    const pages = await walk(server, list, { size: 1, atMost: 10 });
    assert.deepEqual(idsOf(pages), [first, second, `${second}z`]);
  });

  test("a walk ends and gives each comment once even where two of the same likes have the same cursor", async () => {
    const twins = twinsOf(2 ** 28);
    // The larger one is newer, and so it comes first.
    const comments = twins.map((id, index) => aComment(id, "video-twins", { publishedAt: T0 + index }));
    await store.writer.write([toUnit("shortvideo", { comments })]);
    const list = listNamed("post/comments, top first");
    const here = { ...list, parameters: { ...list.parameters, videoId: "video-twins" } };
    assert.deepEqual(idsOf(await walk(server, here, { size: 1, atMost: 10 })), twins.toReversed());
  });
});

/** Two ids whose hashes are equal, smaller one first. Some thousand tries find a pair. */
function twinsOf(hashCount: number): [string, string] {
  const known = new Map<number, string>();
  for (let number = 0; ; number++) {
    const id = `73${String(number).padStart(17, "0")}`;
    const cursor = hashId(id, hashCount);
    const twin = known.get(cursor);
    if (twin !== undefined) return [twin, id];
    known.set(cursor, id);
  }
}
