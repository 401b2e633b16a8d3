/**
 * Loaded before an import that is measured without the search index: no words are made of posts, nothing reaches the
 * index. A store has no such switch, and needs none.
 */
import type { Post } from "#domain/post.ts";
import { documentOf } from "#search/documents.ts";
import { listsOf } from "#store/post-lists.ts";
import { preparing } from "#store/prepared-record.ts";
import { SearchIndex } from "#store/sqlite/search-index.ts";
import type { Derived } from "#store/store.ts";

SearchIndex.prototype.add = () => undefined;
SearchIndex.prototype.put = () => undefined;

const NO_WORDS = documentOf("hashtag", { name: "", counters: {} });
const derived = preparing.derived;

preparing.derived = (kind, record) => {
  if (kind !== "post") return derived(kind, record);
  const { authorId, publishedAt } = record as Post;
  const lists = listsOf(record as Post).map(({ list, key }): Derived["lists"][number] => [list, key]);
  return { name: null, authorId, at: publishedAt ?? 0, lists, parentId: null, likes: 0, document: NO_WORDS };
};
