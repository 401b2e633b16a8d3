/** Health checks of one server, over a dedicated connection that no other query can block. */
import { Client } from "pg";
import { withTimeout } from "#domain/with-timeout.ts";
import { ConnectionError } from "./connection-errors.ts";

/** A server that takes longer to respond is down. */
const TIMEOUT_MS = 500;

/**
 * Only flushed positions reach replicas if the primary dies. With `synchronous_commit` off, commits are visible before
 * their flush.
 */
const GET_STATUS = `SELECT pg_is_in_recovery() AS standby, (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
  WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()
  ELSE pg_current_wal_flush_lsn() END - '0/0'::pg_lsn)::text AS position`;

/** The log is written in pages; no record ends within a page header. */
const PAGE_BYTES = 8_192;
const HEADER_BYTES = 40;

export interface ServerStatus {
  isStandby: boolean;
  /** Bytes of write-ahead log written, or replayed by a standby. */
  position: number;
}

export interface ProbeOptions {
  url: string;
  applicationName: string;
  timeoutFactor?: number;
}

export class Probe {
  readonly #options: ProbeOptions;
  #client: Client | null = null;

  constructor(options: ProbeOptions) {
    this.#options = options;
  }

  /** Rejects if the server does not respond in time; the next check then uses a new connection. */
  async check(): Promise<ServerStatus> {
    const connected = this.#client;
    const client = connected ?? this.#createClient();
    this.#client = client;
    const timeoutMs = TIMEOUT_MS * (this.#options.timeoutFactor ?? 1);
    try {
      return await withTimeout(
        timeoutMs,
        getStatus(client, connected === null),
        () => new ConnectionError("timeout", `no response within ${timeoutMs} ms`),
      );
    } catch (error) {
      this.#disconnect(client);
      throw error;
    }
  }

  #createClient(): Client {
    const { url, applicationName } = this.#options;
    const client = new Client({ connectionString: url, application_name: applicationName });
    client.on("error", () => this.#disconnect(client));
    return client;
  }

  /** The next check uses a new connection. */
  disconnect(): void {
    if (this.#client !== null) this.#disconnect(this.#client);
  }

  #disconnect(client: Client): void {
    if (this.#client === client) this.#client = null;
    // A server that hangs would never complete a graceful end.
    client.connection.stream.destroy();
  }
}

async function getStatus(client: Client, isNew: boolean): Promise<ServerStatus> {
  if (isNew) await client.connect();
  const { rows } = await client.query<{ standby: boolean; position: string }>(GET_STATUS);
  const [row] = rows;
  if (row === undefined) throw new Error("the server returned no status");
  return { isStandby: row.standby, position: endOfRecords(Number(row.position)) };
}

/** A position within a page header is, for a replica, the end of the page before. */
function endOfRecords(position: number): number {
  const offset = position % PAGE_BYTES;
  return offset <= HEADER_BYTES ? position - offset : position;
}
