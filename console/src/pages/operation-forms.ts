/** The operations of openapi.json as forms, and a filled form as code for the clients of client/. */

interface Schema {
  type?: string;
  enum?: unknown[];
  default?: string | number | boolean;
  description?: string;
  required?: string[];
  properties?: Record<string, Schema>;
}

interface OpenApiOperation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  "x-pagination"?: object;
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    example?: unknown;
    schema: Schema;
  }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: Record<string, unknown> }> };
}

export interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>;
}

export interface Parameter {
  name: string;
  description: string;
  isRequired: boolean;
  isNumber: boolean;
  /** Null if it is free text. */
  choices: string[] | null;
  /** Null if it has no default. */
  fallback: string | null;
}

export interface OperationForm {
  /** The path below /api/. */
  name: string;
  group: string;
  method: "GET" | "POST";
  path: string;
  summary: string;
  description: string;
  isList: boolean;
  parameters: Parameter[];
  example: Record<string, string>;
}

const FORM = "application/x-www-form-urlencoded";

/** Only what a form can fill: reads of /api/. The rest has pages of its own. */
export function listOperations({ paths }: OpenApi): OperationForm[] {
  return Object.entries(paths)
    .filter(([path]) => path.startsWith("/api/") && !path.includes("{"))
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => {
        const form = operation.requestBody?.content[FORM];
        if (method !== "get" && form === undefined) return [];
        const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
        return [
          {
            name: path.replace("/api/", ""),
            group: operation.tags?.[0] ?? "other",
            method: method === "get" ? ("GET" as const) : ("POST" as const),
            path,
            summary: operation.summary ?? path,
            description: withoutLinks(operation.description ?? ""),
            isList: operation["x-pagination"] !== undefined,
            parameters: [
              ...query.map(({ name, required, description, schema }) =>
                toParameter(
                  name,
                  { ...schema, description: description ?? schema.description ?? "" },
                  required === true,
                ),
              ),
              ...Object.entries(form?.schema.properties ?? {}).map(([name, schema]) =>
                toParameter(name, schema, form?.schema.required?.includes(name) === true),
              ),
            ],
            example: toText({
              ...Object.fromEntries(
                query.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])),
              ),
              ...form?.example,
            }),
          },
        ];
      }),
    );
}

function toParameter(
  name: string,
  { type, description = "", enum: choices, default: fallback }: Schema,
  isRequired: boolean,
): Parameter {
  return {
    name,
    description: withoutLinks(description),
    isRequired,
    isNumber: type === "integer" || type === "number" || choices?.every((one) => typeof one === "number") === true,
    choices: choices?.map(String) ?? null,
    fallback: fallback === undefined ? null : String(fallback),
  };
}

/** Descriptions are Markdown; here they are plain text. */
function withoutLinks(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1").replaceAll("`", "");
}

function toText(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

type Values = Readonly<Record<string, string>>;

/** `GET /api/longvideo/video/details` is `longvideo.videoDetails`. */
function callOf({ name, group }: OperationForm, join: (words: string[]) => string): string {
  const isOfPlatform = name.startsWith(`${group}/`);
  const words = (isOfPlatform ? name.slice(group.length + 1) : name).split(/[/-]/);
  return isOfPlatform ? `${group}.${join(words)}` : join(words);
}

export function toTypeScript(operation: OperationForm, values: Values, origin: string): string {
  const call = callOf(operation, ([first = "", ...rest]) =>
    [first, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join(""),
  );
  const input = Object.entries(values).map(([name, value]) => `${name}: ${literal(operation, name, value)}`);
  return [
    'import { createClient } from "triptych-server/client";',
    "",
    `const triptych = createClient({ url: ${JSON.stringify(origin)}, token: process.env.TOKEN });`,
    `const response = await triptych.${call}(${input.length === 0 ? "" : `{ ${input.join(", ")} }`});`,
    "console.log(response);",
    "",
  ].join("\n");
}

export function toPython(operation: OperationForm, values: Values, origin: string): string {
  const call = callOf(operation, (words) => words.join("_"));
  const input = Object.entries(values).map(([name, value]) => `${name}=${literal(operation, name, value)}`);
  return [
    "import os",
    "from triptych_client import Triptych",
    "",
    `triptych = Triptych(${JSON.stringify(origin)}, os.environ["TOKEN"])`,
    `print(triptych.${call}(${input.join(", ")}))`,
    "",
  ].join("\n");
}

/** A number where the operation takes one, otherwise a text; both languages write them alike. */
function literal({ parameters }: OperationForm, name: string, value: string): string {
  const isNumber = parameters.find((one) => one.name === name)?.isNumber === true;
  return isNumber && Number.isFinite(Number(value)) ? String(Number(value)) : JSON.stringify(value);
}
