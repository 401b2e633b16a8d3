/** Only the id of a record is ever certain. Every projection must make a whole, valid answer of the barest one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TSchema } from "#api/schema.ts";
import { Value } from "typebox/value";
import { withField } from "#api/define-projection.ts";
import { compileDefaults } from "#api/nullable.ts";
import type { Account } from "#domain/account.ts";
import { blankRecord } from "#domain/blank-record.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { NativeHashtag, NativePlace, NativePost, NativeUser } from "../native.ts";
import { FullBioLink, toFullBioLink } from "./bio-link.ts";
import { Follower, toFollower } from "./follower.ts";
import { HashtagPost, toHashtagPost } from "./hashtag-post.ts";
import { ProfilePost, toProfilePost } from "./profile-post.ts";
import { ProfileV2, toProfileV2 } from "./profile-v2.ts";
import { Profile, toProfile } from "./profile.ts";
import { FoundHashtag, FoundPlace, FoundUser, toFoundHashtag, toFoundPlace, toFoundUser } from "./search-result.ts";
import { TaggedPost, toTaggedPost } from "./tagged-post.ts";
import { postUserProjection, UserPost, userPostProjection } from "./user-post.ts";

const CAPTURED = { capturedAt: 1_700_000_000_000, source: "test" };

function account(more: Partial<Account<NativeUser>> = {}): Account<NativeUser> {
  return { ...blankRecord("account"), ...CAPTURED, id: "5001", native: {}, ...more };
}

function post(more: Partial<Post<NativePost>> = {}): Post<NativePost> {
  return { ...blankRecord("post"), ...CAPTURED, id: "3000000000000000001", native: {}, ...more };
}

const hashtag: Hashtag<NativeHashtag> = {
  ...blankRecord("hashtag"),
  ...CAPTURED,
  id: "streetfood",
  platformId: "17",
  name: "streetfood",
  native: {},
};
const place: Place<NativePlace> = {
  ...blankRecord("place"),
  ...CAPTURED,
  id: "21",
  name: "Harbour Market",
  native: {},
};

function assertWhole(schema: TSchema, draft: unknown): void {
  const filled = compileDefaults(schema)(draft);
  assert.deepEqual(Value.Errors(schema, filled), []);
}

test("records with only an id render completely in every shape", () => {
  assertWhole(Profile, toProfile(account()));
  assertWhole(ProfileV2, toProfileV2(account(), true));
  assertWhole(ProfileV2, toProfileV2(account(), false));
  assertWhole(FullBioLink, toFullBioLink({}, true));
  assertWhole(Follower, toFollower("5002", null));
  assertWhole(Follower, toFollower("5001", account()));
  assertWhole(ProfilePost, toProfilePost(post()));
  assertWhole(TaggedPost, toTaggedPost(post(), null));
  assertWhole(UserPost, withField(userPostProjection.project(post()), "user", postUserProjection, account()));
  assertWhole(HashtagPost, toHashtagPost(post()));
  assertWhole(FoundUser, toFoundUser(account(), 0));
  assertWhole(FoundHashtag, toFoundHashtag(hashtag, 1));
  assertWhole(FoundPlace, toFoundPlace(place, 2));
});

test("a missing code is computed from the id", () => {
  assert.equal(toProfilePost(post({ id: "64" }))?.code, "BA");
  assert.equal(toProfilePost(post({ id: "64", native: { code: "Kept" } }))?.code, "Kept");
});

test("an album without its own picture uses its first part's", () => {
  const cover = {
    image_versions2: {
      candidates: [{ url: "https://media.example/a.jpg", width: 640, height: 800 }],
    },
  };
  const node = toHashtagPost(post({ native: { media_type: 8, carousel_media: [cover, {}] } }));
  assert.equal(node?.display_url, "https://media.example/a.jpg");
  assert.equal(node?.thumbnail_src, "https://media.example/a.jpg");
  assert.deepEqual(node?.dimensions, { height: 800, width: 640 });
  assert.equal(node?.__typename, "GraphSidecar");
});

test("contact data is empty without the scope read:personal", () => {
  const person = account({
    bio: "Street kitchens of the coast\nluna@kitchen.example\n+39 055 0100199",
    native: {
      address_street: "Via Inventata 1",
      zip: "00000",
      city_name: "Livorno",
      category: "Chef",
    },
  });
  const open = toProfileV2(person, true);
  assert.deepEqual(
    [open?.address_street, open?.zip, open?.email_from_biography, open?.phone_from_biography],
    ["Via Inventata 1", "00000", ["luna@kitchen.example"], ["+39 055 0100199"]],
  );
  const closed = toProfileV2(person, false);
  assert.deepEqual(
    [closed?.address_street, closed?.zip, closed?.email_from_biography, closed?.phone_from_biography],
    ["", "", [], []],
  );
  assert.deepEqual([closed?.city_name, closed?.category], ["Livorno", "Chef"]);
});

test("an account in search results has its followers in short form", () => {
  const context = (followers: number) =>
    toFoundUser(account({ counters: { followers } }), 0)?.user?.search_social_context;
  assert.equal(context(12_345), "12.3K followers");
  assert.equal(context(1), "1 follower");
  assert.equal(context(0), "0 followers");
});
