/** One page of docs/endpoints: its parameters, an example request and the response to it. */
import type { Operation } from "#api/platform.ts";
import { accessNote } from "./access-note.ts";

interface ParameterSchema {
  type?: string;
  format?: string;
  default?: string | number | boolean;
  const?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  description?: string;
}

export function endpointPage(operation: Operation, response: unknown): string {
  const { endpoint, name, path } = operation;
  const input = endpoint.input as unknown as { properties: Record<string, ParameterSchema>; required?: string[] };
  const rows = Object.entries(input.properties).map(([parameter, schema]) => {
    const required = (input.required ?? []).includes(parameter) && schema.default === undefined;
    return `| \`${parameter}\` | ${required ? "yes" : "no"} | ${limitsOf(schema)} | ${schema.default === undefined ? "" : `\`${schema.default}\``} | ${schema.description ?? ""} |`;
  });
  const location =
    endpoint.method === "GET"
      ? "In the query string."
      : `In the body: ${endpoint.form === "multipart" ? "multipart form data" : "URL-encoded form data"}; the other form encoding and JSON work too.`;
  return `# ${name}

${endpoint.summary}. \`${endpoint.method} ${path}\`

${endpoint.description}

${accessNote(operation)}

## Parameters

${location} Every operation also takes [\`fields\`](${"../".repeat(name.split("/").length)}api.md#field-selection).

| Name | Required | Type | Default | Meaning |
| --- | --- | --- | --- | --- |
${rows.join("\n")}

## Example

\`\`\`sh
${exampleRequest(operation, "http://127.0.0.1:8080", "$TOKEN")}
\`\`\`

Lists are shortened to their first entries.

\`\`\`json
${JSON.stringify(shorten(response), null, 2)}
\`\`\`
`;
}

/** A curl command. */
export function exampleRequest({ endpoint, path }: Operation, url: string, token: string): string {
  const authorization = `-H "Authorization: Bearer ${token}"`;
  const pairs = Object.entries(endpoint.example);
  if (endpoint.method === "GET") {
    const query = new URLSearchParams(pairs).toString();
    return `curl ${authorization} "${url}${path}${query === "" ? "" : `?${query}`}"`;
  }
  const flag = endpoint.form === "multipart" ? "-F" : "--data-urlencode";
  return `curl ${authorization} ${pairs.map(([name, value]) => `${flag} "${name}=${value}"`).join(" ")} ${url}${path}`;
}

function limitsOf(schema: ParameterSchema): string {
  if (schema.const !== undefined) return `exactly \`${schema.const}\``;
  if (schema.enum !== undefined) return schema.enum.map((choice) => `\`${String(choice)}\``).join(", ");
  if (schema.type === "integer") {
    return schema.maximum === Number.MAX_SAFE_INTEGER
      ? `integer from ${schema.minimum}`
      : `integer ${schema.minimum}-${schema.maximum}`;
  }
  if (schema.format === "date") return "day, `YYYY-MM-DD`";
  return `text, at most ${schema.maxLength ?? 200} characters`;
}

/** Lists with their first two entries. */
export function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shorten);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, shorten(below)]));
}
