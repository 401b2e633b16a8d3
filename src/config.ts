/**
 * Settings from the environment, to which the command line adds those of a config file. docs/configuration.md and
 * `triptych serve --help` are generated from this list. An invalid value is rejected with the name of the setting and
 * what would be valid.
 */
import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { parseCountry } from "#domain/country.ts";
import { parseInterval } from "#domain/parse-interval.ts";
import { present } from "#domain/present.ts";

export interface Config {
  host: string;
  port: number;
  /** Without a slash at the end; null if it is not known: any free port. */
  publicUrl: string | null;
  /** Processes that serve requests; with 1, everything is in one process. */
  workers: number;
  cacheBytes: number;
  /** Per process; with 0 threads, searches run on the main thread and are not queued. */
  searches: { threads: number; maxMs: number };
  dataDir: string;
  /** PostgreSQL; null for SQLite in the data directory. */
  store: { url: string; replicaUrls: string[]; maxLagS: number; timeoutFactor?: number } | null;
  pepperFile: string;
  apiToken: string | null;
  demo: boolean;
  defaults: { language: string; country: string; timezone: string };
  limits: { burst: number; daily: number; concurrency: number } | "off";
  corsOrigins: string[];
  console: boolean;
  securityContact: string | null;
  connections: { maxConnections: number; maxPerAddress: number; keepAliveMs: number; slowClientMs: number };
  /** Addresses, or networks such as `10.0.0.0/8`. */
  trustedProxies: string[];
  /** Per address and minute. */
  maxFailedAttempts: number;
  metrics: "off" | "public" | { host: string; port: number };
  /** Where traces are sent; null for nowhere. */
  otlpEndpoint: string | null;
  ingestMaxBytes: number;
  importTimeoutS: number;
  undoDays: number;
  live: LiveConfig;
  logLevel: LogLevel;
  logFile: string | null;
  /** Null unless systemd waits for notifications; `watchdogMs` is 0 without a watchdog. */
  systemd: { watchdogMs: number } | null;
  /** Of records that no retention rule covers; null keeps them. */
  retentionDays: number | null;
  /** Null if the service writes none. */
  backups: BackupSettings | null;
}

export interface BackupSettings {
  dir: string;
  everyMs: number;
  /** How many of its own it keeps. */
  keep: number;
}

/** Official sources that are asked for what is missing or stale. */
export interface LiveConfig {
  /** Names of the sources that are on, `all` for all that have their credentials; empty if reading through is off. */
  sources: string[];
  /** By the name of the setting; only those that are set. */
  credentials: Record<string, string>;
  deadlineMs: number;
  maxAgeMs: number;
  /** By `source.budget`. */
  limits: Record<string, number>;
  /** For tests: dials this server in place of every host, whose certificates it has. */
  dial?: { host: string; port: number; ca: string };
  callTimeoutMs?: number;
}

const CREDENTIALS = [
  "YOUTUBE_API_KEY",
  "TIKTOK_CLIENT_KEY",
  "TIKTOK_CLIENT_SECRET",
  "INSTAGRAM_ACCESS_TOKEN",
  "INSTAGRAM_USER_ID",
] as const;

const MAX_WORKERS = 64;
const MAX_SEARCH_THREADS = 64;
/** Each takes some 50 MB of memory. */
const MAX_AUTO_THREADS = 4;

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Setting {
  name: string;
  fallback: string;
  description: string;
  /** Says what would be valid; null for a valid value. */
  check(value: string): string | null;
  /** Never printed. */
  secret?: boolean;
  /** A path, which a config file may give relative to its folder. */
  isPath?: boolean;
}

/** An invalid setting; the message names it and says what would be valid. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

export const SETTINGS: readonly Setting[] = [
  {
    name: "HOST",
    fallback: "127.0.0.1",
    description: "Address to listen on; `0.0.0.0` listens on all interfaces.",
    check: notEmpty,
  },
  { name: "PORT", fallback: "8080", description: "Port to listen on; 0 picks a free port.", check: integer(0, 65_535) },
  {
    name: "PUBLIC_URL",
    fallback: "",
    description:
      "URL by which clients reach the service, such as `https://triptych.example`; demo data has it in the URLs of its pictures. Empty for HOST and PORT.",
    check: httpUrl,
  },
  {
    name: "WORKERS",
    fallback: "1",
    description: "Processes that serve the port, 1 to 64; `auto` is one per core. More than 1 needs Linux or FreeBSD.",
    check: integerOrAuto(1, MAX_WORKERS),
  },
  {
    name: "SEARCH_THREADS",
    fallback: "auto",
    description:
      "Threads per process that execute searches on SQLite, 0 to 64; `auto` is one per two cores, at least 1 and at most 4, shared out over WORKERS. With 0, searches run on the main thread, and look-ups wait for them. PostgreSQL needs none.",
    check: integerOrAuto(0, MAX_SEARCH_THREADS),
  },
  {
    name: "SEARCH_WAIT_MS",
    fallback: "100",
    description:
      "Milliseconds that a search may take together with its wait for others. One that would take longer, by the mean of the last ones, and has more than two waiting before it, gets a 503 immediately.",
    check: integer(0, 60_000),
  },
  {
    name: "TRIPTYCH_HOME",
    fallback: "",
    description:
      "Directory of `triptych.config.json` and, by default, of the data directory; empty for the current directory in a clone or where `data` has a store, otherwise the user's data directory of the system.",
    check: notEmpty,
  },
  {
    name: "TRIPTYCH_COMMAND",
    fallback: "",
    description:
      "Words that start this program, printed in hints, such as `docker exec triptych triptych`; empty for `npx triptych` in a clone or a project, and `triptych` where it is installed globally.",
    check: notEmpty,
  },
  {
    name: "DATA_DIR",
    fallback: "data",
    description: "Directory of the store and its secrets, created if missing; the default is in TRIPTYCH_HOME.",
    check: notEmpty,
    isPath: true,
  },
  {
    name: "STORE_URL",
    fallback: "",
    description:
      "PostgreSQL database, such as `postgres://user:password@host:5432/triptych`; empty for SQLite in the data directory.",
    check: postgresUrl,
    secret: true,
  },
  {
    name: "STORE_REPLICA_URLS",
    fallback: "",
    description: "Comma-separated URLs of streaming replicas, used for reads while their lag is below STORE_MAX_LAG_S.",
    check: (value) =>
      value
        .split(",")
        .map(postgresUrl)
        .find((problem) => problem !== null) ?? null,
    secret: true,
  },
  {
    name: "STORE_MAX_LAG_S",
    fallback: "2",
    description: "Maximum replication lag in seconds of a replica that serves reads.",
    check: integer(0, 3_600),
  },
  {
    name: "PEPPER_FILE",
    fallback: "",
    description:
      "File of the secret that signs tokens, the same on every node; empty for `pepper` in the data directory.",
    check: () => null,
    isPath: true,
  },
  {
    name: "API_TOKEN",
    fallback: "",
    description:
      "Access token of your own with all read scopes and `live`, for containers and tests; at least 20 printable characters.",
    check: token,
    secret: true,
  },
  {
    name: "DEMO",
    fallback: "on",
    description: "`on` fills an empty store with demo data; `off` leaves it empty.",
    check: oneOf(["on", "off"]),
  },
  {
    name: "DEFAULT_LANG",
    fallback: "en",
    description: "Language of requests that name none (BCP 47).",
    check: language,
  },
  {
    name: "DEFAULT_COUNTRY",
    fallback: "US",
    description: "Country of requests that name none (ISO 3166).",
    check: country,
  },
  {
    name: "TIMEZONE",
    fallback: "UTC",
    description: "Time zone of day boundaries, such as `Europe/Madrid`.",
    check: timezone,
  },
  { name: "RATE_LIMIT", fallback: "on", description: "`off` disables all rate limits.", check: oneOf(["on", "off"]) },
  {
    name: "RATE_BURST",
    fallback: "2000",
    description: "Cost units per token in 10 seconds (look-up 1, list 2, search 5).",
    check: integer(1, 1_000_000_000),
  },
  {
    name: "RATE_DAILY",
    fallback: "1000000",
    description: "Cost units per token in a UTC day.",
    check: integer(1, 1_000_000_000),
  },
  {
    name: "RATE_CONCURRENCY",
    fallback: "50",
    description: "Maximum concurrent requests per token, per process.",
    check: integer(1, 100_000),
  },
  {
    name: "RATE_FAILED_TOKENS",
    fallback: "120",
    description:
      "Requests without a valid token per address and minute, per process; further ones get a 429. Valid tokens are not affected.",
    check: integer(1, 1_000_000_000),
  },
  {
    name: "CORS_ORIGINS",
    fallback: "",
    description: "Comma-separated origins allowed to call the API from a browser; empty allows none.",
    check: origins,
  },
  {
    name: "CONSOLE",
    fallback: "on",
    description: "`on` serves the console at `/`, which a clone builds when needed; `off` redirects to the reference.",
    check: oneOf(["on", "off"]),
  },
  {
    name: "SECURITY_CONTACT",
    fallback: "",
    description:
      "Where `/.well-known/security.txt` sends who finds a vulnerability: a `mailto:`, `https:` or `tel:` URL; empty for the operating guide at PUBLIC_URL.",
    check: contactUrl,
  },
  {
    name: "MAX_CONNECTIONS",
    fallback: "1000",
    description: "Maximum open connections per process; further ones are closed immediately.",
    check: integer(1, 1_000_000),
  },
  {
    name: "MAX_CONNECTIONS_PER_ADDRESS",
    fallback: "500",
    description: "Maximum open connections per process from one address, except from TRUSTED_PROXIES.",
    check: integer(1, 1_000_000),
  },
  {
    name: "TRUSTED_PROXIES",
    fallback: "",
    description:
      "Comma-separated addresses or networks of reverse proxies, such as `10.0.0.0/8`, whose `X-Forwarded-For` says who the client is.",
    check: networks,
  },
  {
    name: "KEEP_ALIVE_S",
    fallback: "72",
    description:
      "Keep-alive timeout of idle connections in seconds; set it higher than that of a load balancer in front.",
    check: integer(1, 3_600),
  },
  {
    name: "SLOW_CLIENT_S",
    fallback: "30",
    description: "Seconds without progress after which the connection of a slow client is closed.",
    check: integer(1, 3_600),
  },
  {
    name: "METRICS",
    fallback: "off",
    description:
      "Prometheus metrics: `off`, `public` for `/metrics` on the same port, or a separate port on 127.0.0.1, such as `9464`; `0.0.0.0:9464` for other addresses.",
    check: metrics,
  },
  {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    fallback: "",
    description:
      "OpenTelemetry collector that takes OTLP over HTTP, such as `http://127.0.0.1:4318`: a span of each request is sent to it. Empty for no traces.",
    check: collectorUrl,
    // One that is refused may have a password.
    secret: true,
  },
  {
    name: "INGEST_MAX_MB",
    fallback: "2048",
    description: "Maximum upload size of `/ingest` in MiB.",
    check: integer(1, 1_000_000),
  },
  {
    name: "IMPORT_TIMEOUT_S",
    fallback: "60",
    description:
      "Parse timeout of an imported file: this many seconds plus one per uncompressed MiB; the rest of the file is then refused.",
    check: integer(1, 86_400),
  },
  {
    name: "RETENTION_DAYS",
    fallback: "0",
    description:
      "Days after the last capture until records that no rule of `triptych retention` covers are deleted; 0 keeps them.",
    check: integer(0, 36_500),
  },
  {
    name: "BACKUP_DIR",
    fallback: "",
    description:
      "Folder into which the service writes a verified backup at BACKUP_EVERY; empty for none. Set it on one node of several. See docs/backup.md.",
    check: notEmpty,
    isPath: true,
  },
  {
    name: "BACKUP_EVERY",
    fallback: "1h",
    description: "How often a backup is written to BACKUP_DIR: minutes, hours or days, such as `30m`, `6h` or `1d`.",
    check: (value) =>
      parseInterval(value) === null ? "must be minutes, hours or days from 5m to 365d, such as 30m, 6h or 1d" : null,
  },
  {
    name: "BACKUP_KEEP",
    fallback: "24",
    description:
      "How many of the backups that the service wrote to BACKUP_DIR are kept; other files there are never deleted.",
    check: integer(1, 100_000),
  },
  {
    name: "UNDO_DAYS",
    fallback: "30",
    description:
      "Days for which an import can be undone; for so long the store keeps what records were before an import changed them.",
    check: integer(0, 3_650),
  },
  {
    name: "LIVE_SOURCES",
    fallback: "",
    description:
      "Comma-separated official sources that are asked for missing and stale records, such as `youtube-data-api`; `all` for all that have their credentials, empty for none. See docs/live.md.",
    check: sourceNames,
  },
  {
    name: "LIVE_DEADLINE_MS",
    fallback: "3000",
    description: "How long a request waits for a live source, in milliseconds.",
    check: integer(50, 60_000),
  },
  {
    name: "LIVE_MAX_AGE_S",
    fallback: "86400",
    description: "Age in seconds from which a record is stale: it is served, and requested from a live source behind.",
    check: integer(1, 1_000_000_000),
  },
  {
    name: "LIVE_QUOTAS",
    fallback: "",
    description:
      "Comma-separated limits that replace those of live sources, such as `youtube-data-api.units=50000`; `triptych sources` lists them.",
    check: quotas,
  },
  {
    name: "YOUTUBE_API_KEY",
    fallback: "",
    description: "Key of the YouTube Data API, for the live source `youtube-data-api`.",
    check: credential,
    secret: true,
  },
  {
    name: "TIKTOK_CLIENT_KEY",
    fallback: "",
    description: "Client key of the TikTok Research API, for the live source `tiktok-research`.",
    check: credential,
    secret: true,
  },
  {
    name: "TIKTOK_CLIENT_SECRET",
    fallback: "",
    description: "Client secret of the TikTok Research API.",
    check: credential,
    secret: true,
  },
  {
    name: "INSTAGRAM_ACCESS_TOKEN",
    fallback: "",
    description: "Access token of the Instagram Graph API, for the live source `instagram-graph`.",
    check: credential,
    secret: true,
  },
  {
    name: "INSTAGRAM_USER_ID",
    fallback: "",
    description: "Id of the Instagram professional account that the access token belongs to; digits.",
    check: (value) => (/^\d{1,24}$/.test(value) ? null : "must be digits, such as 17841400000000000"),
  },
  {
    name: "CACHE_MB",
    fallback: "128",
    description: "Response cache size in MiB per process; 0 disables it.",
    check: integer(0, 100_000),
  },
  {
    name: "LOG_LEVEL",
    fallback: "info",
    description: "Log level: trace, debug, info, warn, error or silent.",
    check: oneOf(LOG_LEVELS),
  },
  {
    name: "LOG_FILE",
    fallback: "",
    description: "Log file to append to, opened again on SIGHUP; empty for standard output.",
    check: () => null,
    isPath: true,
  },
];

/** Words that start the program whose code is in `file`, so that a hint can be pasted. */
export function programOf(file: string, env: Record<string, string | undefined>): string {
  const named = env["TRIPTYCH_COMMAND"];
  if (named !== undefined && named !== "") return named;
  if (file.endsWith(".ts")) return "npx triptych";
  // In npx's own cache: `triptych` in the registry is another package.
  if (/[\\/]_npx[\\/]/.test(file)) return "npx triptych-server";
  // A project has its package.json beside node_modules, a global folder has none.
  const [, project] = /^(.*)[\\/]node_modules[\\/]/.exec(file) ?? [];
  return project !== undefined && existsSync(join(project, "package.json")) ? "npx triptych" : "triptych";
}

export const PROGRAM = programOf(import.meta.filename, process.env);

export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const value = (name: string): string => {
    const setting = present(SETTINGS.find((candidate) => candidate.name === name));
    const text = env[name];
    if (text === undefined || text === "") return setting.fallback;
    const problem = setting.check(text);
    if (problem !== null)
      throw new ConfigError(`${name} ${problem}${setting.secret === true ? "" : `, not ${JSON.stringify(text)}`}`);
    return text;
  };
  const workerCount =
    value("WORKERS").toLowerCase() === "auto"
      ? Math.min(availableParallelism(), MAX_WORKERS)
      : Number(value("WORKERS"));
  return {
    host: value("HOST"),
    port: Number(value("PORT")),
    publicUrl: value("PUBLIC_URL").replace(/\/$/, "") || listeningUrl(value("HOST"), value("PORT")),
    workers: workerCount,
    cacheBytes: Number(value("CACHE_MB")) * 1024 * 1024,
    searches: {
      threads:
        value("SEARCH_THREADS").toLowerCase() === "auto"
          ? Math.max(1, Math.min(MAX_AUTO_THREADS, Math.floor(availableParallelism() / 2 / workerCount)))
          : Number(value("SEARCH_THREADS")),
      maxMs: Number(value("SEARCH_WAIT_MS")),
    },
    dataDir: resolve(value("DATA_DIR")),
    store:
      value("STORE_URL") === ""
        ? null
        : {
            url: value("STORE_URL"),
            replicaUrls: splitList(value("STORE_REPLICA_URLS")),
            maxLagS: Number(value("STORE_MAX_LAG_S")),
          },
    pepperFile: resolve(value("PEPPER_FILE") || join(value("DATA_DIR"), "pepper")),
    apiToken: value("API_TOKEN") || null,
    demo: value("DEMO").toLowerCase() === "on",
    defaults: {
      language: present(Intl.getCanonicalLocales(value("DEFAULT_LANG"))[0]),
      country: value("DEFAULT_COUNTRY").toUpperCase(),
      timezone: value("TIMEZONE"),
    },
    limits:
      value("RATE_LIMIT").toLowerCase() === "off"
        ? "off"
        : {
            burst: Number(value("RATE_BURST")),
            daily: Number(value("RATE_DAILY")),
            concurrency: Number(value("RATE_CONCURRENCY")),
          },
    corsOrigins: splitList(value("CORS_ORIGINS")),
    console: value("CONSOLE").toLowerCase() === "on",
    securityContact: value("SECURITY_CONTACT") || null,
    connections: {
      maxConnections: Number(value("MAX_CONNECTIONS")),
      maxPerAddress: Number(value("MAX_CONNECTIONS_PER_ADDRESS")),
      keepAliveMs: Number(value("KEEP_ALIVE_S")) * 1_000,
      slowClientMs: Number(value("SLOW_CLIENT_S")) * 1_000,
    },
    trustedProxies: splitList(value("TRUSTED_PROXIES")),
    maxFailedAttempts: Number(value("RATE_FAILED_TOKENS")),
    metrics: parseMetrics(value("METRICS")),
    otlpEndpoint: value("OTEL_EXPORTER_OTLP_ENDPOINT").replace(/\/$/, "") || null,
    ingestMaxBytes: Number(value("INGEST_MAX_MB")) * 1024 * 1024,
    importTimeoutS: Number(value("IMPORT_TIMEOUT_S")),
    undoDays: Number(value("UNDO_DAYS")),
    live: {
      sources: splitList(value("LIVE_SOURCES")),
      credentials: Object.fromEntries(
        CREDENTIALS.map((name) => [name, value(name)] as const).filter(([, text]) => text !== ""),
      ),
      deadlineMs: Number(value("LIVE_DEADLINE_MS")),
      maxAgeMs: Number(value("LIVE_MAX_AGE_S")) * 1_000,
      limits: Object.fromEntries(
        splitList(value("LIVE_QUOTAS")).map((entry) => {
          const [name = "", limit] = entry.split("=");
          return [name, Number(limit)];
        }),
      ),
    },
    logLevel: present(LOG_LEVELS.find((level) => level === value("LOG_LEVEL").toLowerCase())),
    logFile: value("LOG_FILE") || null,
    // Set by systemd itself, not by an operator.
    systemd: env["NOTIFY_SOCKET"] ? { watchdogMs: Number(env["WATCHDOG_USEC"] ?? 0) / 1_000 } : null,
    retentionDays: Number(value("RETENTION_DAYS")) || null,
    backups:
      value("BACKUP_DIR") === ""
        ? null
        : {
            dir: resolve(value("BACKUP_DIR")),
            everyMs: present(parseInterval(value("BACKUP_EVERY"))),
            keep: Number(value("BACKUP_KEEP")),
          },
  };
}

function notEmpty(value: string): string | null {
  return value.trim() === "" ? "must not be empty" : null;
}

function integer(minimum: number, maximum: number) {
  return (value: string): string | null =>
    /^\d{1,10}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum
      ? null
      : `must be a whole number from ${minimum} to ${maximum}`;
}

function oneOf(choices: readonly string[]) {
  return (value: string): string | null =>
    choices.includes(value.toLowerCase()) ? null : `must be one of ${choices.join(", ")}`;
}

function integerOrAuto(minimum: number, maximum: number) {
  return (value: string): string | null => {
    const problem = value.toLowerCase() === "auto" ? null : integer(minimum, maximum)(value);
    return problem === null ? null : `${problem}, or auto`;
  };
}

const NO_PASSWORD = "must have no user and password";

/** Without a password: it is shown to clients or written to the log. */
function httpUrl(value: string): string | null {
  const url = URL.parse(value.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    return "must be a URL, such as https://triptych.example";
  return hasPassword(url) ? NO_PASSWORD : null;
}

function collectorUrl(value: string): string | null {
  const url = URL.parse(value.trim());
  return url !== null && hasPassword(url)
    ? `${NO_PASSWORD}; put the header that the collector needs into OTEL_EXPORTER_OTLP_HEADERS`
    : httpUrl(value);
}

function hasPassword({ username, password }: URL): boolean {
  return username !== "" || password !== "";
}

function contactUrl(value: string): string | null {
  return /^(?:mailto|https|tel):[\x21-\x7e]+$/.test(value)
    ? null
    : "must be a mailto:, https: or tel: URL, such as mailto:security@example.com";
}

/** As clients on this machine see it. */
function listeningUrl(host: string, port: string): string | null {
  if (port === "0") return null;
  const reached = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}

function postgresUrl(value: string): string | null {
  const url = URL.parse(value.trim());
  return url !== null && /^postgres(?:ql)?:$/.test(url.protocol) && url.pathname.length > 1
    ? null
    : "must be a PostgreSQL URL, such as postgres://user:password@host:5432/triptych";
}

function token(value: string): string | null {
  return /^[\x21-\x7e][\x20-\x7e]{18,}[\x21-\x7e]$/.test(value)
    ? null
    : "must be at least 20 printable ASCII characters without leading or trailing spaces";
}

function language(value: string): string | null {
  try {
    return Intl.getCanonicalLocales(value).length === 1 ? null : "must be a language code, such as en";
  } catch {
    return "must be a language code (BCP 47), such as en or pt-BR";
  }
}

function country(value: string): string | null {
  return parseCountry(value) === null ? "must be a two-letter country code (ISO 3166), such as US" : null;
}

function timezone(value: string): string | null {
  try {
    // Throws for an unknown time zone.
    Intl.DateTimeFormat("en", { timeZone: value });
    return null;
  } catch {
    return "must be an IANA time zone, such as UTC or Europe/Madrid";
  }
}

function origins(value: string): string | null {
  const invalid = splitList(value).find((origin) => URL.parse(origin)?.origin !== origin);
  return invalid === undefined
    ? null
    : `must be comma-separated origins such as https://app.example, without paths (${invalid} is not one)`;
}

function splitList(value: string): string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function sourceNames(value: string): string | null {
  return splitList(value).every((name) => /^[a-z][a-z0-9-]*$/.test(name))
    ? null
    : "must be comma-separated names of sources, such as youtube-data-api, or all";
}

function quotas(value: string): string | null {
  return splitList(value).every((entry) => /^[a-z][a-z0-9-]*\.[a-z]+=\d{1,9}$/.test(entry))
    ? null
    : "must be comma-separated limits, such as youtube-data-api.units=50000";
}

function credential(value: string): string | null {
  return /^[\x21-\x7e]{1,1000}$/.test(value) ? null : "must be printable ASCII characters without spaces";
}

function networks(value: string): string | null {
  const invalid = splitList(value).find((network) => !isNetwork(network));
  return invalid === undefined
    ? null
    : `must be comma-separated addresses or networks such as 10.0.0.0/8 (${invalid} is not one)`;
}

function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const longest = isIP(address) === 6 ? 128 : 32;
  return isIP(address) !== 0 && rest.length === 0 && (bits === undefined || integer(0, longest)(bits) === null);
}

function metrics(value: string): string | null {
  const parsed = parseMetrics(value);
  return typeof parsed === "string" || (parsed.host !== "" && integer(1, 65_535)(String(parsed.port)) === null)
    ? null
    : "must be off, public, a port number, or an address and a port such as 0.0.0.0:9464";
}

/** `9464` is a port on loopback, `[::]:9464` one on another address. */
function parseMetrics(value: string): Config["metrics"] {
  if (value === "off" || value === "public") return value;
  const [, host = "127.0.0.1", port = "NaN"] = /^(?:(.*):)?(\d{1,5})$/.exec(value) ?? [];
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}
