/** Explains in one sentence why a database cannot be opened and what to do. Never mentions a password. */
import { StoreOpenError } from "#store/sql/store-open-error.ts";

/** Host, port and database, without user and password. */
export function displayName(storeUrl: string): string {
  const url = URL.parse(storeUrl);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    throw new StoreOpenError("STORE_URL is not a PostgreSQL URL; expected postgres://user:password@host:5432/database");
  }
  const host = url.searchParams.get("host") ?? (url.hostname === "" ? "localhost" : url.hostname);
  return `PostgreSQL at ${host}:${url.port === "" ? "5432" : url.port}${decodeURIComponent(url.pathname)}`;
}

const MESSAGES: Record<string, (name: string) => string> = {
  ECONNREFUSED: (name) => `${name} refused the connection; check that it is running, and host and port`,
  ENOTFOUND: (name) => `${name}: unknown host; check the host name`,
  EAI_AGAIN: (name) => `${name}: cannot resolve the host; check the host name and the network`,
  EHOSTUNREACH: (name) => `${name} is unreachable; check the network`,
  ENETUNREACH: (name) => `${name} is unreachable; check the network`,
  ETIMEDOUT: (name) => `${name} does not respond; check host, port and firewall`,
  ECONNRESET: (name) => `${name} closed the connection; check that it is PostgreSQL and whether it requires TLS`,
  "28P01": (name) => `${name} rejected user or password; check them`,
  "28000": (name) => `${name} rejected this user from this machine; check user, TLS and the server's pg_hba.conf`,
  "3D000": (name) => `${name} does not exist; create the database, or check its name`,
  "42501": (name) => `${name}: this user may not create tables; grant CREATE on the schema`,
  "53300": (name) => `${name} has no free connections; raise max_connections or shrink the pools`,
  "57P03": (name) => `${name} is starting or shutting down; retry`,
  "25006": (name) => `${name} is read-only; use the URL of the primary`,
  "53100": (name) => `${name}: the server's disk is full`,
};

export function describeSharing(name: string): string {
  return `${name} is a pooler that shares connections between transactions; set its pool_mode to session, or use the address of the server itself`;
}

function describeSilence(name: string): string {
  return `${name} accepted the connection but does not answer; if it is a pooler, check that its server is running and that it has connections left (default_pool_size)`;
}

/** PgBouncer reports everything with one code, and the driver's own errors have none. */
const MESSAGES_BY_TEXT: readonly [string, (name: string) => string][] = [
  ["statement pooling mode", describeSharing],
  ["query_wait_timeout", describeSilence],
  ["Query read timeout", describeSilence],
  ["server login", (name) => `${name} is a pooler that cannot log in to its server; check that the server is running`],
  ["authentication failed", (name) => `${name} rejected user or password; check them, here and in the pooler`],
  ["no such database", (name) => `${name} is not in the configuration of the pooler; add it there, or check its name`],
  ["no more connections", (name) => `${name} is a pooler with too many clients; raise its max_client_conn`],
];

export function describeOpenError(error: unknown, name: string): StoreOpenError {
  if (error instanceof StoreOpenError) return error;
  const { code, message } = innermost(error);
  const describe = MESSAGES[code ?? ""] ?? MESSAGES_BY_TEXT.find(([text]) => message.includes(text))?.[1];
  if (describe !== undefined) return new StoreOpenError(describe(name), { cause: error });
  if (code === undefined && /timeout|terminated/i.test(message)) {
    return new StoreOpenError(`${name} does not respond; check host, port and firewall`, { cause: error });
  }
  return new StoreOpenError(`cannot open ${name}: ${message.split("\n")[0]}`, { cause: error });
}

/** A host with several IP addresses fails with one error for each. */
function innermost(error: unknown): { code: string | undefined; message: string } {
  const { code, message, errors } = error as { code?: string; message?: string; errors?: unknown[] };
  if (code === undefined && errors !== undefined && errors.length > 0) return innermost(errors[0]);
  return { code, message: message ?? String(error) };
}
