import type { Result } from "#api/compile-operation.ts";
import type { RawInput } from "#api/input.ts";
import type { Operation } from "#api/platform.ts";

/** What an MCP server calls: the operations that its client may use, with the client's scopes and limits applied. */
export interface McpBackend {
  operations: readonly Operation[];
  /** Throws an ApiError for what the client can mend; its message is for the client. */
  run(operation: Operation, input: RawInput): Promise<Result>;
  /** Null if the client may not export. */
  exports: McpExports | null;
  /** Reports a failure of the service to the operator, and returns what the client may know of it. */
  reportFailure(error: unknown): string;
}

export interface McpExports {
  kinds: readonly { name: string; summary: string }[];
  platforms: readonly string[];
  /** Throws an ApiError too, such as for platforms none of which the client may read. */
  run(request: McpExportRequest): Promise<{ csv: string; rows: number; isComplete: boolean }>;
}

export interface McpExportRequest {
  kind: string;
  platforms: readonly string[];
  where: string | null;
  maxLength: number;
}
