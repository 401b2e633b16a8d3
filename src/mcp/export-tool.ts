/** A tool for small sets as a table: rows that fit into the answer, as CSV. */
import type { Tool } from "@modelcontextprotocol/server";
import type { RawInput } from "#api/input.ts";
import { findUnknownParameter } from "#api/unknown-parameter.ts";
import { SERVICE_VERSION } from "#api/service-version.ts";
import type { McpExports } from "./backend.ts";
import { MAX_TOKENS_PARAMETER, splitArguments } from "./tools.ts";
import { invalidInBody } from "#errors";

export const EXPORT_TOOL = "export_table";

const PARAMETERS = ["kind", "platform", "where", "max_tokens"];

export function exportToolOf({ kinds, platforms }: McpExports): Tool {
  const summaries = kinds.map(({ name, summary }) => `${name}: ${summary}`).join("; ");
  return {
    name: EXPORT_TOOL,
    title: "Export a small table",
    description: `Rows of one kind as CSV with a header, as many as fit. ${summaries}. For more, GET /api/export/{kind} writes a file.`,
    inputSchema: {
      type: "object",
      properties: {
        kind: { type: "string", enum: kinds.map(({ name }) => name), description: "What to export." },
        platform: {
          type: "string",
          enum: [...platforms],
          description: "One platform; absent for all that you may read.",
        },
        where: {
          type: "string",
          maxLength: 500,
          description:
            "Only what matches this query, such as street food since:2026-01; not for followers, charts and counters.",
        },
        max_tokens: MAX_TOKENS_PARAMETER,
      },
      required: ["kind"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
}

export async function exportText(exports: McpExports, args: RawInput): Promise<string> {
  const unknown = findUnknownParameter(args, PARAMETERS);
  if (unknown !== null) throw invalidInBody(unknown.parameter, unknown.reason);
  const { input, maxLength } = splitArguments(args);
  const { kind, platform, where } = input;
  if (typeof kind !== "string") throw invalidInBody("kind", "is required");
  const platforms = exports.platforms.filter((name) => platform === undefined || name === platform);
  if (platform !== undefined && platforms.length === 0) {
    throw invalidInBody("platform", `must be one of ${exports.platforms.join(", ")}`);
  }
  if (where !== undefined && (typeof where !== "string" || where.length > 500)) {
    throw invalidInBody("where", "must be a query of at most 500 characters");
  }
  const { csv, rows, isComplete } = await exports.run({ kind, platforms, where: where || null, maxLength });
  const note = isComplete ? `all ${rows} rows` : `the first ${rows} rows; ask for less with where, or for a file`;
  return JSON.stringify({
    csv,
    rows,
    complete: isComplete,
    note,
    source: { service: `Triptych ${SERVICE_VERSION}`, request: `GET /api/export/${kind}`, parameters: input },
  });
}
