/**
 * The only reader of the environment. Each setting has its default, its check and one sentence; docs/configuration.md
 * and `triptych serve --help` are made from this list. A wrong value is refused by name, with what would be right.
 */
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";

export interface Config {
  host: string;
  port: number;
  /** Processes that answer; with 1, the one that is started. */
  workers: number;
  cacheBytes: number;
  dataDir: string;
  /** PostgreSQL; null for the file in the data folder. */
  store: { url: string; replicaUrls: string[]; maxLagS: number; timeoutFactor?: number } | null;
  pepperFile: string;
  apiToken: string | null;
  demo: boolean;
  defaults: { language: string; country: string; timezone: string };
  limits: { burst: number; daily: number; concurrency: number } | "off";
  corsOrigins: string[];
  connections: { maxConnections: number; keepAliveMs: number; slowClientMs: number };
  metrics: "off" | "public" | number;
  ingestMaxBytes: number;
  importTimeoutS: number;
  logLevel: LogLevel;
  logFile: string | null;
}

const MAX_WORKERS = 64;

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Setting {
  name: string;
  fallback: string;
  sentence: string;
  /** What is wrong with a value, or null. */
  check(value: string): string | null;
  /** Never repeated in a message. */
  secret?: boolean;
}

/** A setting that cannot be used; the message names it and says what would be right. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

export const SETTINGS: readonly Setting[] = [
  { name: "HOST", fallback: "127.0.0.1", sentence: "Address to listen on; `0.0.0.0` for all.", check: notEmpty },
  { name: "PORT", fallback: "8080", sentence: "Port to listen on; 0 takes a free one.", check: whole(0, 65_535) },
  {
    name: "WORKERS",
    fallback: "1",
    sentence: "Processes that answer on the port, 1 to 64; `auto` for one per core.",
    check: workers,
  },
  {
    name: "DATA_DIR",
    fallback: "data",
    sentence: "Folder of the store and its secrets; made if missing.",
    check: notEmpty,
  },
  {
    name: "STORE_URL",
    fallback: "",
    sentence:
      "PostgreSQL that holds the store, such as `postgres://user:password@host:5432/triptych`; empty for a file in the data folder.",
    check: postgresAddress,
    secret: true,
  },
  {
    name: "STORE_REPLICA_URLS",
    fallback: "",
    sentence: "Its streaming replicas, separated by commas: questions go to them as long as they are fresh enough.",
    check: (value) =>
      value
        .split(",")
        .map(postgresAddress)
        .find((wrong) => wrong !== null) ?? null,
    secret: true,
  },
  {
    name: "STORE_MAX_LAG_S",
    fallback: "2",
    sentence: "How many seconds a replica may be behind and still be asked.",
    check: whole(0, 3_600),
  },
  {
    name: "PEPPER_FILE",
    fallback: "",
    sentence:
      "File of the secret that tokens are signed with, the same on every node; empty for `pepper` in the data folder.",
    check: () => null,
  },
  {
    name: "API_TOKEN",
    fallback: "",
    sentence:
      "A token of your own that is accepted instead of a made one, for containers and tests; at least 20 printable characters.",
    check: token,
    secret: true,
  },
  {
    name: "DEMO",
    fallback: "on",
    sentence: "`on` fills an empty store with the invented demo world; `off` starts empty.",
    check: oneOf(["on", "off"]),
  },
  {
    name: "DEFAULT_LANG",
    fallback: "en",
    sentence: "Language of answers whose caller names none (BCP 47).",
    check: language,
  },
  {
    name: "DEFAULT_COUNTRY",
    fallback: "US",
    sentence: "Country of answers whose caller names none (ISO 3166).",
    check: country,
  },
  {
    name: "TIMEZONE",
    fallback: "UTC",
    sentence: "Time zone in which days begin, such as `Europe/Madrid`.",
    check: timezone,
  },
  { name: "RATE_LIMIT", fallback: "on", sentence: "`off` lifts all limits.", check: oneOf(["on", "off"]) },
  {
    name: "RATE_BURST",
    fallback: "2000",
    sentence: "Cost units that a token may spend in 10 seconds (look-up 1, list 2, search 5).",
    check: whole(1, 1_000_000_000),
  },
  {
    name: "RATE_DAILY",
    fallback: "1000000",
    sentence: "Cost units that a token may spend in a UTC day.",
    check: whole(1, 1_000_000_000),
  },
  {
    name: "RATE_CONCURRENCY",
    fallback: "50",
    sentence: "Concurrent requests of one token, in each process.",
    check: whole(1, 100_000),
  },
  {
    name: "CORS_ORIGINS",
    fallback: "",
    sentence: "Origins whose pages may call the service, separated by commas; empty for none.",
    check: origins,
  },
  {
    name: "MAX_CONNECTIONS",
    fallback: "1000",
    sentence: "Open connections per process; further ones are closed when they connect.",
    check: whole(1, 1_000_000),
  },
  {
    name: "KEEP_ALIVE_S",
    fallback: "72",
    sentence: "Seconds that an idle connection stays open; longer than a load balancer in front keeps its own.",
    check: whole(1, 3_600),
  },
  {
    name: "SLOW_CLIENT_S",
    fallback: "30",
    sentence: "Seconds without progress after which a connection is closed whose client does not read or send.",
    check: whole(1, 3_600),
  },
  {
    name: "METRICS",
    fallback: "off",
    sentence:
      "Prometheus metrics: `off`, `public` for `/metrics` on the same port, or a port of their own on 127.0.0.1.",
    check: metrics,
  },
  {
    name: "INGEST_MAX_MB",
    fallback: "2048",
    sentence: "Largest upload to `/ingest`, in MiB.",
    check: whole(1, 1_000_000),
  },
  {
    name: "IMPORT_TIMEOUT_S",
    fallback: "60",
    sentence:
      "Seconds that reading a file may take beyond one per MiB, unfolded; then the rest of it is refused and the import goes on.",
    check: whole(1, 86_400),
  },
  {
    name: "CACHE_MB",
    fallback: "128",
    sentence: "Response cache size in MiB per process; 0 disables it.",
    check: whole(0, 100_000),
  },
  {
    name: "LOG_LEVEL",
    fallback: "info",
    sentence: "How much is logged: trace, debug, info, warn, error, silent.",
    check: oneOf(LOG_LEVELS),
  },
  {
    name: "LOG_FILE",
    fallback: "",
    sentence: "File that log lines are appended to; empty for standard output.",
    check: () => null,
  },
];

export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const value = (name: string): string => {
    const setting = SETTINGS.find((candidate) => candidate.name === name) as Setting;
    const given = env[name];
    if (given === undefined || given === "") return setting.fallback;
    const wrong = setting.check(given);
    if (wrong !== null)
      throw new ConfigError(`${name} ${wrong}${setting.secret === true ? "" : `, not ${JSON.stringify(given)}`}`);
    return given;
  };
  const metricsValue = value("METRICS");
  return {
    host: value("HOST"),
    port: Number(value("PORT")),
    workers:
      value("WORKERS").toLowerCase() === "auto"
        ? Math.min(availableParallelism(), MAX_WORKERS)
        : Number(value("WORKERS")),
    cacheBytes: Number(value("CACHE_MB")) * 1024 * 1024,
    dataDir: resolve(value("DATA_DIR")),
    store:
      value("STORE_URL") === ""
        ? null
        : {
            url: value("STORE_URL"),
            replicaUrls: value("STORE_REPLICA_URLS")
              .split(",")
              .map((url) => url.trim())
              .filter((url) => url !== ""),
            maxLagS: Number(value("STORE_MAX_LAG_S")),
          },
    pepperFile: resolve(value("PEPPER_FILE") || join(value("DATA_DIR"), "pepper")),
    apiToken: value("API_TOKEN") || null,
    demo: value("DEMO").toLowerCase() === "on",
    defaults: {
      language: Intl.getCanonicalLocales(value("DEFAULT_LANG"))[0] as string,
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
    corsOrigins: value("CORS_ORIGINS")
      .split(",")
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ""),
    connections: {
      maxConnections: Number(value("MAX_CONNECTIONS")),
      keepAliveMs: Number(value("KEEP_ALIVE_S")) * 1_000,
      slowClientMs: Number(value("SLOW_CLIENT_S")) * 1_000,
    },
    metrics: metricsValue === "off" || metricsValue === "public" ? metricsValue : Number(metricsValue),
    ingestMaxBytes: Number(value("INGEST_MAX_MB")) * 1024 * 1024,
    importTimeoutS: Number(value("IMPORT_TIMEOUT_S")),
    logLevel: value("LOG_LEVEL").toLowerCase() as LogLevel,
    logFile: value("LOG_FILE") || null,
  };
}

function notEmpty(value: string): string | null {
  return value.trim() === "" ? "must not be blank" : null;
}

function whole(minimum: number, maximum: number) {
  return (value: string): string | null =>
    /^\d{1,10}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum
      ? null
      : `must be a whole number from ${minimum} to ${maximum}`;
}

function oneOf(choices: readonly string[]) {
  return (value: string): string | null =>
    choices.includes(value.toLowerCase()) ? null : `must be one of ${choices.join(", ")}`;
}

function workers(value: string): string | null {
  const wrong = value.toLowerCase() === "auto" ? null : whole(1, MAX_WORKERS)(value);
  return wrong === null ? null : `${wrong}, or auto`;
}

function postgresAddress(value: string): string | null {
  const url = URL.parse(value.trim());
  return url !== null && /^postgres(?:ql)?:$/.test(url.protocol) && url.pathname.length > 1
    ? null
    : "must be an address such as postgres://user:password@host:5432/triptych";
}

function token(value: string): string | null {
  return /^[\x21-\x7e][\x20-\x7e]{18,}[\x21-\x7e]$/.test(value)
    ? null
    : "must have at least 20 printable ASCII characters, the first and last not blank";
}

function language(value: string): string | null {
  try {
    return Intl.getCanonicalLocales(value).length === 1 ? null : "must be a language code, such as en";
  } catch {
    return "must be a language code (BCP 47), such as en or pt-BR";
  }
}

function country(value: string): string | null {
  return /^[a-z]{2}$/i.test(value) ? null : "must be a country code of two letters, such as US";
}

function timezone(value: string): string | null {
  try {
    // Called for its refusal: it throws for a zone that it does not know.
    Intl.DateTimeFormat("en", { timeZone: value });
    return null;
  } catch {
    return "must be a time zone, such as UTC or Europe/Madrid";
  }
}

function origins(value: string): string | null {
  const wrong = value
    .split(",")
    .map((origin) => origin.trim())
    .find((origin) => origin !== "" && URL.parse(origin)?.origin !== origin);
  return wrong === undefined ? null : `must be a list of origins such as https://app.example, without paths (${wrong})`;
}

function metrics(value: string): string | null {
  return value === "off" || value === "public" || whole(1, 65_535)(value) === null
    ? null
    : "must be off, public or a port";
}
