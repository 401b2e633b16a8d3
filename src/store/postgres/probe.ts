/** Asks a server how it is, over a connection of its own that no other question can hold up. */
import { Client } from "pg";
import { withTimeout } from "./timeouts.ts";

/** A server that takes longer to say how it is does not answer. */
const PATIENCE_MS = 500;

/** The primary's position counts what is committed though not yet on its disk: it is visible there. */
const VITALS = `SELECT pg_is_in_recovery() AS standby, (CASE WHEN pg_is_in_recovery()
  THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END - '0/0'::pg_lsn)::text AS position`;

/** The log is written in pages; no record ends within a page's header. */
const PAGE_BYTES = 8_192;
const HEADER_BYTES = 40;

export interface ServerStatus {
  /** It follows another server. */
  standby: boolean;
  /** Bytes of write-ahead log that it has written, or replayed. */
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

  /** Rejects if the server does not answer in time; the next question then goes over a new connection. */
  async ask(): Promise<ServerStatus> {
    const connected = this.#client;
    const client = connected ?? this.#newClient();
    this.#client = client;
    try {
      return await withTimeout(PATIENCE_MS * (this.#options.timeoutFactor ?? 1), vitalsOf(client, connected === null));
    } catch (error) {
      this.#drop(client);
      throw error;
    }
  }

  #newClient(): Client {
    const { url, applicationName } = this.#options;
    const client = new Client({ connectionString: url, application_name: applicationName });
    client.on("error", () => this.#drop(client));
    return client;
  }

  /** The next question goes over a new connection. */
  drop(): void {
    if (this.#client !== null) this.#drop(this.#client);
  }

  #drop(client: Client): void {
    if (this.#client === client) this.#client = null;
    // Not ended by a goodbye, which a server that stands still would not take.
    client.connection.stream.destroy();
  }
}

async function vitalsOf(client: Client, isNew: boolean): Promise<ServerStatus> {
  if (isNew) await client.connect();
  const { rows } = await client.query<{ standby: boolean; position: string }>(VITALS);
  const [row] = rows;
  if (row === undefined) throw new Error("The server says nothing of itself.");
  return { standby: row.standby, position: endOfRecords(Number(row.position)) };
}

/** A position just behind a page's header is, to a replica, the end of the page before. */
function endOfRecords(position: number): number {
  const intoPage = position % PAGE_BYTES;
  return intoPage <= HEADER_BYTES ? position - intoPage : position;
}
