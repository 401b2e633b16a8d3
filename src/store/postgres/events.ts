/**
 * Changes travel between nodes by NOTIFY, in the transaction that makes them. One connection listens. Whenever it may
 * have missed something, listeners are told that anything may have changed.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { EventHub } from "../event-hub.ts";
import type { StoreEvent, StoreEvents } from "../store.ts";
import type { Sql } from "./sql.ts";

const CHANNEL = "triptych";

/** The server takes no more than 8,000 bytes. */
const MAX_BYTES = 7_900;

/** A connection that is cut without a word is noticed by asking. */
const ASK_EVERY_MS = 1_000;
const PATIENCE_MS = 1_500;
const AGAIN_AFTER_MS = 250;

/** For a statement that writes and tells of it at once; `place` is where the message is bound. */
export function notifying(place: string): string {
  return `pg_notify('${CHANNEL}', ${place})`;
}

/** What travels: short enough whatever it speaks of. */
export function messageOf(event: StoreEvent): string {
  const message = JSON.stringify(event);
  return Buffer.byteLength(message) <= MAX_BYTES ? message : JSON.stringify({ about: "anything" } satisfies StoreEvent);
}

/** Within the transaction that makes the change: nobody hears of it if it fails. */
export async function notify(sql: Sql, event: StoreEvent): Promise<void> {
  await sql.get(`SELECT ${notifying("$1")}`, messageOf(event));
}

export interface ListeningOptions {
  url: string;
  connectTimeoutMs: number;
  applicationName: string;
}

/** Connects when somebody wants to hear, and stays connected until it is closed. */
export class PostgresEvents implements StoreEvents {
  readonly #options: ListeningOptions;
  readonly #listeners = new EventHub();
  #client: Client | null = null;
  #timer: NodeJS.Timeout | undefined;
  #begun = false;
  #closed = false;

  constructor(options: ListeningOptions) {
    this.#options = options;
  }

  subscribe(listener: (event: StoreEvent) => void): () => void {
    if (!this.#begun) {
      this.#begun = true;
      void this.#connect();
    }
    return this.#listeners.subscribe(listener);
  }

  async #connect(): Promise<void> {
    const { url, connectTimeoutMs, applicationName } = this.#options;
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: PATIENCE_MS,
      application_name: applicationName,
      keepAlive: true,
    });
    this.#client = client;
    client.on("notification", ({ payload }) => this.#hear(payload));
    client.on("error", () => this.#again(client));
    client.on("end", () => this.#again(client));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
    } catch {
      this.#again(client);
      return;
    }
    // What was told before the connection stood was not heard.
    this.#listeners.tell({ about: "anything" });
    this.#watch(client);
  }

  #watch(client: Client): void {
    if (this.#closed || this.#client !== client) return;
    this.#timer = setTimeout(() => {
      client.query("SELECT 1").then(
        () => this.#watch(client),
        () => this.#again(client),
      );
    }, ASK_EVERY_MS);
    this.#timer.unref();
  }

  /** Whatever ends a connection says so more than once: only the first word about it counts. */
  #again(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    clearTimeout(this.#timer);
    client.end().catch(() => undefined);
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#connect(), AGAIN_AFTER_MS);
    this.#timer.unref();
  }

  #hear(payload: string | undefined): void {
    const event = eventOf(payload);
    if (event !== null) this.#listeners.tell(event);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    // A server that stands still does not say goodbye.
    if (client !== null)
      await Promise.race([client.end().catch(() => undefined), sleep(PATIENCE_MS, null, { ref: false })]);
  }
}

/** Null for what is not ours: anybody who may connect may notify. */
function eventOf(payload: string | undefined): StoreEvent | null {
  try {
    const event = JSON.parse(payload ?? "") as Partial<StoreEvent> | null;
    return ["token", "erasure", "records", "anything"].includes(event?.about ?? "") ? (event as StoreEvent) : null;
  } catch {
    return null;
  }
}
