/** `triptych mcp`: the operations as tools for a language model, over standard input and output. */
import { withRankings } from "#api/rankings.ts";
import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import type { Command } from "commander";
import { compileOperation } from "#api/compile-operation.ts";
import { permittedReaders } from "#api/platform.ts";
import { pageTokensFor } from "#auth/page-tokens.ts";
import type { Services } from "#serve/services.ts";
import type { Config } from "#config";
import { ApiError, internalError } from "#errors";
import { EXPORT_KINDS } from "#export/kinds.ts";
import type { ExportAccess } from "#export/read-export.ts";
import { exportSmall } from "#export/small-export.ts";
import type { McpBackend } from "#mcp/backend.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { withExistingStore } from "../with-services.ts";
import { configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printNote, type Terminal } from "../terminal.ts";

interface McpOptions {
  personal?: true;
  dataDir?: string;
}

const EXAMPLES = `
Example of a client's configuration:
  { "mcpServers": { "triptych": { "command": "triptych", "args": ["mcp", "--data-dir", "/srv/triptych/data"] } } }

The client starts this command; it reads the store directly and needs no token. A running service has the same tools at
/mcp, with a token; see docs/mcp.md.`;

export function registerMcp(program: Command, terminal: Terminal): void {
  program
    .command("mcp")
    .description("serve the operations as MCP tools on standard input and output")
    .option("--personal", "also return e-mail, phone, street and zip of profiles")
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", EXAMPLES)
    .action((options: McpOptions) => {
      const config = configFrom(terminal, options);
      return withExistingStore(config, async (services) => {
        const { serveMcpOnStdio } = await import("#mcp/stdio.ts");
        const { createExportAccess } = await import("#serve/export-access.ts");
        const exports = createExportAccess(services.store, services.retention, services.recordAudit);
        await serveMcpOnStdio(
          createBackend(terminal, services, exports, config, options.personal === true),
          (error) => {
            if (terminal.verbosity === "verbose") printNote(terminal, `triptych: ${error.message}\n`);
          },
        );
      });
    });
}

/** Access to the store is access to everything in it, but personal details leave it only on request. */
function createBackend(
  terminal: Terminal,
  services: Services,
  exports: ExportAccess,
  config: Config,
  personal: boolean,
): McpBackend {
  const { store, secrets, operations, refreshTrends } = services;
  return {
    operations,
    reportFailure(error) {
      const requestId = randomUUID();
      terminal.err(`triptych: request ${requestId} failed: ${inspect(error)}\n`);
      const { message, code } = error instanceof ApiError ? error : internalError(error);
      return `${message} (${code}, request_id ${requestId})`;
    },
    exports: {
      kinds: EXPORT_KINDS,
      platforms: PLATFORMS.map(({ name }) => name),
      run: (request) => exportSmall(exports, "command", request),
    },
    async run(operation, input) {
      if (operation.endpoint.readsTrends) await refreshTrends();
      const now = Date.now();
      const run = () =>
        compileOperation(operation)(
          {
            permitted: permittedReaders(operation, store, "object")(() => true),
            now,
            requestId: randomUUID(),
            defaults: config.defaults,
            cursors: pageTokensFor(secrets.cursors, operation.name, now),
            personal,
            unknownAsNull: true,
          },
          input,
        );
      return withRankings(run, refreshTrends);
    },
  };
}
