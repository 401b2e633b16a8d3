/** Shows records by drawing them, each time: for stores that keep no texts, and for callers who want what was drawn. */
import type { Page } from "#domain/page.ts";
import type { Natives, Reader } from "./store.ts";
import type { RenderMode, Projection, Rendered } from "#domain/projection.ts";
import { render } from "./render.ts";

type Getting<N extends Natives> = Pick<
  Reader<N>,
  "getAccountByName" | "getAccounts" | "getPost" | "listPosts" | "listComments" | "listFollowers"
>;
type Showing<N extends Natives> = Pick<
  Reader<N>,
  | "getRenderedAccountByName"
  | "getRenderedPost"
  | "listRenderedPosts"
  | "listRenderedComments"
  | "listRenderedFollowers"
>;

export function renderingReader<N extends Natives>(reader: Getting<N>, form: RenderMode): Showing<N> {
  return {
    async getRenderedAccountByName(name, as) {
      return shownOrNull(form, as, await reader.getAccountByName(name));
    },
    async getRenderedPost(id, as) {
      return shownOrNull(form, as, await reader.getPost(id));
    },
    async listRenderedPosts(list, key, page, as) {
      return shownPage(form, as, await reader.listPosts(list, key, page));
    },
    async listRenderedComments(postId, order, page, as) {
      return shownPage(form, as, await reader.listComments(postId, order, page));
    },
    async listRenderedFollowers(accountId, page, as) {
      const { items, ...rest } = await reader.listFollowers(accountId, page);
      const accounts = await reader.getAccounts([...new Set(items.map(({ followerId }) => followerId))]);
      const held = new Map(accounts.map((account) => [account.id, account]));
      const shown = (id: string) => shownOrNull(form, as, held.get(id) ?? null);
      return { ...rest, items: items.map((follow) => ({ ...follow, shown: shown(follow.followerId) })) };
    },
  };
}

interface Kept {
  id: string;
  capturedAt: number;
}

function shownOrNull<K extends Kept, Drawn>(
  form: RenderMode,
  as: Projection<K, Drawn>,
  record: K | null,
): Rendered<Drawn> | null {
  return record === null ? null : render(form, as, record);
}

function shownPage<K extends Kept, Drawn>(
  form: RenderMode,
  as: Projection<K, Drawn>,
  page: Page<K>,
): Page<Rendered<Drawn>> {
  return { ...page, items: page.items.map((record) => render(form, as, record)) };
}
