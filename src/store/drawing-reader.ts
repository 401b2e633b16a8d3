/** Shows records by drawing them, each time: for stores that keep no texts, and for callers who want what was drawn. */
import type { Page } from "#domain/page.ts";
import type { Natives, Reader } from "./store.ts";
import type { Form, Shape, Shown } from "#domain/shown.ts";
import { show } from "./writing-out.ts";

type Getting<N extends Natives> = Pick<
  Reader<N>,
  "getAccountByName" | "getAccounts" | "getPost" | "listPosts" | "listComments" | "listFollowers"
>;
type Showing<N extends Natives> = Pick<
  Reader<N>,
  "showAccountByName" | "showPost" | "showPosts" | "showComments" | "showFollowers"
>;

export function drawingReader<N extends Natives>(reader: Getting<N>, form: Form): Showing<N> {
  return {
    async showAccountByName(name, as) {
      return shownOrNull(form, as, await reader.getAccountByName(name));
    },
    async showPost(id, as) {
      return shownOrNull(form, as, await reader.getPost(id));
    },
    async showPosts(list, key, page, as) {
      return shownPage(form, as, await reader.listPosts(list, key, page));
    },
    async showComments(postId, order, page, as) {
      return shownPage(form, as, await reader.listComments(postId, order, page));
    },
    async showFollowers(accountId, page, as) {
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

function shownOrNull<K extends Kept, Drawn>(form: Form, as: Shape<K, Drawn>, record: K | null): Shown<Drawn> | null {
  return record === null ? null : show(form, as, record);
}

function shownPage<K extends Kept, Drawn>(form: Form, as: Shape<K, Drawn>, page: Page<K>): Page<Shown<Drawn>> {
  return { ...page, items: page.items.map((record) => show(form, as, record)) };
}
