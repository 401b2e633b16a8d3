/**
 * An append-only log of erasures, exports and administrative acts. Each entry is sealed with a key that derives from the
 * pepper, which is not in the store, together with the seal before it: someone who can write the store but has no pepper cannot
 * change, remove, insert or reorder an entry unnoticed.
 */
import { createHmac } from "node:crypto";
import type { AuditAction, AuditDetails, AuditEntry, AuditEvent } from "#domain/audit.ts";
import type { PlatformName } from "#domain/record.ts";
import type { TokenRecord } from "#domain/token.ts";
import type { AuditLogMissing, AuditTable } from "#store/audit/port.ts";
import type { Tokens } from "#store/tokens/port.ts";

export interface Audit {
  record(event: AuditEvent): Promise<void>;
}

export interface AuditProblem {
  /** The entry, or null for the log as a whole. */
  number: number | null;
  problem: string;
}

export interface AuditVerdict {
  entries: number;
  /** The seal of the last entry: kept elsewhere, it proves later that nothing before it has changed. */
  seal: string | null;
  problems: AuditProblem[];
}

const PAGE_SIZE = 1_000;
const MAX_PROBLEMS = 20;

/** How much later than its token an entry may be written: a large store may be being rewritten. */
const MAX_RECORDING_MS = 3_600_000;

const UNLESS_RESTORED = "unless they came with a restore on a machine without the pepper";
const EMPTY_WITH_TOKENS = `it is empty, but the store has tokens, whose creation it records: it was deleted, ${UNLESS_RESTORED}`;
const OLDER_TOKENS = `entries from before the first one are missing: the store has older tokens, ${UNLESS_RESTORED}`;

export class AuditLog implements Audit {
  readonly #table: AuditTable;
  readonly #key: Buffer;
  readonly #clock: () => number;

  /** `key` is the audit key of secrets.ts. */
  constructor(table: AuditTable, key: Buffer, clock: () => number = Date.now) {
    this.#table = table;
    this.#key = key;
    this.#clock = clock;
  }

  async record({ actor, action, details }: AuditEvent): Promise<void> {
    await this.#table.append((number, previousSeal) => {
      const unsealed = { number, at: this.#clock(), actor, action, details: JSON.stringify(details) };
      const entry = { ...unsealed, seal: this.#sealEntry(unsealed, previousSeal) };
      return { entry, head: { number, seal: this.#seal("head", number, entry.seal) } };
    });
  }

  listNewest(limit: number, action: AuditAction | null = null): Promise<AuditEntry[]> {
    return this.#table.listNewest(limit, action);
  }

  /** Whether the last entry was sealed with this pepper, by which tokens are recognised too. */
  async isSealedHere(): Promise<boolean> {
    const [head, [last]] = await Promise.all([this.#table.getHead(), this.#table.listNewest(1, null)]);
    return head === null || last === undefined || head.seal === this.#seal("head", last.number, last.seal);
  }

  /** Reads the whole log. The tokens of the store prove that it was begun: each creation is an entry. */
  async verify(tokens: Pick<Tokens, "listTokens">): Promise<AuditVerdict> {
    try {
      return await this.#verify(await tokens.listTokens());
    } catch (error) {
      if (!isLogMissing(error)) throw error;
      return { entries: 0, seal: null, problems: [{ number: null, problem: error.message }] };
    }
  }

  async #verify(tokens: readonly TokenRecord[]): Promise<AuditVerdict> {
    const problems: AuditProblem[] = [];
    let last: Pick<AuditEntry, "number" | "seal"> = { number: 0, seal: "" };
    let entries = 0;
    let firstAt: number | null = null;
    let wasRestored = false;
    for (;;) {
      const page = await this.#table.list(last.number, PAGE_SIZE);
      for (const entry of page) {
        const expected = last.number + 1;
        if (entry.number !== expected) {
          problems.push({ number: expected, problem: describeGap(expected, entry.number - 1) });
        } else if (entry.seal !== this.#sealEntry(entry, last.seal)) {
          problems.push({ number: entry.number, problem: `entry ${entry.number} was changed or put in another place` });
        }
        firstAt ??= entry.at;
        wasRestored ||= entry.action === "restore";
        last = entry;
        entries++;
      }
      if (page.length < PAGE_SIZE || problems.length >= MAX_PROBLEMS) break;
    }
    const head = await this.#table.getHead();
    const isSealed = head?.number === last.number && head.seal === this.#seal("head", last.number, last.seal);
    if (firstAt === null && head === null) {
      const problem = { number: null, problem: EMPTY_WITH_TOKENS };
      return { entries, seal: null, problems: tokens.length > 0 ? [problem] : [] };
    }
    if (head === null) problems.push({ number: null, problem: "the seal of the last entry is missing" });
    else if (head.number > last.number) {
      problems.push({ number: last.number + 1, problem: describeGap(last.number + 1, head.number) });
    } else if (!isSealed && problems.length === 0) {
      problems.push({ number: last.number, problem: "the last entry is not the one that was sealed last" });
    }
    const oldestToken = Math.min(...tokens.map(({ createdAt }) => createdAt * 1000));
    if (firstAt !== null && !wasRestored && oldestToken < firstAt - MAX_RECORDING_MS) {
      problems.push({ number: null, problem: OLDER_TOKENS });
    }
    return { entries, seal: last.seal === "" ? null : last.seal, problems: problems.slice(0, MAX_PROBLEMS) };
  }

  /** The digest by which the log knows a record or a person. */
  subjectOf(platform: PlatformName, kind: string, id: string): string {
    return this.#seal("subject", platform, kind, id).slice(0, 22);
  }

  #sealEntry({ number, at, actor, action, details }: Omit<AuditEntry, "seal">, previousSeal: string): string {
    return this.#seal("entry", number, at, actor, action, details, previousSeal);
  }

  #seal(...parts: (string | number)[]): string {
    return createHmac("sha256", this.#key).update(JSON.stringify(parts)).digest("base64url");
  }
}

function isLogMissing(error: unknown): error is AuditLogMissing {
  const name: AuditLogMissing["name"] = "AuditLogMissing";
  return error instanceof Error && error.name === name;
}

function describeGap(first: number, last: number): string {
  return first === last ? `entry ${first} is missing` : `entries ${first} to ${last} are missing`;
}

/** A token that was created, revoked or rotated. */
export function tokenEvent(
  actor: string,
  action: "token.create" | "token.revoke" | "token.rotate",
  { keyId, scopes }: Pick<TokenRecord, "keyId" | "scopes">,
  more: AuditDetails = {},
): AuditEvent {
  return { actor, action, details: { keyId, scopes: scopes.join(" "), ...more } };
}

interface ExportedSet {
  kind: { name: string };
  format: { name: string };
  platforms: readonly PlatformName[];
  where: string | null;
  pseudonyms: Buffer | null;
}

/** What left the store. The query is not written down: it may name somebody. */
export function exportEvent(
  actor: string,
  { kind, format, platforms, where, pseudonyms }: ExportedSet,
  rows: number,
): AuditEvent {
  const details = { kind: kind.name, format: format.name, platforms: platforms.join(" "), rows };
  return {
    actor,
    action: "export",
    details: { ...details, filtered: where !== null, pseudonymised: pseudonyms !== null },
  };
}
