import { Type } from "#api/schema.ts";
import { type Context, endpoint, latestCapture } from "#api/endpoint.ts";
import { integerParameter } from "#api/parameters.ts";
import { Flag, Integer, wireObject } from "#api/wire.ts";
import type { Keyset } from "#domain/page.ts";
import { ApiError } from "#errors";
import type { ShortVideoNatives } from "../../native.ts";
import { newestFirst } from "../../paging.ts";
import { CursorParameter, MusicIdParameter, parseMusicId } from "../../parameters.ts";
import { PostItem, postItemProjection } from "../../shapes/post-item.ts";

const MusicPosts = wireObject({
  statusCode: Integer,
  itemList: Type.Array(PostItem),
  hasMore: Flag,
  cursor: Type.Integer({ description: "Cursor of the next page." }),
});

export const musicPosts = endpoint({
  method: "GET",
  path: "music/posts",
  summary: "Posts that use a sound",
  description:
    "Lists the posts that use a sound, newest first. While `hasMore` is true, request the next page with the returned `cursor`.",
  cost: "list",
  input: Type.Object({
    musicId: MusicIdParameter,
    count: integerParameter({ minimum: 1, maximum: 100, default: 30, description: "Posts per page." }),
    cursor: CursorParameter,
  }),
  output: MusicPosts,
  example: { musicId: "7100000000000000001" },
  pages: { items: "itemList", next: { cursor: "cursor" }, more: "hasMore" },

  async handle(ctx: Context<ShortVideoNatives>, { musicId: text, count, cursor }) {
    const musicId = parseMusicId(ctx, text);
    const listPeers = ({ at }: Keyset) => ctx.store.listPostKeysets("sound", musicId, at);
    const after = await newestFirst.toPosition(cursor, listPeers, async () => []);
    const page = await ctx.store.listRenderedPosts("sound", musicId, { limit: count, after }, postItemProjection);
    if (page.items.length === 0 && !(await soundExists(ctx, musicId))) {
      throw new ApiError("sound_not_found", `sound ${musicId} not found`);
    }
    return {
      lastModified: latestCapture(page.items),
      body: {
        statusCode: 0,
        itemList: page.items.map(({ body }) => body),
        hasMore: page.more,
        cursor: page.last === undefined ? cursor : await newestFirst.toCursor(page.last, listPeers),
      },
    };
  },
});

/** A sound may be known only from posts that use it. */
async function soundExists(ctx: Context<ShortVideoNatives>, musicId: string): Promise<boolean> {
  return (await ctx.store.getSound(musicId)) !== null || (await ctx.store.countPosts("sound", musicId)) > 0;
}
