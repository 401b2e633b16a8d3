import type { Result } from "#api/compile-operation.ts";
import type { RawInput } from "#api/input.ts";
import type { Operation } from "#api/platform.ts";

/** What an MCP server calls: the operations that its client may use, with the client's scopes and limits applied. */
export interface McpBackend {
  operations: readonly Operation[];
  /** Throws an ApiError, whose message is for the client. */
  run(operation: Operation, input: RawInput): Promise<Result>;
}
