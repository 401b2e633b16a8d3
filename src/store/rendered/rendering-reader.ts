/** Rendered reads for a store without pre-rendered JSON, or for a client that wants objects: renders on every read. */
import type { Projection, Rendered, RenderMode } from "#domain/projection.ts";
import type { Natives } from "#store/records/port.ts";
import type { Reader } from "#store/store.ts";
import { renderRecord } from "./render.ts";

/** The reads that rendered reads are built on. */
export type RecordReads<N extends Natives> = Pick<
  Reader<N>,
  "getAccountByName" | "getAccounts" | "getPost" | "listPosts" | "listComments" | "listFollowers"
>;
export type RenderedReads<N extends Natives> = Pick<
  Reader<N>,
  | "getRenderedAccount"
  | "getRenderedAccountByName"
  | "getRenderedPost"
  | "listRenderedPosts"
  | "listRenderedComments"
  | "listRenderedFollowers"
>;

export function renderingReader<N extends Natives>(reader: RecordReads<N>, mode: RenderMode): RenderedReads<N> {
  function renderOrNull<Stored extends { id: string; capturedAt: number }, Wire>(
    projection: Projection<Stored, Wire>,
    record: Stored | null,
  ): Rendered<Wire> | null {
    return record === null ? null : renderRecord(mode, projection, record);
  }

  return {
    async getRenderedAccount(id, projection) {
      const [account] = await reader.getAccounts([id]);
      return renderOrNull(projection, account ?? null);
    },
    async getRenderedAccountByName(name, projection) {
      return renderOrNull(projection, await reader.getAccountByName(name));
    },
    async getRenderedPost(id, projection) {
      return renderOrNull(projection, await reader.getPost(id));
    },
    async listRenderedPosts(list, key, request, projection) {
      const page = await reader.listPosts(list, key, request);
      return { ...page, items: page.items.map((post) => renderRecord(mode, projection, post)) };
    },
    async listRenderedComments(postId, order, request, projection) {
      const page = await reader.listComments(postId, order, request);
      return { ...page, items: page.items.map((comment) => renderRecord(mode, projection, comment)) };
    },
    async listRenderedFollowers(accountId, request, projection) {
      const page = await reader.listFollowers(accountId, request);
      const accounts = await reader.getAccounts([...new Set(page.items.map(({ followerId }) => followerId))]);
      const byId = new Map(accounts.map((account) => [account.id, account]));
      const items = page.items.map((follow) => ({
        ...follow,
        account: renderOrNull(projection, byId.get(follow.followerId) ?? null),
      }));
      return { ...page, items };
    },
  };
}
