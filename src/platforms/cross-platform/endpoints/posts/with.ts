import { Type } from "#api/schema.ts";
import { endpoint, latestCapture, type PlatformStore, type CrossPlatformContext } from "#api/endpoint.ts";
import { NextPageToken, nextPageToken, verifyPosition } from "#api/page-token.ts";
import { choiceParameter, integerParameter, PageTokenParameter, textParameter } from "#api/parameters.ts";
import { nullable, Text, wireObject } from "#api/wire.ts";
import { foldName } from "#domain/folding.ts";
import { platformId } from "#domain/provisional-id.ts";
import type { Counters } from "#domain/record.ts";
import { ApiError, type ErrorCode } from "#errors";
import { findAccount, parseTarget, requestedAccount, traitsOf } from "../../find-record.ts";
import { PlatformParameter, resolvePlatform } from "../../platform-parameter.ts";
import { AccountSummary, toAccountSummary } from "../../shapes/account.ts";
import { StoredCount } from "../../shapes/stored-count.ts";
import { PostSummary, toPostSummary } from "../../shapes/post.ts";

const TRAITS = ["sound", "hashtag", "place", "tagged"] as const;
type Trait = (typeof TRAITS)[number];

const PostsWith = wireObject({
  platform: Text,
  trait: Type.Enum([...TRAITS]),
  id: nullable(Type.String({ description: "The platform's own id; for a hashtag, its normalized name." })),
  name: nullable(Type.String({ description: "Title of the sound, name of the hashtag, place or account, if stored." })),
  detail: nullable(Type.String({ description: "Artist of the sound or city of the place, if stored." })),
  total: Type.Integer({ description: "Number of stored posts; the same as `stored`." }),
  ...StoredCount,
  posts: Type.Array(PostSummary),
  authors: Type.Array(AccountSummary, { description: "Stored accounts of the authors of these posts, each once." }),
  continuation_token: NextPageToken,
});

export const postsWith = endpoint({
  method: "GET",
  path: "posts/with",
  summary: "Posts with a sound, hashtag, place or tagged account",
  description:
    "Lists all stored posts that use one sound, have one hashtag, are at one place, or tag one account, newest first, in the same shape for every platform. For the next page, send `continuation_token` with the same parameters; it is empty on the last page.",
  cost: "list",
  countsList: true,
  input: Type.Object({
    platform: PlatformParameter,
    trait: choiceParameter(TRAITS, { description: "What the posts have in common." }),
    id: textParameter(
      "Id of the sound, place or account, name of the hashtag with or without `#`, or the URL of one on the platform's site; accounts also by name.",
      { maxLength: 2_048 },
    ),
    limit: integerParameter({ minimum: 1, maximum: 50, default: 20, description: "Posts per page." }),
    continuation_token: PageTokenParameter,
  }),
  output: PostsWith,
  example: { platform: "photoshare", trait: "hashtag", id: "streetfood" },
  pages: { items: "posts", next: { continuation_token: "continuation_token" } },

  async handle(ctx: CrossPlatformContext, { platform: name, trait, id: text, limit, continuation_token: token }) {
    const { platform, store } = resolvePlatform(ctx, name);
    const found = await findTrait(ctx, { platform, store }, trait, text);
    const bound = [platform, trait, found.requested ?? found.key];
    const after = verifyPosition(ctx, "continuation_token", bound, token);
    const [page, total] = await Promise.all([
      store.listPosts(trait, found.key, { limit, after }),
      store.countPosts(trait, found.key),
    ]);
    // Posts may be stored without a record of what they have in common.
    if (found.record === null && total === 0) throw new ApiError(NOT_FOUND[trait], `${trait} ${text} not found`);
    const authors = await store.getAccounts([...new Set(page.items.flatMap(({ authorId }) => authorId ?? []))]);
    const traits = traitsOf(ctx, platform);
    return {
      lastModified: latestCapture([found.record, ...page.items, ...authors]),
      body: {
        platform,
        trait,
        id: platformId(found.key),
        name: found.name,
        detail: found.detail,
        total,
        stored: total,
        platform_total: found.platformTotal,
        posts: page.items.map((post) => toPostSummary(platform, post, traits.listMedia(post))),
        authors: authors.map((author) => toAccountSummary(platform, author, ctx)),
        continuation_token: nextPageToken(ctx, bound, page),
      },
    };
  },
});

const NOT_FOUND = {
  sound: "sound_not_found",
  hashtag: "hashtag_not_found",
  place: "place_not_found",
  tagged: "account_not_found",
} as const satisfies Record<Trait, ErrorCode>;

interface Found {
  /** Of the list of posts. */
  key: string;
  /** Of an account: the name or id that it was requested by. */
  requested?: string;
  record: { capturedAt: number } | null;
  name: string | null;
  detail: string | null;
  platformTotal: number | null;
}

const totalOf = (record: { counters: Counters } | null) => record?.counters.posts ?? null;

async function findTrait(
  ctx: CrossPlatformContext,
  { platform, store }: PlatformStore,
  trait: Trait,
  text: string,
): Promise<Found> {
  switch (trait) {
    case "sound": {
      const key = parseTarget(ctx, platform, "id", "sound", text)?.id ?? text;
      const record = await store.getSound(key);
      return {
        key,
        record,
        name: record?.title ?? null,
        detail: record?.artistName ?? null,
        platformTotal: totalOf(record),
      };
    }
    case "hashtag": {
      const key = foldName(parseTarget(ctx, platform, "id", "hashtag", text)?.name ?? text);
      const record = await store.getHashtag(key);
      return { key, record, name: record?.name ?? null, detail: null, platformTotal: totalOf(record) };
    }
    case "place": {
      const record = await store.getPlace(text);
      // Omits the street: a place may be someone's home.
      return {
        key: text,
        record,
        name: record?.name ?? null,
        detail: record?.city ?? null,
        platformTotal: totalOf(record),
      };
    }
    case "tagged": {
      const record = await findAccount(ctx, { platform, store }, "id", text);
      const requested = requestedAccount(ctx, platform, "id", text, record);
      return {
        key: record?.id ?? text,
        requested,
        record,
        name: record?.name ?? null,
        detail: null,
        platformTotal: null,
      };
    }
  }
}
