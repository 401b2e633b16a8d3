/** Records that are asked for in a shape, however they were written: shown as the shape draws what is held of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { propertyBudget } from "#testing/budget.ts";
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Page } from "#domain/page.ts";
import type { Post } from "#domain/post.ts";
import { encodeRecord } from "../row-encoder.ts";
import { account, comment, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import {
  type RenderMode,
  type Projection,
  type ProjectionRegistry,
  type Rendered,
  RawJson,
} from "#domain/projection.ts";
import { digestOf } from "../render.ts";
import type { OpenStore } from "./open-store.ts";
import type { AnyRecord, Merge, Reader, RecordChange, Store } from "../store.ts";

function shapeOf<Kept>(name: string, draw: (record: Kept) => object): Projection<Kept, object> {
  return { name, version: 1, project: draw, renderJson: (record) => JSON.stringify(draw(record)) };
}

const whole = shapeOf<AnyRecord>("whole", (record) => ({ all: record }));
const brief = shapeOf<AnyRecord>("brief", ({ id, counters }) => ({ id, counters }));
const named = shapeOf<Account>("named", ({ id, name }) => ({ id, name }));
const said = shapeOf<Comment>("said", ({ id, authorId, text, counters }) => ({ id, authorId, text, counters }));
/** No store keeps texts of it. */
const passing = shapeOf<AnyRecord>("passing", ({ id, capturedAt }) => ({ id, capturedAt }));

/** For the stores that this is tried on: those that keep texts keep them of all but one. */
export const SAMPLE_PROJECTIONS: ProjectionRegistry = {
  [PLATFORM]: { post: [whole, brief], account: [named, whole], comment: [said] },
};

const IDS = ["a", "b", "c"];
const PEOPLE = ["1", "2", "@mira", "77"];

type Write =
  | { as: "put" | "apply"; id: string; person: string; text: string; likes: number; later: number; sound: string }
  | { as: "adopt" }
  | { as: "erase"; kind: "post" | "account" | "comment"; id: string }
  | { as: "forget"; source: string };

const write: fc.Arbitrary<Write> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      as: fc.constantFrom("put" as const, "apply" as const),
      id: fc.constantFrom(...IDS),
      person: fc.constantFrom(...PEOPLE),
      text: fc.constantFrom("tea", "dumplings 🥟", '"quoted" \\ \u2028'),
      likes: fc.nat({ max: 3 }),
      later: fc.nat({ max: 3 }),
      sound: fc.constantFrom("s1", "s2"),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ as: "adopt" as const }) },
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
    arbitrary: fc.record({ as: fc.constant("forget" as const), source: fc.constantFrom("test-1", "test-2") }),
  },
);

const merge: Merge = (_kind, held, found) => ({ ...held, ...found, counters: { ...held.counters, ...found.counters } });

async function perform(store: Store, step: Write): Promise<void> {
  const { writer } = store;
  if (step.as === "adopt") return writer.mergePlaceholder(PLATFORM, "@mira", "77", merge);
  if (step.as === "erase") return writer.erase(PLATFORM, step.kind, step.id);
  if (step.as === "forget") return void (await writer.deleteSource(step.source));
  const { id, person, text, likes, later, sound } = step;
  const about = { capturedAt: NOW + later, source: `test-${later}`, counters: { likes } };
  const records = {
    posts: [post(id, { ...about, authorId: person, text, soundId: sound, taggedIds: [person] })],
    accounts: [account(person, { ...about, name: person.replace("@", ""), bio: text })],
    comments: [comment(`c-${id}`, { ...about, postId: id, authorId: person, text })],
  };
  const follow = {
    accountId: "1",
    followerId: likes === 0 ? `nobody ${id}` : person,
    since: null,
    capturedAt: NOW + later,
    source: about.source,
  };

  if (step.as === "put") return writer.write(PLATFORM, { ...records, follows: [follow] });
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
  await writer.apply([{ platform: PLATFORM, records: changes, subtitles: [], follows: [], chartEntries: [] }], merge);
}

/** Whatever is held, each shape of it in each form. */
async function assertShown(store: Store): Promise<void> {
  const held = store.reader(PLATFORM);
  for (const form of ["object", "json"] as const) {
    const reader = store.reader(PLATFORM, form);
    for (const shape of [whole, brief, passing]) {
      for (const id of IDS) {
        assertSame(form, shape, await reader.getRenderedPost(id, shape), await held.getPost(id));
      }
      for (const key of ["s1", "s2"]) await assertList(form, shape, reader, held, key);
    }
    for (const shape of [named, whole, passing]) await assertPeople(form, shape, reader, held);
    for (const id of IDS) {
      for (const order of ["newest", "top"] as const) {
        const page = { limit: 5 };
        const shown = await reader.listRenderedComments(id, order, page, said);
        assertPage(form, said, shown, await held.listComments(id, order, page));
      }
    }
  }
}

async function assertList(
  form: RenderMode,
  shape: Projection<Post>,
  reader: Reader,
  held: Reader,
  key: string,
): Promise<void> {
  for (let after, more = true; more;) {
    const page = { limit: 2, after };
    const expected = await held.listPosts("sound", key, page);
    assertPage(form, shape, await reader.listRenderedPosts("sound", key, page, shape), expected);
    ({ last: after, more } = expected);
  }
}

async function assertPeople(form: RenderMode, shape: Projection<Account>, reader: Reader, held: Reader): Promise<void> {
  for (const limit of [1, 5]) {
    const followers = await reader.listRenderedFollowers("1", { limit }, shape);
    const expected = await held.listFollowers("1", { limit });
    const follows = followers.items.map(({ shown: _shown, ...follow }) => follow);
    assert.deepEqual({ ...followers, items: follows }, expected);
    for (const { followerId, shown } of followers.items) {
      assertSame(form, shape, shown, await held.getAccount(followerId));
    }
  }
  for (const person of PEOPLE) {
    assertSame(form, shape, await reader.getRenderedAccountByName(person, shape), await held.getAccountByName(person));
  }
}

function assertPage<Kept extends AnyRecord>(
  form: RenderMode,
  shape: Projection<Kept>,
  shown: Page<Rendered<unknown>>,
  held: Page<Kept>,
): void {
  assert.equal(shown.items.length, held.items.length);
  shown.items.forEach((one, index) => assertSame(form, shape, one, held.items[index] ?? null));
  assert.deepEqual({ ...shown, items: [] }, { ...held, items: [] });
}

function assertSame<Kept extends { id: string; capturedAt: number }>(
  form: RenderMode,
  shape: Projection<never>,
  shown: Rendered<unknown> | null,
  held: Kept | null,
): void {
  if (held === null || shown === null) return assert.equal(shown, held);
  const { renderJson: text, project: draw } = shape as unknown as Projection<Kept>;
  assert.deepEqual([shown.id, shown.capturedAt], [held.id, held.capturedAt]);
  if (form === "object") return assert.deepEqual(shown.body, draw(held));
  assert.ok(shown.body instanceof RawJson);
  assert.deepEqual([shown.body.text, shown.body.digest], [text(held), digestOf(text(held))]);
}

export function renderingSuite(open: OpenStore): void {
  test("whatever was written, a record is shown as its shape draws what is held", () =>
    fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { store, close } = await open(() => NOW);
        try {
          await store.writer.write(PLATFORM, {
            posts: IDS.map((id) => post(id, { soundId: "s1", publishedAt: SECOND })),
          });
          for (const step of steps) await perform(store, step);
          await assertShown(store);
        } finally {
          await close();
        }
      }),
      propertyBudget(25),
    ));
}
