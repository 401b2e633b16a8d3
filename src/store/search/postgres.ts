/** Maintains the full-text index within one transaction: one document per record, comment and subtitle track. */
import { type Group, groupsBy } from "#domain/groups.ts";
import { present } from "#domain/present.ts";
import { zip } from "#domain/zip.ts";
import type { PlatformName, SearchKind } from "#domain/record.ts";
import { MAX_STATIC_RANK, type SearchDocument } from "#search/documents.ts";
import { vectorOf } from "./lexemes.postgres.ts";
import type { DocumentTable } from "./port.ts";
import { RowMap } from "#store/postgres/row-map.ts";
import type { DocumentIndex, NewDocument } from "./port.ts";
import { getOrCreatePartition, partitionKey } from "./partitions.postgres.ts";
import type { Sql } from "#store/postgres/sql.ts";
import { SEARCH_DOCS, type SearchDocRow } from "./tables.ts";
import { insert, upsert } from "#store/postgres/upsert.ts";
import { hasManyPending, WordCounts, wordsOf } from "./word-counts.postgres.ts";

/** Documents are read in the order of their sort key: the static rank, highest first, then the document number. */
const MAX_DOCS = 2 ** 40;

interface PendingDoc {
  platform: PlatformName;
  kind: SearchKind;
  id: string;
  document: SearchDocument;
  /** Its record existed before, so the document may be in the index. */
  mayExist: boolean;
}

type IndexedDoc = Pick<SearchDocRow, "id" | "doc" | "title" | "tags" | "text">;

const GET_DOCS = `SELECT id, doc, title, tags, text FROM search_docs
  WHERE id = ANY($1) AND platform = $2 AND kind = $3`;

export class SearchIndexWriter implements DocumentIndex {
  #pending = new RowMap<PendingDoc>();
  readonly #words = new WordCounts();
  readonly #numbers = new RowMap<number>();

  put(platform: PlatformName, kind: SearchKind, id: string, document: SearchDocument, state: "new" | "stored"): void {
    const key = [platform, kind, id];
    const mayExist = this.#pending.get(key)?.mayExist ?? state === "stored";
    this.#pending.set(key, { platform, kind, id, document, mayExist });
  }

  /** Deletes documents immediately. */
  async remove(sql: Sql, platform: PlatformName, kind: SearchKind, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    for (const indexed of await sql.all<IndexedDoc>(GET_DOCS, ids, platform, kind)) {
      this.#words.add(platform, kind, wordsOf(indexed), -1);
    }
    await sql.run("DELETE FROM search_docs WHERE id = ANY($1) AND platform = $2 AND kind = $3", ids, platform, kind);
  }

  /**
   * Call it at the end of the transaction, or of a part of it. With `words` "later", they are only noted for
   * `countPendingWords`; with "many", they are counted once many are noted.
   */
  async finish(sql: Sql, words: "now" | "many" | "later"): Promise<void> {
    const write = await this.prepare(sql);
    await write();
    if (words !== "now") await this.#words.note(sql);
    if (words === "now" || (words === "many" && (await hasManyPending(sql)))) await this.#words.apply(sql);
  }

  /** Numbers documents in their order, in whichever order they are written. Numbers of those that are not added are lost. */
  async reserveNumbers(sql: Sql, documents: readonly NewDocument[]): Promise<void> {
    if (documents.length === 0) return;
    const numbers = await takeNumbers(sql, documents.length);
    const inOrder = documents.toSorted((a, b) => a.order - b.order);
    for (const [{ platform, kind, id }, number] of zip(inOrder, numbers))
      this.#numbers.set([platform, kind, id], number);
  }

  /** Reads what is needed, and returns a function that only writes. */
  async prepare(sql: Sql): Promise<() => Promise<void>> {
    const pending = this.#pending.values();
    // From now on these documents exist.
    this.#pending = new RowMap();
    const groups = groupsBy(pending, partitionKey);
    const [partitions, indexed] = await Promise.all([getPartitions(sql, groups), getIndexed(sql, groups)]);
    const row = (entry: PendingDoc, doc: number) =>
      this.#createRow(entry, doc, present(partitions.get(partitionKey(entry))));
    const added: PendingDoc[] = [];
    const replaced: SearchDocRow[] = [];
    for (const entry of pending) {
      const { platform, kind, id } = entry;
      const before = indexed.get([platform, kind, id]);
      if (before === undefined) added.push(entry);
      else {
        this.#words.add(platform, kind, wordsOf(before), -1);
        replaced.push(row(entry, before.doc));
      }
    }
    const isNumbered = ({ platform, kind, id }: PendingDoc) => this.#numbers.get([platform, kind, id]) !== undefined;
    const unnumbered = added.filter((entry) => !isNumbered(entry)).map((entry, order) => ({ ...entry, order }));
    await this.reserveNumbers(sql, unnumbered);
    return async () => {
      const rows = added
        .values()
        .map((entry) => row(entry, present(this.#numbers.get([entry.platform, entry.kind, entry.id]))));
      await Promise.all([upsert(sql, SEARCH_DOCS.postgres, replaced), insert(sql, SEARCH_DOCS.postgres, rows)]);
    };
  }

  #createRow({ platform, kind, id, document }: PendingDoc, doc: number, partition: number): SearchDocRow {
    const { staticRank, filterTerms, ...fields } = document;
    const words = wordsOf(document);
    this.#words.add(platform, kind, words, 1);
    for (const term of filterTerms.split(" ")) if (term !== "") words.add(term);
    const sort_key = (MAX_STATIC_RANK - staticRank) * MAX_DOCS + doc;
    return { ...fields, id, platform, kind, doc, sort_key, tokens: vectorOf(words, partition) };
  }
}

type Groups = readonly Group<PendingDoc>[];

async function getPartitions(sql: Sql, groups: Groups): Promise<Map<string, number>> {
  const partitions = new Map<string, number>();
  const reads = groups.map(async ([first]) => {
    partitions.set(partitionKey(first), await getOrCreatePartition(sql, first));
  });
  await Promise.all(reads);
  return partitions;
}

async function getIndexed(sql: Sql, groups: Groups): Promise<RowMap<IndexedDoc>> {
  const indexed = new RowMap<IndexedDoc>();
  const reads = groups.map(async (group) => {
    const [{ platform, kind }] = group;
    const ids = group.filter(({ mayExist }) => mayExist).map(({ id }) => id);
    if (ids.length === 0) return;
    const docs = await sql.all<IndexedDoc>(GET_DOCS, ids, platform, kind);
    for (const doc of docs) indexed.set([platform, kind, doc.id], doc);
  });
  await Promise.all(reads);
  return indexed;
}

/** Ascending, but not in the order in which transactions commit. */
async function takeNumbers(sql: Sql, count: number): Promise<number[]> {
  const rows = await sql.all<{ doc: number }>(
    "SELECT nextval('search_doc_numbers') AS doc FROM generate_series(1, $1::bigint)",
    count,
  );
  return rows.map(({ doc }) => doc);
}

export function createDocumentTable(sql: Sql, index: SearchIndexWriter): DocumentTable {
  return {
    put: (platform, kind, id, document) => index.put(platform, kind, id, document, "stored"),
    remove: (platform, kind, ids) => index.remove(sql, platform, kind, ids),
  };
}
