/** The content of every generated file. Examples are real responses from demo data with a fixed clock. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { pageTokensFor } from "#auth/page-tokens.ts";
import { scopesFor } from "#auth/scopes.ts";
import { readConfig, SETTINGS } from "#config";
import { compileOperation } from "#api/compile-operation.ts";
import { type Operation, permittedReaders } from "#api/platform.ts";
import { loadOrCreatePepper } from "#auth/secrets.ts";
import { demoWorldText } from "./demo/world-file.ts";
import { demoWorld } from "./demo/world.ts";
import { ERRORS } from "#errors";
import { EXPORT_KINDS } from "#export/kinds.ts";
import { OPERATIONS, PLATFORMS } from "#platforms/registry.ts";
import { createHttpService } from "#serve/http-service.ts";
import { openLog } from "#serve/logging.ts";
import { openReadOnlyServices } from "#serve/services.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import type { Store } from "#store/store.ts";
import { API_VERSION } from "#http/api-version.ts";
import { RecentErrors } from "#http/admin/recent-errors.ts";
import { ADMIN_ROUTES } from "#http/admin/routes.ts";
import { Metrics } from "#http/metrics.ts";
import type { RouteEntry } from "#http/route-access.ts";
import { ImportQueue } from "#http/uploads/import-queue.ts";
import { UsageCounter } from "#http/usage-counter.ts";
import { SERVICE_VERSION } from "#api/service-version.ts";
import { clientFiles } from "./client-code.ts";
import { cliPage } from "./cli-page.ts";
import { endpointPage, shorten } from "./endpoint-page.ts";
import { openApi } from "./openapi.ts";

/** The day of the contract: examples do not change with the day they are generated on. */
const CLOCK = Date.parse("2026-11-15T12:00:00Z");

export async function generatedFiles(root: string): Promise<Map<string, string>> {
  const operations = OPERATIONS;
  const files = new Map<string, string>();
  const { responses, routes } = await readExamples(operations);
  const examples = new Map(responses.map(([operation, response]) => [operation, shorten(response)]));
  const version = { service: SERVICE_VERSION, contract: API_VERSION };
  files.set("demo/world.ndjson.zst", demoWorldText());
  files.set("openapi.json", `${JSON.stringify(openApi(operations, version, examples), null, 2)}\n`);
  for (const [path, text] of clientFiles(operations, ADMIN_ROUTES)) files.set(path, text);
  files.set("docs/errors.md", errorsPage());
  files.set("docs/configuration.md", configurationPage());
  files.set("docs/cli.md", await cliPage());
  files.set("docs/export-columns.md", exportColumnsPage());
  files.set("docs/scopes.md", scopesPage(routes));
  for (const [operation, response] of responses) {
    files.set(`docs/endpoints/${operation.name}.md`, endpointPage(operation, response));
  }
  files.set("docs/endpoints/README.md", `# Operations\n\n${operationTable(operations, "")}\n`);
  files.set("README.md", readme(readFileSync(join(root, "README.md"), "utf8"), operations));
  return files;
}

/** Null if it is missing. */
export function readGenerated(file: string): string | null {
  try {
    const bytes = readFileSync(file);
    return (isCompressed(file) ? zstdDecompressSync(bytes) : bytes).toString();
  } catch {
    return null;
  }
}

export function writeGenerated(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const params = { [constants.ZSTD_c_compressionLevel]: 19 };
  writeFileSync(file, isCompressed(file) ? zstdCompressSync(text, { params }) : text);
}

const isCompressed = (file: string) => file.endsWith(".zst");

interface Examples {
  responses: [Operation, unknown][];
  /** All routes of the service. */
  routes: readonly RouteEntry[];
}

async function readExamples(operations: readonly Operation[]): Promise<Examples> {
  const requested = new Set(operations.flatMap(({ endpoint }) => Object.values(endpoint.example)));
  const folder = mkdtempSync(join(tmpdir(), "triptych-generate-"));
  const store = openSqliteStore(folder, "full", () => CLOCK);
  try {
    for (const { platform, batch } of demoWorld(CLOCK, "http://127.0.0.1:8080")) {
      // Most of the demo data are comments on posts that no example asks for.
      const comments = batch.comments?.filter(({ postId }) => requested.has(postId));
      await store.writer.write([toUnit(platform, { ...batch, ...(comments === undefined ? {} : { comments }) })]);
    }
    await store.writer.refreshTrends();
    const responses: [Operation, unknown][] = [];
    for (const operation of operations) {
      const { body } = await compileOperation(operation)(
        {
          permitted: permittedReaders(operation, store, "object")(() => true),
          now: CLOCK,
          requestId: "0d9f6b1e-example",
          defaults: { language: "en", country: "US", timezone: "UTC" },
          cursors: pageTokensFor(Buffer.alloc(32), operation.name, CLOCK),
          personal: true,
          unknownAsNull: false,
        },
        operation.endpoint.example,
      );
      responses.push([operation, body]);
    }
    return { responses, routes: await listRoutes(store, folder) };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function listRoutes(store: Store, dataDir: string): Promise<readonly RouteEntry[]> {
  const config = readConfig({ DATA_DIR: dataDir, METRICS: "public" });
  const unused = () => Promise.reject(new Error("nothing is requested"));
  loadOrCreatePepper(config.pepperFile);
  const http = createHttpService(config, openReadOnlyServices(config, store), {
    logger: openLog({ ...config, logLevel: "silent" }).logger,
    queue: new ImportQueue(store.jobs, dataDir, unused, () => undefined),
    metrics: new Metrics(),
    metricsPublic: true,
    live: null,
    runAdmin: unused,
    computeRanking: unused,
    recordAudit: unused,
    usage: new UsageCounter(),
    errors: new RecentErrors(),
    tracer: null,
  });
  await http.server.ready();
  await http.close();
  return http.server.accessTable;
}

/** A table of all routes and scopes. */
function scopesPage(routes: readonly RouteEntry[]): string {
  const scopes = scopesFor(PLATFORMS.map(({ name }) => name));
  const rows = routes.map(({ method, path, access }) => {
    const cells = scopes.map(({ name }) => (access === "token" || access.includes(name) ? "yes" : ""));
    return `| \`${method} ${path}\` | ${access === "public" ? "yes" : ""} | ${cells.join(" | ")} |`;
  });
  return `# Routes and scopes

Every route of the service, and the scopes that open it: a token needs one of those marked in its row. A route that does not
say who may call it stops the start of the service, and a test sends each route tokens of every scope.

${scopes.map(({ name, sentence }) => `- \`${name}\`: ${sentence}`).join("\n")}

An export also needs a read scope of each platform in it. Entries of a batch and tools called over MCP need the scopes of
their operations. Where \`:token\` or \`:key\` is in the path, the token is in the URL, since the client sends no headers.

| Route | no token | ${scopes.map(({ name }) => `\`${name}\``).join(" | ")} |
| --- | --- | ${scopes.map(() => "---").join(" | ")} |
${rows.join("\n")}
`;
}

function exportColumnsPage(): string {
  const tables = EXPORT_KINDS.map(({ name, summary, columns }) => {
    const rows = columns.map((column) => `| \`${column.name}\` | ${column.type} | ${column.meaning} |`);
    return `## ${name}\n\n${summary}.\n\n| Column | Type | Meaning |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
  });
  return `# Columns of exports

Every column is empty or \`null\` where the value is unknown. [Export](export.md) says how each format writes the types.

${tables.join("\n")}`;
}

function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, number, title, remedy }]) =>
      `| <a id="${code}"></a>[\`${code}\`](#${code}) | ${status} | ${number} | ${title}. | ${remedy} |`,
  );
  return `# Errors

Every error response has a real HTTP status, the type \`application/problem+json\` (RFC 9457) and this body,
which includes the members that clients of the platforms expect:

\`\`\`json
{
  "type": "/docs/errors#missing_parameter",
  "title": "${ERRORS.missing_parameter.title}",
  "status": 400,
  "detail": "musicId is required in the query string",
  "code": "missing_parameter",
  "request_id": "8a1c4c0e-2f43-4c5e-9d6e-0d6a3f5b7c11",
  "errors": [{ "in": "query", "parameter": "musicId", "reason": "required" }],
  "statusCode": 40001,
  "status_code": 40001,
  "statusMsg": "musicId is required in the query string",
  "status_msg": "musicId is required in the query string"
}
\`\`\`

\`code\` is stable, for programs; \`detail\` is for people: what was wrong, where, and what would be right. \`statusCode\` and \`status_code\` are the same number: the HTTP status times 100 plus a count, except for two
codes of the short-video platform itself (10204 for a missing post, 10221 for a missing account). Records that were never
imported, were erased or never existed return the same error. A video without subtitles is not an error: \`is_available\` is \`false\`.

| code | HTTP | statusCode | Meaning | What to do |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
}

function configurationPage(): string {
  const rows = SETTINGS.map(
    ({ name, fallback, description }) =>
      `| \`${name}\` | ${fallback === "" ? "" : `\`${fallback}\``} | ${description} |`,
  );
  return `# Configuration

Triptych is configured by environment variables, or by a file \`triptych.config.json\` in the current directory or in
\`TRIPTYCH_HOME\`. The environment overrides the file, and options of a command override both. An invalid value, or a name
in the file that is not a setting, stops the start with a message that names it. \`triptych doctor\` checks all settings
without starting the service, and says where each value comes from (\`--verbose\`: defaults too).

\`\`\`json
{
  "PORT": 9000,
  "DATA_DIR": "/srv/triptych",
  "CORS_ORIGINS": ["https://app.example"],
  "DEMO": false
}
\`\`\`

The file has the names of the table. \`true\` and \`false\` mean \`on\` and \`off\`, a list is joined by commas, and paths are
relative to the file. Make it readable by its owner only if it has \`API_TOKEN\` or \`STORE_URL\`.

| Setting | Default | Meaning |
| --- | --- | --- |
${rows.join("\n")}

Fixed limits: request bodies on \`/api\` have at most 64 KiB, headers 16 KiB (100 of them), URLs 8 KiB; a multipart body has at most 8
fields and no files; headers must arrive within 10 s and whole requests within 15 s. Responses of 1 KiB and more are
compressed with zstd, brotli or gzip, as the client prefers.

Where the data are: \`DATA_DIR\` if it is set, otherwise \`data\` in \`TRIPTYCH_HOME\`. Without \`TRIPTYCH_HOME\`, a clone uses the
current directory, and so does an installed package where \`./data\` has a store; otherwise an installed package uses
\`$XDG_DATA_HOME/triptych\` or \`~/.local/share/triptych\` on Linux, \`~/Library/Application Support/triptych\` on macOS and
\`%LOCALAPPDATA%\\triptych\` on Windows.

\`DATA_DIR\` contains \`triptych.sqlite\` and \`usage.sqlite\`, the counts of requests (both with \`-wal\` and \`-shm\` files),
\`uploads\` that wait for their import, \`rejects\` of imports, and \`pepper\`, the secret that tokens and page tokens are signed
with. Keep \`pepper\` private (mode 0600) and with its store: without it every token is invalid.
`;
}

function operationTable(operations: readonly Operation[], folder: string): string {
  const rows = operations.map(
    ({ endpoint, name, path }) =>
      `| \`${endpoint.method} ${path}\` | [${endpoint.summary}](${folder}${name}.md) | ${endpoint.cost === "lookup" ? "look-up" : endpoint.cost} |`,
  );
  return ["| Operation | Returns | Cost |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The README is written by hand, except for the table between its two markers. */
function readme(text: string, operations: readonly Operation[]): string {
  const [start, end] = ["<!-- operations:start -->", "<!-- operations:end -->"];
  const head = text.slice(0, text.indexOf(start) + start.length);
  const tail = text.slice(text.indexOf(end));
  return `${head}\n\n${operationTable(operations, "docs/endpoints/")}\n\n${tail}`;
}
