/** Upkeep of the text index: one document per record, under the scope of its platform and kind. */
import type { PlatformName } from "#domain/record.ts";
import type { SearchableKind } from "#search/documents.ts";
import type { Derived } from "../store.ts";
import type { Database } from "./database.ts";

interface DocRow {
  doc: number;
  strong: string;
  weak: string;
}

type Document = NonNullable<Derived["document"]>;

export class SearchIndex {
  readonly #db: Database;
  readonly #scopes = new Map<string, number>();

  constructor(db: Database) {
    this.#db = db;
  }

  begin(): void {
    this.#scopes.clear();
  }

  /** Of a record that was not held before. */
  add(platform: PlatformName, kind: SearchableKind, id: string, document: Document): void {
    this.#insert(this.#scope(platform, kind), id, document);
  }

  put(platform: PlatformName, kind: SearchableKind, id: string, document: Document): void {
    const scope = this.#scope(platform, kind);
    const held = this.#held(scope, id);
    if (held === undefined) {
      this.#insert(scope, id, document);
      return;
    }
    const { strong, weak } = document;
    this.#db.run(
      "UPDATE search_docs SET at = ?, engagement = ?, language = ?, country = ?, strong = ?, weak = ? WHERE doc = ?",
      document.at,
      document.engagement,
      document.language,
      document.country,
      strong,
      weak,
      held.doc,
    );
    if (held.strong === strong && held.weak === weak) return;
    this.#unindex(scope, held);
    this.#index(scope, { doc: held.doc, strong, weak });
  }

  #insert(scope: number, id: string, { at, engagement, language, country, strong, weak }: Document): void {
    const { lastInsertRowid: doc } = this.#db.run(
      "INSERT INTO search_docs (scope, id, at, engagement, language, country, strong, weak) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      scope,
      id,
      at,
      engagement,
      language,
      country,
      strong,
      weak,
    );
    this.#index(scope, { doc, strong, weak });
  }

  delete(platform: PlatformName, kind: SearchableKind, id: string): void {
    const scope = this.#scope(platform, kind);
    const held = this.#held(scope, id);
    if (held === undefined) return;
    this.#unindex(scope, held);
    this.#db.run("DELETE FROM search_docs WHERE doc = ?", held.doc);
  }

  #held(scope: number, id: string): DocRow | undefined {
    return this.#db.get<DocRow>("SELECT doc, strong, weak FROM search_docs WHERE scope = ? AND id = ?", scope, id);
  }

  #index(scope: number, { doc, strong, weak }: DocRow): void {
    this.#db.run(
      "INSERT INTO search_index (rowid, strong, weak) VALUES (?, ?, ?)",
      doc,
      scoped(strong, scope),
      scoped(weak, scope),
    );
  }

  /** The index keeps no text of its own: to forget a document it must be told the very tokens it was given. */
  #unindex(scope: number, { doc, strong, weak }: DocRow): void {
    this.#db.run(
      "INSERT INTO search_index (search_index, rowid, strong, weak) VALUES ('delete', ?, ?, ?)",
      doc,
      scoped(strong, scope),
      scoped(weak, scope),
    );
  }

  #scope(platform: PlatformName, kind: SearchableKind): number {
    const key = `${platform}/${kind}`;
    const known = this.#scopes.get(key);
    if (known !== undefined) return known;
    this.#db.run("INSERT OR IGNORE INTO search_scopes (platform, kind) VALUES (?, ?)", platform, kind);
    const row = this.#db.get<{ scope: number }>(
      "SELECT scope FROM search_scopes WHERE platform = ? AND kind = ?",
      platform,
      kind,
    );
    const scope = (row as { scope: number }).scope;
    this.#scopes.set(key, scope);
    return scope;
  }
}

function scoped(tokens: string, scope: number): string {
  return tokens === "" ? "" : `${scope}:${tokens.replaceAll(" ", ` ${scope}:`)}`;
}
