/** Fills in the names of accounts, and replaces people by pseudonyms if asked to. */
import { createHmac } from "node:crypto";
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import { isProvisional, platformId, provisionalId } from "#domain/provisional-id.ts";
import type { PlatformName } from "#domain/record.ts";
import type { TableReader } from "#store/tables.ts";
import type { Cell, Column, ExportKind } from "./kinds.ts";

type Names = Pick<Account, "name" | "displayName">;

/** Names that are kept between batches. */
const MAX_NAMES = 50_000;

const MENTION = /(?<![\p{L}\p{N}_.@])@([\p{L}\p{N}_](?:[\p{L}\p{N}_.]*[\p{L}\p{N}_])?)/gu;

export class People {
  readonly #reader: TableReader;
  readonly #columns: readonly Column[];
  readonly #key: Buffer | null;
  /** By platform and id. */
  readonly #names = new Map<string, Names | null>();
  /** Account ids by platform and folded name. */
  readonly #ids = new Map<string, string | null>();

  /** The key makes pseudonyms; null leaves people as they are. */
  constructor(reader: TableReader, { columns }: ExportKind, key: Buffer | null) {
    this.#reader = reader;
    this.#columns = columns;
    this.#key = key;
  }

  /** Changes the cells in place. */
  async complete(rows: Cell[][]): Promise<void> {
    for (const [index, { person }] of this.#columns.entries()) {
      if (person?.as === "name" && person.lookUp !== undefined && this.#key === null) {
        await this.#fillNames(rows, index, this.#indexOf(person.of), person.lookUp);
      }
    }
    if (this.#key !== null) await this.#learnMentions(rows);
    // Names before ids: a name's pseudonym is that of the id beside it.
    for (const as of ["name", "text", "id"] as const) {
      for (const [index, { person }] of this.#columns.entries()) {
        if (person?.as === as) for (const cells of rows) cells[index] = this.#shown(person, cells, index);
      }
    }
  }

  #indexOf(name: string): number {
    return this.#columns.findIndex((column) => column.name === name);
  }

  #shown(person: NonNullable<Column["person"]>, cells: Cell[], index: number): Cell {
    const cell = cells[index] ?? null;
    const platform = cells[0] as string;
    if (this.#key === null) {
      if (person.as !== "id") return cell;
      if (typeof cell === "string") return platformId(cell);
      return Array.isArray(cell) ? cell.filter((id: string) => !isProvisional(id)) : cell;
    }
    if (person.as === "text") return typeof cell === "string" ? this.#withoutMentions(platform, cell) : cell;
    if (person.as === "name") {
      const id = cells[this.#indexOf(person.of)];
      if (typeof id === "string") return this.#pseudonym(platform, id);
      return typeof cell === "string" ? this.#pseudonym(platform, provisionalId(cell)) : null;
    }
    if (person.when?.(cells) === false) return cell;
    if (typeof cell === "string") return this.#pseudonym(platform, cell);
    return Array.isArray(cell) ? cell.map((id: string) => this.#pseudonym(platform, id)) : cell;
  }

  /** Stable for one pepper, and useless without it. */
  #pseudonym(platform: PlatformName, id: string): string {
    return `p_${createHmac("sha256", this.#key as Buffer)
      .update(`${platform}/${id}`)
      .digest("base64url")
      .slice(0, 22)}`;
  }

  async #fillNames(rows: Cell[][], index: number, idIndex: number, field: keyof Names): Promise<void> {
    for (const [platform, group] of Map.groupBy(rows, (cells) => cells[0] as string)) {
      const ids = group.map((cells) => cells[idIndex]).filter((id) => typeof id === "string");
      await remember(this.#names, platform, ids, async (unknown) => {
        const headers = await this.#reader.getAccountHeaders(platform, unknown);
        return new Map([...headers].map(([id, header]) => [id, namesIn(header)]));
      });
      for (const cells of group)
        cells[index] = this.#names.get(`${platform}/${String(cells[idIndex])}`)?.[field] ?? null;
    }
  }

  async #learnMentions(rows: Cell[][]): Promise<void> {
    const indices = [...this.#columns.entries()]
      .filter(([, { person }]) => person?.as === "text")
      .map(([index]) => index);
    for (const [platform, group] of Map.groupBy(rows, (cells) => cells[0] as string)) {
      const names = group.flatMap((cells) => indices.flatMap((index) => mentionsIn(cells[index])));
      await remember(this.#ids, platform, names, (unknown) => this.#reader.getAccountIds(platform, unknown));
    }
  }

  #withoutMentions(platform: PlatformName, text: string): string {
    return text.replaceAll(MENTION, (_mention, name: string) => {
      const id = this.#ids.get(`${platform}/${foldName(name)}`) ?? provisionalId(name);
      return `@${this.#pseudonym(platform, id)}`;
    });
  }
}

function mentionsIn(cell: Cell | undefined): string[] {
  return typeof cell === "string" ? [...cell.matchAll(MENTION)].map(([, name]) => foldName(name as string)) : [];
}

function namesIn(header: string): Names {
  const { name, displayName } = JSON.parse(header) as Account;
  return { name, displayName };
}

/** Loads what is not known yet; what is not found is null. */
async function remember<Value>(
  known: Map<string, Value | null>,
  platform: PlatformName,
  keys: readonly string[],
  load: (unknown: string[]) => Promise<Map<string, Value>>,
): Promise<void> {
  if (known.size > MAX_NAMES) known.clear();
  const unknown = [...new Set(keys)].filter((key) => !known.has(`${platform}/${key}`));
  if (unknown.length === 0) return;
  const loaded = await load(unknown);
  for (const key of unknown) known.set(`${platform}/${key}`, loaded.get(key) ?? null);
}
