/** Conformance of rendered reads: however a record was written, they return its current projection. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Page } from "#domain/page.ts";
import type { Post } from "#domain/post.ts";
import {
  type Projection,
  type ProjectionRegistry,
  RawJson,
  type Rendered,
  type RenderMode,
} from "#domain/projection.ts";
import { propertyBudget } from "#testing/budget.ts";
import { account, comment, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import type { AnyRecord } from "#store/write/encoded-record.ts";
import type { Reader } from "#store/store.ts";
import { digestOf } from "./render.ts";
import { encodeRecord } from "#store/write/row-encoder.ts";
import type { Store } from "#store/store.ts";
import type { Merge, RecordChange } from "#store/write/port.ts";
import type { OpenStore } from "#store/sql/open-store.conformance.ts";

function createProjection<Stored>(name: string, project: (record: Stored) => object): Projection<Stored, object> {
  return { name, version: 1, project, renderJson: (record) => JSON.stringify(project(record)) };
}

const whole = createProjection<AnyRecord>("whole", (record) => ({ all: record }));
const brief = createProjection<AnyRecord>("brief", ({ id, counters }) => ({ id, counters }));
const named = createProjection<Account>("named", ({ id, name }) => ({ id, name }));
const commented = createProjection<Comment>("commented", ({ id, authorId, text, counters }) => ({
  id,
  authorId,
  text,
  counters,
}));
/** Not stored. */
const unstored = createProjection<AnyRecord>("unstored", ({ id, capturedAt }) => ({ id, capturedAt }));

/** The projections to open the tested stores with. */
export const SAMPLE_PROJECTIONS: ProjectionRegistry = {
  [PLATFORM]: { post: [whole, brief], account: [named, whole], comment: [commented] },
};

const IDS = ["a", "b", "c"];
const PEOPLE = ["1", "2", "@mira", "77"];

type Step =
  | { as: "write" | "apply"; id: string; person: string; text: string; likes: number; later: number; sound: string }
  | { as: "merge placeholder" }
  | { as: "erase"; kind: "post" | "account" | "comment"; id: string }
  | { as: "delete source"; source: string };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      as: fc.constantFrom("write" as const, "apply" as const),
      id: fc.constantFrom(...IDS),
      person: fc.constantFrom(...PEOPLE),
      text: fc.constantFrom("tea", "dumplings 🥟", '"quoted" \\ \u2028'),
      likes: fc.nat({ max: 3 }),
      later: fc.nat({ max: 3 }),
      sound: fc.constantFrom("s1", "s2"),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ as: "merge placeholder" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      as: fc.constant("erase" as const),
      kind: fc.constantFrom("post" as const, "account" as const, "comment" as const),
      id: fc.constantFrom(...IDS, ...PEOPLE),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ as: fc.constant("delete source" as const), source: fc.constantFrom("test-1", "test-2") }),
  },
);

const merge: Merge = (_kind, stored, incoming) => ({
  ...stored,
  ...incoming,
  counters: { ...stored.counters, ...incoming.counters },
});

async function perform(store: Store, performed: Step): Promise<void> {
  const { writer } = store;
  if (performed.as === "merge placeholder") return writer.mergePlaceholder(PLATFORM, "@mira", "77", merge);
  if (performed.as === "erase") return void (await writer.erase(PLATFORM, performed.kind, performed.id));
  if (performed.as === "delete source") return void (await writer.deleteSource(performed.source));
  const { id, person, text, likes, later, sound } = performed;
  const capture = { capturedAt: NOW + later, source: `test-${later}`, counters: { likes } };
  const records = {
    posts: [post(id, { ...capture, authorId: person, text, soundId: sound, taggedIds: [person] })],
    accounts: [account(person, { ...capture, name: person.replace("@", ""), bio: text })],
    comments: [comment(`c-${id}`, { ...capture, postId: id, authorId: person, text })],
  };
  const follow = {
    accountId: "1",
    followerId: likes === 0 ? `nobody ${id}` : person,
    since: null,
    capturedAt: NOW + later,
    source: capture.source,
  };

  if (performed.as === "write") {
    await writer.write([toUnit(PLATFORM, { ...records, follows: [follow] })]);
    return;
  }
  const change =
    (kind: RecordChange["kind"], postId: string | null) =>
    (record: AnyRecord): RecordChange => ({
      kind,
      postId,
      incoming: encodeRecord(kind, record),
      point: null,
    });
  const changes = [
    ...records.posts.map(change("post", null)),
    ...records.accounts.map(change("account", null)),
    ...records.comments.map(change("comment", id)),
  ];
  await writer.write([
    { changes: [{ platform: PLATFORM, records: changes, subtitles: [], follows: [], chartEntries: [] }], merge },
  ]);
}

/** Compares every rendered read, in each mode and with each projection, to the records themselves. */
async function assertRendered(store: Store): Promise<void> {
  const records = store.reader(PLATFORM);
  for (const mode of ["object", "json"] as const) {
    const reader = store.reader(PLATFORM, mode);
    for (const projection of [whole, brief, unstored]) {
      for (const id of IDS) {
        assertSame(mode, projection, await reader.getRenderedPost(id, projection), await records.getPost(id));
      }
      for (const key of ["s1", "s2"]) await assertList(mode, projection, reader, records, key);
    }
    for (const projection of [named, whole, unstored]) await assertAccounts(mode, projection, reader, records);
    for (const id of IDS) {
      for (const order of ["newest", "top"] as const) {
        const page = { limit: 5 };
        const rendered = await reader.listRenderedComments(id, order, page, commented);
        assertPage(mode, commented, rendered, await records.listComments(id, order, page));
      }
    }
  }
}

async function assertList(
  mode: RenderMode,
  projection: Projection<Post>,
  reader: Reader,
  records: Reader,
  key: string,
): Promise<void> {
  for (let after, more = true; more;) {
    const page = { limit: 2, after };
    const expected = await records.listPosts("sound", key, page);
    assertPage(mode, projection, await reader.listRenderedPosts("sound", key, page, projection), expected);
    ({ last: after, more } = expected);
  }
}

async function assertAccounts(
  mode: RenderMode,
  projection: Projection<Account>,
  reader: Reader,
  records: Reader,
): Promise<void> {
  for (const limit of [1, 5]) {
    const followers = await reader.listRenderedFollowers("1", { limit }, projection);
    const expected = await records.listFollowers("1", { limit });
    const follows = followers.items.map(({ account: _account, ...follow }) => follow);
    assert.deepEqual({ ...followers, items: follows }, expected);
    for (const follower of followers.items) {
      assertSame(mode, projection, follower.account, await records.getAccount(follower.followerId));
    }
  }
  for (const person of PEOPLE) {
    const rendered = await reader.getRenderedAccountByName(person, projection);
    assertSame(mode, projection, rendered, await records.getAccountByName(person));
  }
}

function assertPage<Stored extends AnyRecord>(
  mode: RenderMode,
  projection: Projection<Stored>,
  rendered: Page<Rendered<unknown>>,
  records: Page<Stored>,
): void {
  assert.equal(rendered.items.length, records.items.length);
  rendered.items.forEach((item, index) => assertSame(mode, projection, item, records.items[index] ?? null));
  assert.deepEqual({ ...rendered, items: [] }, { ...records, items: [] });
}

function assertSame<Stored extends { id: string; capturedAt: number }>(
  mode: RenderMode,
  projection: Projection<Stored>,
  rendered: Rendered<unknown> | null,
  record: Stored | null,
): void {
  if (record === null || rendered === null) return assert.equal(rendered, record);
  assert.deepEqual([rendered.id, rendered.capturedAt], [record.id, record.capturedAt]);
  if (mode === "object") return assert.deepEqual(rendered.body, projection.project(record));
  assert.ok(rendered.body instanceof RawJson);
  const json = projection.renderJson(record);
  assert.deepEqual([rendered.body.json, rendered.body.digest], [json, digestOf(json)]);
}

export function renderingSuite(open: OpenStore): void {
  test("what an erasure or a learnt id changes in the records of others is rendered again", async () => {
    const { store, close } = await open(() => NOW);
    const capture = { as: "write", text: "with @mira", likes: 1, later: 0, sound: "s1" } as const;
    try {
      await perform(store, { ...capture, id: "a", person: "@mira" });
      await perform(store, { ...capture, id: "b", person: "2" });
      await assertRendered(store);
      await perform(store, { as: "merge placeholder" });
      await assertRendered(store);
      assert.equal((await store.reader(PLATFORM).getPost("a"))?.authorId, "77");
      await perform(store, { as: "erase", kind: "account", id: "77" });
      await assertRendered(store);
      assert.equal((await store.reader(PLATFORM).getPost("b"))?.text, "with [erased]");
    } finally {
      await close();
    }
  });

  test("however records were written, rendered reads return their current projection", () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { store, close } = await open(() => NOW);
        try {
          await store.writer.write([
            toUnit(PLATFORM, {
              posts: IDS.map((id) => post(id, { soundId: "s1", publishedAt: SECOND })),
            }),
          ]);
          for (const performed of steps) await perform(store, performed);
          await assertRendered(store);
        } finally {
          await close();
        }
      }),
      propertyBudget(25),
    ));
}
