/**
 * Access tokens: made, verified, listed, revoked, rotated. Only digests reach the store; a token itself is returned once
 * and kept nowhere. Instants that are passed in are Unix milliseconds; records hold Unix seconds.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { DAY_S } from "#domain/time.ts";
import type { TokenLimits, TokenRecord } from "#domain/token.ts";
import { ApiError } from "#errors";
import type { StoreEvents, Tokens } from "#store/store.ts";
import { TtlCache } from "./ttl-cache.ts";
import { VerifiedTokenCache } from "./verified-token-cache.ts";
import { makeToken, parseToken } from "./token-format.ts";

const DEFAULT_LIFETIME_DAYS = 90;
const MAX_LIFETIME_DAYS = 36_500;
const DEFAULT_OVERLAP_S = DAY_S;
const MAX_LABEL_LENGTH = 100;
const MAX_LIMIT = 1_000_000_000;
const MIN_FIXED_LENGTH = 20;

/** A revocation by another process is seen after this long at the latest, whether or not we are told of it. */
const MEMORY = { lifetimeMs: 1_000, capacity: 10_000 };

/** Who asks, as far as a valid token tells. */
export interface Principal {
  keyId: string;
  label: string;
  scopes: ReadonlySet<string>;
  limits: TokenLimits;
}

export interface TokenRequest {
  label: string;
  scopes: readonly string[];
  /** Default 90; null for a token that does not expire. */
  expiresInDays?: number | null;
  limits?: TokenLimits;
}

export interface IssuedToken {
  /** Shown once: it cannot be had again. */
  token: string;
  record: TokenRecord;
}

/** A token that the operator sets from outside and that stands in no store. */
export interface EnvToken {
  token: string;
  scopes: readonly string[];
}

/** The request cannot be granted as it stands; the message says why and what would be right. */
export class TokenError extends Error {
  override name = "TokenError";
}

interface Credential {
  digest: Buffer;
  bearer: Principal;
  expiresAtMs: number;
}

export class TokenRegistry {
  readonly #tokens: Tokens;
  readonly #key: Buffer;
  readonly #fixed: Credential | null;
  readonly #held = new TtlCache<Credential | null>(MEMORY);
  readonly #proven = new VerifiedTokenCache<Credential>(MEMORY);

  /** `key` is the key for tokens of secrets.ts. */
  constructor(tokens: Tokens, key: Buffer, fixed: EnvToken | null = null) {
    this.#tokens = tokens;
    this.#key = key;
    this.#fixed = fixed === null ? null : this.#fixedCredential(fixed);
  }

  async create(request: TokenRequest, now = Date.now()): Promise<IssuedToken> {
    const { label, scopes, expiresInDays = DEFAULT_LIFETIME_DAYS, limits = {} } = request;
    checkLabel(label);
    if (scopes.length === 0) throw new TokenError("A token needs at least one scope.");
    checkLimits(limits);
    if (expiresInDays !== null) {
      checkWhole("The lifetime of a token in days", expiresInDays, 1, MAX_LIFETIME_DAYS);
    }
    const lifetimeS = expiresInDays === null ? null : expiresInDays * DAY_S;
    return this.#issue({ label, scopes, lifetimeS, limits }, now);
  }

  /** The bearer of a valid token; null for one that is malformed, unknown, expired or revoked, without saying which. */
  async verify(presented: string, now: number): Promise<Principal | null> {
    const digest = this.#digestOf(presented);
    if (this.#fixed !== null && timingSafeEqual(digest, this.#fixed.digest)) {
      this.#proven.put(presented, this.#fixed.bearer.keyId, this.#fixed, now, now);
      return this.#fixed.bearer;
    }
    const parsed = parseToken(presented);
    if (parsed === null) return null;
    const { keyId } = parsed;
    const lookingUp = this.#held.get(keyId, now, () => this.#lookUp(keyId));
    const credential = await lookingUp;
    if (credential === null || !timingSafeEqual(digest, credential.digest)) return null;
    const bearer = bearerAt(credential, now);
    // Not if it was forgotten while we waited: then it may have been revoked.
    const askedAt = this.#held.askedAt(keyId, lookingUp);
    if (bearer !== null && askedAt !== undefined) this.#proven.put(presented, keyId, credential, askedAt, now);
    return bearer;
  }

  /**
   * What `verify` would say of a text that it proved within the last second, at once and without a digest; undefined
   * for any other, which has to be verified.
   */
  verifyCached(presented: string, now: number): Principal | null | undefined {
    const credential = this.#proven.get(presented, now);
    return credential === undefined ? undefined : bearerAt(credential, now);
  }

  /** Forgets what others have changed as soon as they tell. What it returns ends that. */
  subscribe(events: StoreEvents): () => Promise<void> {
    const end = events.subscribe((event) => {
      if (event.about === "token") this.#forget(event.keyId);
      else if (event.about === "anything") {
        this.#held.forgetAll();
        this.#proven.forgetAll();
      }
    });
    return async () => end();
  }

  list(): Promise<TokenRecord[]> {
    return this.#tokens.listTokens();
  }

  /** Null when there is no such token. Revoking again changes nothing. */
  async revoke(keyId: string, now = Date.now()): Promise<TokenRecord | null> {
    const record = await this.#tokens.getToken(keyId);
    if (record === null || record.revokedAt !== null) return record;
    const revoked = { ...record, revokedAt: toSeconds(now) };
    await this.#keep(revoked);
    return revoked;
  }

  /** A new token with the same label, scopes, limits and lifetime; the old one goes on for the overlap, not longer. */
  async rotate(keyId: string, options: { overlapSeconds?: number } = {}, now = Date.now()): Promise<IssuedToken> {
    const { overlapSeconds = DEFAULT_OVERLAP_S } = options;
    checkWhole("The overlap in seconds", overlapSeconds, 0, MAX_LIFETIME_DAYS * DAY_S);
    const old = await this.#tokens.getToken(keyId);
    checkRotatable(keyId, old, now);
    const lifetimeS = old.expiresAt === null ? null : old.expiresAt - old.createdAt;
    const issued = await this.#issue({ ...old, lifetimeS }, now);
    // The new token stands before the old one is ended: a crash between the two locks nobody out.
    const overlapEnd = toSeconds(now) + overlapSeconds;
    await this.#keep({
      ...old,
      expiresAt: old.expiresAt === null ? overlapEnd : Math.min(old.expiresAt, overlapEnd),
      replacedBy: issued.record.keyId,
    });
    return issued;
  }

  async #issue(
    like: {
      label: string;
      scopes: readonly string[];
      lifetimeS: number | null;
      limits: TokenLimits;
    },
    now: number,
  ): Promise<IssuedToken> {
    const { token, keyId } = makeToken();
    const createdAt = toSeconds(now);
    const record: TokenRecord = {
      keyId,
      digest: this.#digestOf(token).toString("hex"),
      label: like.label,
      scopes: [...new Set(like.scopes)],
      createdAt,
      expiresAt: like.lifetimeS === null ? null : createdAt + like.lifetimeS,
      revokedAt: null,
      limits: { ...like.limits },
      replacedBy: null,
    };
    await this.#keep(record);
    return { token, record };
  }

  async #keep(record: TokenRecord): Promise<void> {
    await this.#tokens.writeToken(record);
    // Only after the write: a look-up that ran beside it may have seen the record as it was.
    this.#forget(record.keyId);
  }

  #forget(keyId: string): void {
    this.#held.forget(keyId);
    this.#proven.forget(keyId);
  }

  /** Without the store nobody is let in, and nobody is told that its token is wrong. */
  async #lookUp(keyId: string): Promise<Credential | null> {
    try {
      return credentialOf(await this.#tokens.getToken(keyId));
    } catch (cause) {
      throw new ApiError("service_unavailable", "tokens cannot be looked up just now; try again in 1 s", {
        headers: { "retry-after": "1" },
        cause,
      });
    }
  }

  #digestOf(token: string): Buffer {
    return createHmac("sha256", this.#key).update(token).digest();
  }

  #fixedCredential({ token, scopes }: EnvToken): Credential {
    if (token.length < MIN_FIXED_LENGTH || !/^[\x21-\x7e][\x20-\x7e]*[\x21-\x7e]$/.test(token)) {
      throw new TokenError(
        `API_TOKEN must have at least ${MIN_FIXED_LENGTH} printable ASCII characters, with no space at its ends.`,
      );
    }
    return {
      digest: this.#digestOf(token),
      bearer: { keyId: "environment", label: "API_TOKEN", scopes: new Set(scopes), limits: {} },
      expiresAtMs: Number.POSITIVE_INFINITY,
    };
  }
}

function bearerAt(credential: Credential, now: number): Principal | null {
  return now < credential.expiresAtMs ? credential.bearer : null;
}

/** Null for whatever can never be valid again, a damaged digest included. */
function credentialOf(record: TokenRecord | null): Credential | null {
  if (record === null || record.revokedAt !== null || !/^[0-9a-f]{64}$/.test(record.digest)) {
    return null;
  }
  const { keyId, label, limits } = record;
  return {
    digest: Buffer.from(record.digest, "hex"),
    bearer: { keyId, label, scopes: new Set(record.scopes), limits },
    expiresAtMs: record.expiresAt === null ? Number.POSITIVE_INFINITY : record.expiresAt * 1000,
  };
}

function checkRotatable(keyId: string, record: TokenRecord | null, now: number): asserts record is TokenRecord {
  if (record === null) throw new TokenError(`There is no token ${keyId}.`);
  if (record.revokedAt !== null) throw new TokenError(`Token ${keyId} is revoked; create a new one instead.`);
  if (record.replacedBy !== null) {
    throw new TokenError(`Token ${keyId} was rotated already; rotate ${record.replacedBy}, which took its place.`);
  }
  if (record.expiresAt !== null && now >= record.expiresAt * 1000) {
    throw new TokenError(`Token ${keyId} has expired; create a new one instead.`);
  }
}

function checkLabel(label: string): void {
  // Control characters would let a label rewrite the terminal that lists it.
  if (label.trim() === "" || label.length > MAX_LABEL_LENGTH || /\p{Cc}/u.test(label)) {
    throw new TokenError(
      `The label of a token must be a line of 1 to ${MAX_LABEL_LENGTH} characters that says what it is for.`,
    );
  }
}

function checkLimits(limits: TokenLimits): void {
  for (const name of ["burst", "daily", "concurrency"] as const) {
    const value = limits[name];
    if (value !== undefined) checkWhole(`The ${name} limit`, value, 1, MAX_LIMIT);
  }
}

function checkWhole(what: string, value: number, minimum: number, maximum: number): void {
  if (!Number.isInteger(value) || value < minimum || value > maximum) {
    throw new TokenError(`${what} must be a whole number from ${minimum} to ${maximum}.`);
  }
}

function toSeconds(now: number): number {
  return Math.floor(now / 1000);
}
