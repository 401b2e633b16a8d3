/** Why a database cannot be opened, and what to do, in one sentence each. A password is in none of them. */
import { StoreOpenError } from "../store-open-error.ts";

/** The address as people know it: host, port and database, without user and password. */
export function displayName(url: string): string {
  let address: URL;
  try {
    address = new URL(url);
  } catch (error) {
    throw unreadable(error);
  }
  if (!/^postgres(?:ql)?:$/.test(address.protocol)) throw unreadable();
  const host = address.searchParams.get("host") ?? (address.hostname === "" ? "localhost" : address.hostname);
  return `PostgreSQL at ${host}:${address.port === "" ? "5432" : address.port}${decodeURIComponent(address.pathname)}`;
}

function unreadable(error?: unknown): StoreOpenError {
  const cause = error === undefined ? {} : { cause: new Error("not a URL") };
  return new StoreOpenError(
    "STORE_URL is no address of a database; write postgres://user:password@host:5432/database",
    cause,
  );
}

const BY_CODE: Record<string, (where: string) => string> = {
  ECONNREFUSED: (where) => `${where} does not answer; check that it runs and that host and port are right`,
  ENOTFOUND: (where) => `${where} is not known by that name; check the host`,
  EAI_AGAIN: (where) => `${where} is not known by that name now; check the host and the network`,
  EHOSTUNREACH: (where) => `${where} cannot be reached; check the network`,
  ENETUNREACH: (where) => `${where} cannot be reached; check the network`,
  ETIMEDOUT: (where) => `${where} does not answer; check host, port and firewall`,
  ECONNRESET: (where) => `${where} ended the connection; check that it is PostgreSQL and whether it asks for TLS`,
  "28P01": (where) => `${where} refused user and password; check them`,
  "28000": (where) => `${where} refused this user from this machine; check user, TLS and the server's pg_hba.conf`,
  "3D000": (where) => `${where} has no such database; create it, or check the name`,
  "42501": (where) => `${where} does not let this user make tables; grant CREATE on its schema`,
  "53300": (where) => `${where} has no connection to spare; raise max_connections or lower the pools`,
  "57P03": (where) => `${where} is starting or stopping; try again`,
  "25006": (where) => `${where} is read-only; give the address of the primary`,
  "53100": (where) => `${where} has no room: its disk is full`,
};

/** PostgreSQL's own words are for those who know PostgreSQL: the others get what happened and what to do. */
export function describeOpenError(error: unknown, where: string): StoreOpenError {
  if (error instanceof StoreOpenError) return error;
  const { code, message } = innermost(error);
  const sentence = BY_CODE[code ?? ""];
  if (sentence !== undefined) return new StoreOpenError(sentence(where), { cause: error });
  if (/timeout|terminated/i.test(message)) {
    return new StoreOpenError(`${where} does not answer in time; check host, port and firewall`, { cause: error });
  }
  return new StoreOpenError(`${where} cannot be opened: ${message.split("\n")[0]}`, { cause: error });
}

/** A host with several addresses fails with one error for each. */
function innermost(error: unknown): { code: string | undefined; message: string } {
  const { code, message, errors } = error as { code?: string; message?: string; errors?: unknown[] };
  if (code === undefined && errors !== undefined && errors.length > 0) return innermost(errors[0]);
  return { code, message: message ?? String(error) };
}
