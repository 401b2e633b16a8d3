/** Pages while records arrive, change and go: each record that was there from start to end comes exactly once. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { provisionalId } from "#domain/provisional-id.ts";
import { merge } from "#import/merge.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import type { Store } from "#store/store.ts";
import type { Batch } from "#store/write/port.ts";
import { requestOperation } from "./http-client.ts";
import { assertProblem } from "./problem.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { idsOf, listNamed, type Ordered, type Page, PAGED_LISTS, readPage, walk } from "./paged-lists.ts";
import { aFollow, anAccount, aPost, T0, WORLD } from "./world.ts";

const OPEN = { RATE_LIMIT: "off" };

/** Of one platform, in one transaction. */
async function writeAll(store: Store, newcomers: readonly { platform: string; batch: Batch }[]): Promise<void> {
  const batches = newcomers.map(({ batch }) => batch);
  const batch: Batch = {
    accounts: batches.flatMap(({ accounts = [] }) => accounts),
    posts: batches.flatMap(({ posts = [] }) => posts),
    comments: batches.flatMap(({ comments = [] }) => comments),
    follows: batches.flatMap(({ follows = [] }) => follows),
  };
  for (const platform of new Set(newcomers.map((newcomer) => newcomer.platform)))
    await store.writer.write([toUnit(platform, batch)]);
}

describe("walking pages while an import writes", () => {
  let server: TestServer;
  let store: Store;
  // One for all tests: what those before have written is more that a walk has to pass.
  before(async () => {
    server = await startTestServer(WORLD, OPEN);
    store = await server.openStore();
  });
  after(async () => {
    await store.close();
    await server.close();
  });

  for (const [number, list] of PAGED_LISTS.entries()) {
    test(`${list.name} gives each record that was there exactly once, in order, as newer, older and equal ones arrive`, async () => {
      const original = new Map(list.records.map((record) => [record.id, record]));
      const started = idsOf(await walk(server, list, { size: 7 })).filter((id) => original.has(id));
      assert.equal(started.length, original.size);
      let arrived = 0;
      const pages = await walk(server, list, {
        size: 7,
        async between({ ids }) {
          const here = original.get(ids.findLast((id) => original.has(id)) ?? started[0] ?? "") as Ordered;
          arrived++;
          const tail = `${number}x${String(arrived).padStart(4, "0")}`;
          await writeAll(store, [
            list.newcomer({ id: `9newer${tail}`, at: T0 + 100_000 + arrived, likes: 1_000_000 + arrived }),
            list.newcomer({ id: `9older${tail}`, at: T0 - 100_000 - arrived, likes: 0 }),
            list.newcomer({ ...here, id: `0equal${tail}` }),
            list.newcomer({ ...here, id: `zequal${tail}` }),
          ]);
        },
      });
      assert.ok(arrived > 0, "the list must have more than one page");
      const seen = idsOf(pages);
      assert.deepEqual(
        seen.filter((id) => original.has(id)),
        started,
      );
      assert.equal(new Set(seen).size, seen.length, "not even newcomers come twice");
    });
  }

  for (const name of ["search/general", "long-video search"]) {
    test(`${name} gives each record exactly once while an import raises the counters of another`, async () => {
      const list = listNamed(name);
      const started = idsOf(await walk(server, list));
      const risen = started.at(-1) as string;
      const { platform, batch } = list.newcomer({ id: risen, at: T0 + 50, likes: 1e15 });
      const pages = await walk(server, list, {
        between: async () => void (await store.writer.write([toUnit(platform, batch)])),
      });
      assert.deepEqual(
        idsOf(pages).filter((id) => id !== risen),
        started.slice(0, -1),
      );
    });
  }

  for (const name of ["post/comments, top first", "video/comments, top first"]) {
    for (const [change, likes] of [
      ["gains", 1_000_000],
      ["loses", 0],
    ] as const) {
      test(`${name} gives each other comment exactly once while the one that the walk stands at ${change} likes`, async () => {
        const list = listNamed(name);
        const started = idsOf(await walk(server, list, { size: 7 }));
        const touched = new Set<string>();
        const pages = await walk(server, list, {
          size: 7,
          async between({ ids }) {
            const id = ids.at(-1) as string;
            const held = list.records.find((record) => record.id === id);
            if (touched.size > 0 || held === undefined) return;
            touched.add(id);
            const { platform, batch } = list.newcomer({ ...held, likes });
            await store.writer.write([toUnit(platform, batch)]);
          },
        });
        assert.equal(touched.size, 1);
        assert.deepEqual(
          idsOf(pages).filter((id) => !touched.has(id)),
          started.filter((id) => !touched.has(id)),
        );
      });
    }
  }

  for (const [name, platform, parameter] of [
    ["search/general", "shortvideo", "keyword"],
    ["long-video search", "longvideo", "query"],
  ] as const) {
    test(`${name} keeps to its corrected spelling on every page while the misspelt word arrives`, async () => {
      const spelt = (word: string) => ({ ...listNamed(name), parameters: { [parameter]: word } });
      const started = idsOf(await walk(server, spelt("lantern ")));
      const list = spelt("lamtern ");
      const corrections: unknown[] = [];
      const pages = await walk(server, list, {
        async between({ next }) {
          await store.writer.write([toUnit(platform, { posts: [aPost("9misspelt", { text: "lamtern" })] })]);
          const { headers } = await requestOperation(server.url, list.operation, { ...list.parameters, ...next });
          corrections.push(headers["search-corrected"]);
        },
      });
      assert.ok(corrections.length > 0, "the search must have more than one page");
      assert.deepEqual(idsOf(pages), started);
      assert.deepEqual(
        corrections,
        corrections.map(() => "lantern%20"),
      );
    });
  }

  test("an account known by name keeps its pages when an import brings its id", async () => {
    const named = provisionalId("Wilma.Tarn");
    const other = anAccount("990002", "otto.tarn");
    const numbers = Array.from({ length: 12 }, (_, index) => String(index).padStart(2, "0"));
    const posts = numbers.flatMap((number) => [
      aPost(`99010${number}`, { authorId: named, publishedAt: T0 }),
      aPost(`99020${number}`, { taggedIds: [named], publishedAt: T0 }),
    ]);
    const follows = numbers.map((number) => aFollow(named, `99030${number}`, T0));
    await store.writer.write([
      toUnit("photoshare", { accounts: [anAccount(named, "Wilma.Tarn"), other], posts, follows }),
    ]);
    const platform = "photoshare";
    const lists: [operation: string, parameters: Record<string, string>, parameter: string, size: string][] = [
      ["posts", { platform }, "account", "limit"],
      ["follows", { platform }, "account", "limit"],
      ["posts/with", { platform, trait: "tagged" }, "id", "limit"],
      ["photoshare/get-posts", {}, "username_or_url", "amount"],
      ["photoshare/get-user-tagged-posts", {}, "username_or_url", "amount"],
      ["photoshare/get-followers", { data: "followers" }, "username_or_url", "amount"],
    ];
    const forms = ["wilma.tarn", "@Wilma.Tarn", "https://www.instagram.com/wilma.tarn/"];
    const walks = lists.flatMap(([operation, parameters, parameter, size]) =>
      forms.map((form) => ({
        parameter,
        list: {
          name: `${operation} of ${form}`,
          operation,
          parameters: { ...parameters, [size]: "5", [parameter]: form },
          size: null,
        },
      })),
    );
    const first = await Promise.all(walks.map(({ list }) => readPage(server, list)));
    await store.writer.mergePlaceholder(platform, named, "990001", merge);
    await store.writer.write([toUnit(platform, { accounts: [anAccount("990001", "Wilma.Tarn")] })]);
    for (const [index, { list, parameter }] of walks.entries()) {
      const { ids, next } = first[index] as Page;
      assert.ok(next, list.name);
      const foreign = { ...list.parameters, ...next, [parameter]: "otto.tarn" };
      assertProblem(await requestOperation(server.url, list.operation, foreign), "invalid_cursor", list.name);
      const rest = await walk(server, { ...list, parameters: { ...list.parameters, ...next } });
      const seen = [...ids, ...idsOf(rest)];
      assert.deepEqual([seen.length, new Set(seen).size], [12, 12], list.name);
    }
  });

  test("erasing the record that a walk stands at loses none of the others", async () => {
    for (const name of ["music/posts", "get-posts", "get-user-tagged-posts", "search-hashtag"]) {
      const list = listNamed(name);
      const platform = list.operation.split("/")[0] as string;
      const gone = new Set<string>();
      const started = idsOf(await walk(server, list, { size: 5 }));
      const pages = await walk(server, list, {
        size: 5,
        async between({ ids }) {
          if (gone.size > 1) return;
          gone.add(ids.at(-1) as string);
          await store.writer.erase(platform, "post", ids.at(-1) as string);
        },
      });
      const seen = new Set(idsOf(pages));
      assert.deepEqual(
        started.filter((id) => !seen.has(id)),
        [],
        name,
      );
    }
  });
});
