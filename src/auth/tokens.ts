/**
 * Creates, verifies, lists, revokes and rotates access tokens. The store has digests only; a token itself is returned
 * once and stored nowhere. Parameters named `now` are Unix milliseconds; records have Unix seconds.
 */
import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import { DAY_S } from "#domain/time.ts";
import type { TokenLimits, TokenRecord } from "#domain/token.ts";
import { unavailable } from "#errors";
import type { StoreEvents } from "#store/write/events.ts";
import type { FoundToken, SessionEnds, Tokens } from "#store/tokens/port.ts";
import { CHANGING_SCOPES } from "./scopes.ts";
import { isSigned, newSessionId, parseSession, type SessionClaim, sessionEnd, signSession } from "./sessions.ts";
import { isUsable } from "./token-state.ts";
import { generateToken, parseToken } from "./token-format.ts";
import { isUnsealed, openDigest, sealDigest } from "./token-seal.ts";

const DEFAULT_LIFETIME_DAYS = 90;
const MAX_LIFETIME_DAYS = 36_500;
const DEFAULT_OVERLAP_S = DAY_S;
const MAX_LABEL_LENGTH = 100;
const MAX_LIMIT = 1_000_000_000;
const MIN_ENV_TOKEN_LENGTH = 20;
/** Most sign-outs of a token within the lifetime of a session; the next one ends all, so that nobody fills the store. */
const MAX_ENDED_SESSIONS = 1_000;

/** A revocation by another process takes effect after this long at the latest, even if its event is lost. */
const CACHE_TTL_MS = 1_000;
/** Bounds the memory that unknown tokens can take. */
const MAX_CACHED = 10_000;

/** The client, as identified by a valid token. */
export interface Principal {
  keyId: string;
  label: string;
  scopes: ReadonlySet<string>;
  limits: TokenLimits;
  /** Confirmed by a replica only: scopes that change anything are missing. */
  isFromReplica?: boolean;
  /** Unix milliseconds; null for a token that does not expire. */
  expiresAt: number | null;
}

/** A browser's session, which acts as a token does. */
export interface Session {
  /** What the browser sends. */
  value: string;
  principal: Principal;
  /** Unix milliseconds. */
  expiresAt: number;
}

export interface TokenRequest {
  label: string;
  scopes: readonly string[];
  /** Default 90; null for a token that does not expire. */
  expiresInDays?: number | null;
  limits?: TokenLimits;
}

export interface IssuedToken {
  /** Cannot be read again later. */
  token: string;
  record: TokenRecord;
}

/** A token that the operator sets in the environment; it is not in the store. */
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
  principal: Principal;
}

interface SessionCredential extends Credential {
  ends: SessionEnds;
}

export class TokenRegistry {
  readonly #tokens: Tokens;
  readonly #key: Buffer;
  readonly #sessionKey: Buffer;
  readonly #envCredential: Credential | null;
  /** By a hash of the token. Promises, so that concurrent look-ups of a token are one, dated from its start. */
  readonly #cache: LRUCache<string, Promise<Credential | null>>;
  /** By key id. */
  readonly #sessions: LRUCache<string, Promise<SessionCredential | null>>;

  /** `key` is the token key of secrets.ts. `clock` is monotonic: setting the system clock prolongs no entry. */
  constructor(tokens: Tokens, key: Buffer, envToken: EnvToken | null = null, clock: { now(): number } = performance) {
    this.#tokens = tokens;
    this.#key = key;
    this.#sessionKey = createHmac("sha256", key).update("sessions").digest();
    this.#envCredential = envToken === null ? null : this.#createEnvCredential(envToken);
    // By size: `max` would allocate room for all entries at once.
    const bounds = { maxSize: MAX_CACHED, sizeCalculation: () => 1 };
    const options = { ...bounds, ttl: CACHE_TTL_MS, ttlResolution: 0, perf: clock };
    this.#cache = new LRUCache(options);
    this.#sessions = new LRUCache(options);
  }

  async create(request: TokenRequest, now = Date.now()): Promise<IssuedToken> {
    const { label, scopes, expiresInDays = DEFAULT_LIFETIME_DAYS, limits = {} } = request;
    checkLabel(label);
    if (scopes.length === 0) throw new TokenError("a token needs at least one scope");
    checkLimits(limits);
    if (expiresInDays !== null) {
      checkWhole("the lifetime of a token in days", expiresInDays, 1, MAX_LIFETIME_DAYS);
    }
    const lifetimeS = expiresInDays === null ? null : expiresInDays * DAY_S;
    return this.#issue({ label, scopes, lifetimeS, limits }, now);
  }

  /** Null for a token that is malformed, unknown, expired or revoked, without telling which. */
  async verify(token: string, now: number): Promise<Principal | null> {
    return (await this.#lookUpToken(token, now))?.principal ?? null;
  }

  /** Null for a token that `verify` rejects. */
  async startSession(token: string, now: number): Promise<Session | null> {
    const credential = await this.#lookUpToken(token, now);
    if (credential === null) return null;
    const { principal, digest } = credential;
    const { keyId } = principal;
    // Not from the cache, which may be of before the last epoch.
    const { epoch } = await this.#getSessionEnds(keyId);
    const claim = { keyId, expiresAt: sessionEnd(principal.expiresAt, now), id: newSessionId(), epoch };
    return { value: signSession(this.#sessionKey, claim, digest), principal, expiresAt: claim.expiresAt };
  }

  /** Null if the session has ended, or its token is no longer valid. */
  async verifySession(value: string, now: number): Promise<Session | null> {
    const found = await this.#findSession(value, now);
    if (found === null) return null;
    const { principal, expiresAt } = found;
    return { value, principal, expiresAt: Math.min(expiresAt, principal.expiresAt ?? expiresAt) };
  }

  /** Refuses the session from now on, or all of its token. Returns false if it had ended before. */
  async endSession(value: string, { everywhere }: { everywhere: boolean }, now = Date.now()): Promise<boolean> {
    const session = await this.#findSession(value, now);
    if (session === null) return false;
    const { keyId, id, expiresAt, ends } = session;
    await this.#write(
      everywhere || ends.ended.length >= MAX_ENDED_SESSIONS
        ? this.#tokens.endAllSessions(keyId)
        : this.#tokens.endSession(keyId, id, toSeconds(expiresAt), toSeconds(now)),
    );
    return true;
  }

  async #findSession(value: string, now: number): Promise<(SessionClaim & SessionCredential) | null> {
    const claim = parseSession(value);
    if (claim === null || now >= claim.expiresAt) return null;
    const { keyId, id, epoch } = claim;
    const find = () => lookUp(this.#sessions, keyId, () => this.#findByKeyId(keyId), now);
    let credential = await find();
    if (credential === null || !isSigned(this.#sessionKey, claim, credential.digest)) return null;
    if (credential.ends.epoch < epoch) {
      // Another node began an epoch, and this one has not heard of it yet.
      this.#sessions.delete(keyId);
      credential = await find();
    }
    return credential?.ends.epoch === epoch && !credential.ends.ended.includes(id) ? { ...claim, ...credential } : null;
  }

  #lookUpToken(token: string, now: number): Promise<Credential | null> {
    return lookUp(this.#cache, hash("sha256", token, "base64url"), () => this.#findCredential(token), now);
  }

  /** Drops cached tokens when another process changes one. Returns an unsubscribe function. */
  subscribe(events: StoreEvents): () => Promise<void> {
    const unsubscribe = events.subscribe((event) => {
      if (event.about === "token" || event.about === "anything") this.#dropCached();
    });
    return async () => unsubscribe();
  }

  /**
   * Seals the rows that an earlier version wrote: until then nothing tells whether their scopes are theirs. Under a pepper
   * that was put there by mistake, the seals would be wrong once the right one is back.
   */
  async sealEarlier(isOwnPepper: () => Promise<boolean>): Promise<void> {
    const earlier = (await this.list()).filter(isUnsealed);
    if (earlier.length === 0 || !(await isOwnPepper())) return;
    for (const record of earlier) {
      await this.#tokens.sealToken(record.keyId, record.digest, sealDigest(this.#key, record));
    }
  }

  /** Tokens in force by their columns that let nobody in: changed in the store, or made with another pepper. */
  async listRefused(now = Date.now()): Promise<TokenRecord[]> {
    return (await this.list()).filter((record) => isUsable(record, now) && openDigest(this.#key, record) === null);
  }

  list(): Promise<TokenRecord[]> {
    return this.#tokens.listTokens();
  }

  /** Labels by key id, that of API_TOKEN included. */
  async labels(): Promise<Map<string, string>> {
    const labels = new Map((await this.list()).map(({ keyId, label }) => [keyId, label]));
    if (this.#envCredential !== null) {
      const { keyId, label } = this.#envCredential.principal;
      labels.set(keyId, label);
    }
    return labels;
  }

  get(keyId: string): Promise<TokenRecord | null> {
    return this.#tokens.getToken(keyId);
  }

  /** Null if there is no such token. Idempotent. */
  async revoke(keyId: string, now = Date.now()): Promise<TokenRecord | null> {
    await this.#write(this.#tokens.revokeToken(keyId, toSeconds(now)));
    return this.#tokens.getToken(keyId);
  }

  /** Issues a token with the same label, scopes, limits and lifetime; the old one expires after the overlap. */
  async rotate(keyId: string, options: { overlapSeconds?: number } = {}, now = Date.now()): Promise<IssuedToken> {
    const { overlapSeconds = DEFAULT_OVERLAP_S } = options;
    checkWhole("the overlap in seconds", overlapSeconds, 0, MAX_LIFETIME_DAYS * DAY_S);
    const old = await this.#tokens.getToken(keyId);
    checkRotatable(keyId, old, now);
    if (openDigest(this.#key, old) === null) {
      throw new TokenError(
        `token ${keyId} was changed in the store without the pepper; revoke it and create a new one`,
      );
    }
    const lifetimeS = old.expiresAt === null ? null : old.expiresAt - old.createdAt;
    const issued = await this.#issue({ ...old, lifetimeS }, now);
    // The new token is stored first: a crash between the two writes locks nobody out.
    const overlapEnd = toSeconds(now) + overlapSeconds;
    const expiresAt = Math.min(old.expiresAt ?? overlapEnd, overlapEnd);
    const successor = issued.record.keyId;
    const digest = sealDigest(this.#key, { ...old, expiresAt });
    if (await this.#write(this.#tokens.replaceToken(keyId, successor, expiresAt, digest))) return issued;
    // Revoked or rotated meanwhile: its successor must not outlive it.
    await this.revoke(successor, now);
    checkRotatable(keyId, await this.#tokens.getToken(keyId), now);
    throw new TokenError(`token ${keyId} was changed at the same moment; try again`);
  }

  async #issue(
    template: {
      label: string;
      scopes: readonly string[];
      lifetimeS: number | null;
      limits: TokenLimits;
    },
    now: number,
  ): Promise<IssuedToken> {
    const { token, keyId } = generateToken();
    const createdAt = toSeconds(now);
    const unsealed: TokenRecord = {
      keyId,
      digest: this.#digestOf(token).toString("hex"),
      label: template.label,
      scopes: [...template.scopes],
      createdAt,
      expiresAt: template.lifetimeS === null ? null : createdAt + template.lifetimeS,
      revokedAt: null,
      limits: { ...template.limits },
      replacedBy: null,
    };
    const record = { ...unsealed, digest: sealDigest(this.#key, unsealed) };
    await this.#write(this.#tokens.writeToken(record));
    return { token, record };
  }

  async #write<Result>(writing: Promise<Result>): Promise<Result> {
    const result = await writing;
    // After the write, since a concurrent look-up may have read the old record. All entries: changes are rare.
    this.#dropCached();
    return result;
  }

  #dropCached(): void {
    this.#cache.clear();
    this.#sessions.clear();
  }

  async #findCredential(token: string): Promise<Credential | null> {
    const digest = this.#digestOf(token);
    if (this.#envCredential !== null && timingSafeEqual(digest, this.#envCredential.digest)) return this.#envCredential;
    const parsed = parseToken(token);
    const credential = parsed === null ? null : await this.#getStored(parsed.keyId);
    return credential !== null && timingSafeEqual(digest, credential.digest) ? credential : null;
  }

  async #findByKeyId(keyId: string): Promise<SessionCredential | null> {
    const isEnv = keyId === this.#envCredential?.principal.keyId;
    const credential = isEnv ? this.#envCredential : await this.#getStored(keyId);
    return credential === null ? null : { ...credential, ends: await this.#getSessionEnds(keyId) };
  }

  async #getStored(keyId: string): Promise<Credential | null> {
    return this.#toCredential((await whileAvailable(this.#tokens.getToken(keyId))) ?? NO_TOKEN);
  }

  #getSessionEnds(keyId: string): Promise<SessionEnds> {
    return whileAvailable(this.#tokens.getSessionEnds(keyId));
  }

  /** Null for a token that can never be valid again, also for a row that was changed. */
  #toCredential(record: FoundToken): Credential | null {
    const digest = openDigest(this.#key, record);
    if (record.revokedAt !== null || digest === null) return null;
    const { keyId, label, limits, isFromReplica = false } = record;
    const scopes = record.scopes.filter((scope) => !isFromReplica || !CHANGING_SCOPES.has(scope));
    const expiresAt = record.expiresAt === null ? null : record.expiresAt * 1000;
    return {
      digest,
      principal: { keyId, label, scopes: new Set(scopes), limits, expiresAt, ...(isFromReplica && { isFromReplica }) },
    };
  }

  #digestOf(token: string): Buffer {
    return createHmac("sha256", this.#key).update(token).digest();
  }

  #createEnvCredential({ token, scopes }: EnvToken): Credential {
    if (token.length < MIN_ENV_TOKEN_LENGTH || !/^[\x21-\x7e][\x20-\x7e]*[\x21-\x7e]$/.test(token)) {
      throw new TokenError(
        `API_TOKEN must have at least ${MIN_ENV_TOKEN_LENGTH} printable ASCII characters and no space at either end`,
      );
    }
    return {
      digest: this.#digestOf(token),
      principal: { keyId: "environment", label: "API_TOKEN", scopes: new Set(scopes), limits: {}, expiresAt: null },
    };
  }
}

/** Concurrent look-ups of a key share one. Null for a token that has expired. */
async function lookUp<Found extends Credential>(
  cache: LRUCache<string, Promise<Found | null>>,
  key: string,
  load: () => Promise<Found | null>,
  now: number,
): Promise<Found | null> {
  let loading = cache.get(key);
  if (loading === undefined) {
    loading = load();
    cache.set(key, loading);
    // A failure is not cached.
    loading.catch(() => cache.delete(key));
  }
  const found = await loading;
  return found !== null && now < (found.principal.expiresAt ?? Number.POSITIVE_INFINITY) ? found : null;
}

async function whileAvailable<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (cause) {
    // Not "invalid token": the client should keep it and retry.
    throw unavailable("cannot verify the token: the store is unavailable; retry in 1 s", cause);
  }
}

/** Takes the place of a record that does not exist, so that an unknown key id takes as long as a known one. No seal is zero. */
const NO_TOKEN: TokenRecord = {
  keyId: "",
  digest: `${"0".repeat(64)}.${"0".repeat(64)}`,
  label: "",
  scopes: [],
  createdAt: 0,
  expiresAt: 0,
  revokedAt: null,
  limits: {},
  replacedBy: null,
};

function checkRotatable(keyId: string, record: TokenRecord | null, now: number): asserts record is TokenRecord {
  if (record === null) throw new TokenError(`token ${keyId} not found`);
  if (record.revokedAt !== null) throw new TokenError(`token ${keyId} is revoked; create a new one`);
  if (record.replacedBy !== null) {
    throw new TokenError(`token ${keyId} was already rotated; rotate its successor ${record.replacedBy}`);
  }
  if (record.expiresAt !== null && now >= record.expiresAt * 1000) {
    throw new TokenError(`token ${keyId} has expired; create a new one`);
  }
}

function checkLabel(label: string): void {
  // Control characters would let a label rewrite the terminal that lists it.
  if (label.trim() === "" || label.length > MAX_LABEL_LENGTH || /\p{Cc}/u.test(label)) {
    throw new TokenError(`the label of a token must be one line of 1 to ${MAX_LABEL_LENGTH} characters`);
  }
}

function checkLimits(limits: TokenLimits): void {
  for (const name of ["burst", "daily", "concurrency"] as const) {
    const value = limits[name];
    if (value !== undefined) checkWhole(`the ${name} limit`, value, 1, MAX_LIMIT);
  }
}

function checkWhole(what: string, value: number, minimum: number, maximum: number): void {
  if (!Number.isInteger(value) || value < minimum || value > maximum) {
    throw new TokenError(`${what} must be a whole number from ${minimum} to ${maximum}`);
  }
}

function toSeconds(now: number): number {
  return Math.floor(now / 1000);
}
