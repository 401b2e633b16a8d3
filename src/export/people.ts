/** Fills in the names of accounts, and replaces people by pseudonyms if asked to. */
import { createHmac } from "node:crypto";
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import { parseJsonText } from "#domain/json-text.ts";
import { guessName, listMentions, listNames, replaceMentions } from "#domain/mention.ts";
import { present } from "#domain/present.ts";
import { isProvisional, platformId, provisionalId } from "#domain/provisional-id.ts";
import type { PlatformName } from "#domain/record.ts";
import type { TableReader } from "#store/copy/port.ts";
import { type Cell, type ExportColumn, type ExportKind, type PlatformRow } from "./kinds.ts";

type Names = Pick<Account, "name" | "displayName">;

/** By platform and key; null is known to be absent. */
type Known<Value> = Map<PlatformName, Map<string, Value | null>>;

/** Names that are kept between batches. */
const MAX_NAMES = 50_000;

/** The rest of a longer name, rather than the next sentence. */
const REST_OF_NAME = /^[.·-]+[\p{Ll}\p{N}_]/u;

/** As in `original sound - name`, which the platform makes of the name. */
const BEFORE_NAME = /^(.* [-–—] )./s;
const LETTER_AT_END = /[\p{L}\p{N}]$/u;

export class People {
  readonly #reader: TableReader;
  readonly #columns: readonly ExportColumn[];
  readonly #key: Buffer | null;
  /** Name columns to fill, and the column of the id. */
  readonly #lookedUp: { name: string; of: string; field: keyof Names; isAccount: (row: PlatformRow) => boolean }[];
  /** By account id. */
  readonly #names: Known<Names> = new Map();
  /** Account ids by folded name. */
  readonly #ids: Known<string> = new Map();

  /** The key makes pseudonyms; null leaves people as they are. */
  constructor(reader: TableReader, { columns }: ExportKind, key: Buffer | null) {
    this.#reader = reader;
    this.#columns = columns;
    this.#key = key;
    this.#lookedUp = columns.flatMap(({ name, person }) =>
      person?.as === "name" && person.lookUp !== undefined
        ? [{ name, of: person.of, field: person.lookUp, isAccount: person.when ?? (() => true) }]
        : [],
    );
  }

  /** Changes the rows in place. */
  async complete(rows: PlatformRow[]): Promise<void> {
    for (const known of [this.#names, this.#ids]) {
      for (const values of known.values()) if (values.size > MAX_NAMES) values.clear();
    }
    if (this.#key === null) await this.#fillNames(rows);
    else await this.#learnMentions(rows);
    // Texts before the names that they end with, and names before ids: a name's pseudonym is that of the id beside it.
    // Without pseudonyms, only ids change.
    for (const as of this.#key === null ? (["id"] as const) : (["text", "name", "id"] as const)) {
      for (const { name, person } of this.#columns) {
        if (person?.as === as) for (const row of rows) row[name] = this.#shown(person, row, row[name] ?? null);
      }
    }
  }

  #shown(person: NonNullable<ExportColumn["person"]>, row: PlatformRow, cell: Cell): Cell {
    const { platform } = row;
    if (person.as !== "text" && person.when?.(row) === false) return cell;
    if (this.#key === null) {
      if (typeof cell === "string") return platformId(cell);
      return Array.isArray(cell) && cell.some(isProvisional) ? cell.filter((id: string) => !isProvisional(id)) : cell;
    }
    if (person.as === "text") {
      if (typeof cell !== "string") return cell;
      return person.endsWith === undefined
        ? this.#withoutMentions(platform, cell)
        : this.#withoutNameAtEnd(platform, cell, row, person.endsWith);
    }
    if (person.as === "name") {
      const id = row[person.of];
      if (typeof id === "string") return this.#pseudonym(platform, id);
      return typeof cell === "string" ? this.#pseudonym(platform, provisionalId(cell)) : null;
    }
    if (typeof cell === "string") return this.#pseudonym(platform, cell);
    return Array.isArray(cell) ? cell.map((id: string) => this.#pseudonym(platform, id)) : cell;
  }

  #withoutNameAtEnd(platform: PlatformName, title: string, row: PlatformRow, column: string): string {
    const name = row[column] ?? null;
    const begin = beforeName(title, name);
    if (begin === null) return this.#withoutMentions(platform, title);
    const person = this.#columns.find((each) => each.name === column)?.person;
    const known = person === undefined ? null : this.#shown(person, row, name);
    const shown = known ?? this.#pseudonym(platform, provisionalId(title.slice(begin.length)));
    return `${this.#withoutMentions(platform, begin)}${String(shown)}`;
  }

  /** Stable for one pepper, and useless without it. */
  #pseudonym(platform: PlatformName, id: string): string {
    return `p_${createHmac("sha256", present(this.#key)).update(`${platform}/${id}`).digest("base64url").slice(0, 22)}`;
  }

  async #fillNames(rows: PlatformRow[]): Promise<void> {
    for (const [of, columns] of Map.groupBy(this.#lookedUp, (column) => column.of)) {
      const noKeys: string[] = [];
      const keysOf = (row: PlatformRow) =>
        typeof row[of] === "string" && columns.some(({ isAccount }) => isAccount(row)) ? [row[of]] : noKeys;
      await this.#remember(this.#names, rows, keysOf, loadNames);
      for (const row of rows) {
        const id = row[of];
        const names = typeof id === "string" ? this.#names.get(row.platform)?.get(id) : undefined;
        for (const { name, field, isAccount } of columns) {
          if (isAccount(row)) row[name] = names?.[field] ?? row[name] ?? null;
        }
      }
    }
  }

  async #learnMentions(rows: PlatformRow[]): Promise<void> {
    const texts = this.#columns.filter(({ person }) => person?.as === "text");
    const mentions = (row: PlatformRow) => texts.flatMap(({ name }) => namesIn(row[name]));
    await this.#remember(this.#ids, rows, mentions, (reader, platform, names) => reader.getAccountIds(platform, names));
  }

  /** Loads what is not known yet of each row's platform; what is not found is null. */
  async #remember<Value>(
    known: Known<Value>,
    rows: readonly PlatformRow[],
    keysOf: (row: PlatformRow) => string[],
    load: (reader: TableReader, platform: PlatformName, keys: string[]) => Promise<Map<string, Value>>,
  ): Promise<void> {
    const unknown = new Map<PlatformName, Set<string>>();
    for (const row of rows) {
      const { platform } = row;
      const values = known.get(platform);
      for (const key of keysOf(row)) {
        if (values?.has(key) === true) continue;
        unknown.set(platform, (unknown.get(platform) ?? new Set()).add(key));
      }
    }
    for (const [platform, keys] of unknown) {
      const loaded = await load(this.#reader, platform, [...keys]);
      const values = known.get(platform) ?? new Map<string, Value | null>();
      known.set(platform, values);
      for (const key of keys) values.set(key, loaded.get(key) ?? null);
    }
  }

  #withoutMentions(platform: PlatformName, text: string): string {
    const ids = this.#ids.get(platform);
    return replaceMentions(text, (mention, run) => {
      const known = listNames(run).find((name) => ids?.get(foldName(name)) != null && !isPartOfName(name, run));
      const name = known ?? guessName(run);
      if (name === null) return mention;
      const id = ids?.get(foldName(name)) ?? provisionalId(name);
      return `@${this.#pseudonym(platform, id)}${run.slice(name.length)}`;
    });
  }
}

/** What is before the name at the end of a title; null if there is none. A name may contain a dash itself. */
function beforeName(title: string, name: Cell): string | null {
  if (typeof name === "string" && name !== "" && title.endsWith(name)) {
    const begin = title.slice(0, -name.length);
    if (!LETTER_AT_END.test(begin)) return begin;
  }
  return BEFORE_NAME.exec(title)?.[1] ?? null;
}

/** Whether more of the name would stay in the text. Who writes a name with capitals may write its rest with one. */
function isPartOfName(name: string, run: string): boolean {
  const rest = run.slice(name.length);
  return REST_OF_NAME.test(name === name.toLowerCase() ? rest : rest.toLowerCase());
}

function namesIn(cell: Cell | undefined): string[] {
  return typeof cell === "string" ? listMentions(cell).flatMap(listNames).map(foldName) : [];
}

async function loadNames(reader: TableReader, platform: PlatformName, ids: string[]): Promise<Map<string, Names>> {
  const rows = await reader.getAccountRows(platform, ids, { withoutNative: true });
  return new Map(
    [...rows].flatMap(([id, [, kind, , header]]) => {
      if (kind !== "account") return [];
      const { name, displayName } = parseJsonText(header);
      return [[id, { name, displayName }]];
    }),
  );
}
