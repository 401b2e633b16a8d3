/** Records as MCP resources: every look-up by one name or id has an address, such as triptych://longvideo/video/details/<id>. */
import { type RawInput, requiredParameters } from "#api/input.ts";
import type { Operation } from "#api/platform.ts";
import type { SchemaNode } from "#api/schema.ts";

const SCHEME = "triptych://";

interface Lookup {
  operation: Operation;
  /** The parameter that names the record. */
  parameter: string;
  /** Parameters that can have one value only. */
  constants: RawInput;
}

export function lookupsIn(operations: readonly Operation[]): Lookup[] {
  return operations.flatMap((operation) => {
    const { input, cost } = operation.endpoint;
    const properties: Record<string, SchemaNode> = input.properties;
    const required = requiredParameters(input);
    const fixed = required.filter((name) => properties[name]?.const !== undefined);
    const [parameter, ...others] = required.filter((name) => !fixed.includes(name));
    if (cost !== "lookup" || parameter === undefined || others.length > 0) return [];
    return [
      { operation, parameter, constants: Object.fromEntries(fixed.map((name) => [name, properties[name]?.const])) },
    ];
  });
}

export function resourceTemplates(operations: readonly Operation[]) {
  return lookupsIn(operations).map(({ operation, parameter }) => ({
    uriTemplate: `${SCHEME}${operation.name}/{${parameter}}`,
    name: operation.id,
    title: operation.endpoint.summary,
    description: operation.endpoint.description,
    mimeType: "application/json",
  }));
}

/** Null for an address that is none of ours. */
export function parseResourceUri(
  uri: string,
  operations: readonly Operation[],
): { operation: Operation; input: RawInput } | null {
  if (!uri.startsWith(SCHEME)) return null;
  const path = uri.slice(SCHEME.length);
  for (const { operation, parameter, constants } of lookupsIn(operations)) {
    const head = `${operation.name}/`;
    const rest = path.startsWith(head) ? path.slice(head.length) : "";
    if (rest === "" || rest.includes("/")) continue;
    const value = decode(rest);
    return value === null ? null : { operation, input: { ...constants, [parameter]: value } };
  }
  return null;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
