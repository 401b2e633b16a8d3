/**
 * Change events between nodes by NOTIFY, sent in the transaction that makes the change. One connection listens. Whenever
 * it may have missed events, subscribers receive `anything`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { EventHub } from "#store/write/event-hub.ts";
import type { StoreEvent, StoreEvents } from "#store/write/events.ts";
import type { Sql } from "./sql.ts";

const CHANNEL = "triptych";

/** The server limits payloads to 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_900;

/** A query at this interval detects a connection that died silently. */
const PING_INTERVAL_MS = 1_000;
const TIMEOUT_MS = 1_500;
const RECONNECT_DELAY_MS = 250;

/** Call it in the transaction that makes the change: if that fails, no event is sent. */
export async function notify(sql: Sql, event: StoreEvent): Promise<void> {
  const message = JSON.stringify(event);
  const fits = Buffer.byteLength(message) <= MAX_PAYLOAD_BYTES;
  await sql.get(`SELECT pg_notify('${CHANNEL}', $1)`, fits ? message : JSON.stringify({ about: "anything" }));
}

export interface EventsOptions {
  url: string;
  connectTimeoutMs: number;
  applicationName: string;
}

/** Connects with the first subscriber, and stays connected until it is closed. */
export class PostgresEvents implements StoreEvents {
  readonly #options: EventsOptions;
  readonly #listeners = new EventHub();
  #client: Client | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isStarted = false;
  #isClosed = false;

  constructor(options: EventsOptions) {
    this.#options = options;
  }

  subscribe(listener: (event: StoreEvent) => void): () => void {
    if (!this.#isStarted) {
      this.#isStarted = true;
      void this.#connect();
    }
    return this.#listeners.subscribe(listener);
  }

  async #connect(): Promise<void> {
    const { url, connectTimeoutMs, applicationName } = this.#options;
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: TIMEOUT_MS,
      application_name: applicationName,
      keepAlive: true,
    });
    this.#client = client;
    client.on("notification", ({ payload }) => this.#receive(payload));
    client.on("error", () => this.#reconnect(client));
    client.on("end", () => this.#reconnect(client));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
    } catch {
      this.#reconnect(client);
      return;
    }
    // Events sent before the connection was up were missed.
    this.#listeners.emit({ about: "anything" });
    this.#schedulePing(client);
  }

  #schedulePing(client: Client): void {
    if (this.#isClosed || this.#client !== client) return;
    this.#timer = setTimeout(() => {
      client.query("SELECT 1").then(
        () => this.#schedulePing(client),
        () => this.#reconnect(client),
      );
    }, PING_INTERVAL_MS);
    this.#timer.unref();
  }

  /** A lost connection is reported more than once; only the first report counts. */
  #reconnect(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    clearTimeout(this.#timer);
    client.end().catch(() => undefined);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#connect(), RECONNECT_DELAY_MS);
    this.#timer.unref();
  }

  #receive(payload: string | undefined): void {
    const event = decodeEvent(payload);
    if (event !== null) this.#listeners.emit(event);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    // A server that hangs never completes a graceful end.
    if (client !== null)
      await Promise.race([client.end().catch(() => undefined), sleep(TIMEOUT_MS, null, { ref: false })]);
  }
}

/** Null for foreign payloads: any client of the database may notify. */
function decodeEvent(payload: string | undefined): StoreEvent | null {
  try {
    const event = JSON.parse(payload ?? "") as Partial<StoreEvent> | null;
    return ["token", "erasure", "records", "anything"].includes(event?.about ?? "") ? (event as StoreEvent) : null;
  } catch {
    return null;
  }
}
