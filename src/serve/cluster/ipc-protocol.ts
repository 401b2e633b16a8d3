/** Methods that the primary process and its workers call on each other. */
import { type Static, Type } from "#api/schema.ts";
import { type Config, LOG_LEVELS } from "#config";
import { AUDIT_ACTIONS } from "#domain/audit.ts";
import type { AdminRequest, AdminResponse } from "#http/admin/run-admin.ts";
import type { MethodTable, RpcChannel } from "../rpc/rpc-channel.ts";

const SpendReport = Type.Object({
  keyId: Type.String(),
  burst: Type.Number(),
  spent: Type.Number(),
  daily: Type.Number(),
  day: Type.Integer(),
});

const SharedBalance = Type.Object({
  keyId: Type.String(),
  level: Type.Number(),
  used: Type.Number(),
  at: Type.Number(),
});

const MetricFamily = Type.Object({
  name: Type.String(),
  help: Type.String(),
  type: Type.Enum(["counter", "gauge", "histogram"]),
  samples: Type.Record(Type.String(), Type.Number()),
});

const StoreEvent = Type.Union([
  Type.Object({ about: Type.Literal("token"), keyId: Type.String() }),
  Type.Object({ about: Type.Literal("erasure"), platform: Type.String() }),
  Type.Object({ about: Type.Literal("records"), platform: Type.String() }),
  Type.Object({ about: Type.Literal("anything") }),
]);

const WorkerInit = Type.Object({
  /** Read and checked by the primary; `port` is the port itself, also where the setting is 0. */
  config: Type.Unsafe<Config>(Type.Object({ host: Type.String(), port: Type.Integer(), dataDir: Type.String() })),
  fullTokens: Type.Array(Type.String()),
});
export type WorkerInit = Static<typeof WorkerInit>;

const Actor = Type.Object({
  keyId: Type.String(),
  label: Type.String(),
  scopes: Type.Array(Type.String()),
  expiresAt: Type.Union([Type.Number(), Type.Null()]),
});

/** The route parses its input itself. */
const AdminRequest = Type.Object({
  route: Type.String(),
  input: Type.Unsafe<AdminRequest["input"]>(Type.Object({})),
  now: Type.Number(),
  requestId: Type.String(),
  actor: Type.Union([Actor, Type.Null()]),
  isSecure: Type.Boolean(),
  session: Type.Union([Type.String(), Type.Null()]),
});

const AdminResponse = Type.Unsafe<AdminResponse>(
  Type.Union([
    Type.Object({ body: Type.Unknown(), headers: Type.Record(Type.String(), Type.String()) }),
    Type.Object({ refused: Type.Object({ code: Type.String(), detail: Type.String() }) }),
  ]),
);

const AuditEvent = Type.Object({
  actor: Type.String(),
  action: Type.Enum(AUDIT_ACTIONS),
  details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
});

const AskRequest = Type.Object({
  operation: Type.String(),
  input: Type.Record(Type.String(), Type.Unknown()),
  mode: Type.Enum(["fill", "refresh"]),
  withinMs: Type.Number(),
});

const AskOutcome = Type.Union([
  Type.Object({ state: Type.Literal("filled"), source: Type.String(), isShared: Type.Boolean() }),
  Type.Object({ state: Type.Literal("empty"), source: Type.String() }),
  Type.Object({
    state: Type.Literal("unavailable"),
    source: Type.String(),
    reason: Type.String(),
    retryAfterS: Type.Union([Type.Number(), Type.Null()]),
  }),
  Type.Object({ state: Type.Literal("none") }),
]);

const UsageRow = Type.Object({
  day: Type.String(),
  keyId: Type.String(),
  operation: Type.String(),
  requests: Type.Integer(),
  clientErrors: Type.Integer(),
  serverErrors: Type.Integer(),
});

const RecentError = Type.Object({
  at: Type.Number(),
  requestId: Type.String(),
  method: Type.String(),
  path: Type.String(),
  status: Type.Integer(),
  code: Type.String(),
  detail: Type.String(),
  keyId: Type.Union([Type.String(), Type.Null()]),
});

export const PRIMARY_METHODS = {
  /** Reports what a worker spent of rate limits; returns the balances of all workers together. */
  exchangeRateLimits: { params: Type.Array(SpendReport), result: Type.Array(SharedBalance) },
  /** Imports an upload whose files are saved. Responds with the key of its job once that is stored. */
  addUpload: {
    params: Type.Object({
      key: Type.String(),
      origin: Type.Enum(["push", "upload"]),
      label: Type.String(),
      token: Type.String(),
      digest: Type.String(),
    }),
    result: Type.String(),
  },
  /** The metrics of all processes, as Prometheus text. */
  metrics: { params: Type.Null(), result: Type.String() },
  /** Runs an admin route. */
  admin: { params: AdminRequest, result: AdminResponse },
  /** Computes the rankings as of a day, in days since 1970. */
  computeRanking: { params: Type.Integer(), result: Type.Null() },
  /** Responds once the entry is stored. */
  recordAudit: { params: AuditEvent, result: Type.Null() },
  /** What a worker has counted since its last report. */
  reportRequests: {
    params: Type.Object({ usage: Type.Array(UsageRow), errors: Type.Array(RecentError) }),
    result: Type.Null(),
  },
  /** Asks a live source; one thread does it for all workers. */
  askSource: { params: AskRequest, result: AskOutcome },
} satisfies MethodTable;

export const WORKER_METHODS = {
  /** Opens the store and listens; returns the URL. */
  start: { params: WorkerInit, result: Type.String() },
  /** The metrics of this worker alone. */
  metrics: { params: Type.Null(), result: Type.Array(MetricFamily) },
  storeEvent: { params: StoreEvent },
  /** Tokens that have no room left in the upload queue. */
  fullTokens: { params: Type.Array(Type.String()) },
  logLevel: { params: Type.Enum(LOG_LEVELS) },
  reopenLog: { params: Type.Null() },
} satisfies MethodTable;

/** As a worker sees it. */
export type PrimaryChannel = RpcChannel<typeof PRIMARY_METHODS, typeof WORKER_METHODS>;
/** As the primary sees it. */
export type WorkerChannel = RpcChannel<typeof WORKER_METHODS, typeof PRIMARY_METHODS>;
