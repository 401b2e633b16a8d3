/** Generates openapi.json, which the service serves, from the list of operations and their responses to demo data. */
import type { TObject } from "#api/schema.ts";
import { EXPORT_KINDS } from "#export/kinds.ts";
import { ExportInput } from "#http/export-routes.ts";
import { SECURE_SESSION_COOKIE, SESSION_COOKIE } from "#auth/session-cookie.ts";
import { QueuedUpload, UPLOAD_PATH } from "#http/uploads/upload-routes.ts";
import { ERRORS, TRENDS_DAY_HEADER } from "#errors";
import { GUIDE_NAMES, guidePath, GUIDES, isGuide } from "#http/guides.ts";
import {
  CHART_DAY_HEADER,
  CORRECTION_HEADER,
  IGNORED_HEADER,
  IGNORED_TERMS_HEADER,
  MATCHED_HEADER,
  NEWEST_CAPTURE_HEADER,
  TRENDS_AS_OF_HEADER,
} from "#api/response-headers.ts";
import type { Operation } from "#api/platform.ts";
import { accessNote } from "./access-note.ts";
import { type AdminRoute, parameterLocation } from "#http/admin/admin-route.ts";
import { ADMIN_ROUTES } from "#http/admin/routes.ts";

interface Document {
  openapi: "3.1.0";
  [member: string]: unknown;
}

const FIELDS = {
  type: "string",
  description: "Parts of the response to return, such as `userInfo(user(id,uniqueId),stats)`; all by default.",
};

const HEADERS = [
  {
    name: "Prefer",
    in: "header",
    required: false,
    // No enum: a reference would choose its only value.
    schema: { type: "string" },
    description: "`unknown=null` returns unknown values as null instead of the empty value of their type.",
  },
  {
    name: "Api-Version",
    in: "header",
    required: false,
    schema: { type: "string" },
    description: "The API version that the client was written for; an unknown version is rejected.",
  },
];

const EXPORT_TYPES = [
  "application/x-ndjson",
  "text/csv",
  "application/json",
  "application/vnd.apache.parquet",
  "application/vnd.sqlite3",
];

/** Operations with the response to their example, or null. */
type Examples = ReadonlyMap<Operation, unknown>;

export function openApi(
  operations: readonly Operation[],
  version: { service: string; contract: string },
  examples: Examples,
): Document {
  const groups = [...new Set(operations.map(({ group }) => group))];
  return {
    openapi: "3.1.0",
    info: {
      title: "Triptych",
      version: version.contract,
      summary: "Public data of short-video, long-video and photo-sharing platforms, from your own store.",
      description: `Read-only. Every response comes from the operator's own store; nothing is fetched on request unless the operator turns live sources on. Service version ${version.service}.\n\nGuides: ${guideLinks()}.`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: [
      ...groups.map(({ name, title, summary }) => ({ name, "x-displayName": title, description: summary })),
      { name: "admin", "x-displayName": "Administration", description: "What an operator sees and does." },
    ],
    paths: {
      ...Object.fromEntries(operations.map((operation) => [operation.path, pathItem(operation, examples)])),
      "/api/batch": batchPath(operations),
      "/api/export/{kind}": exportPath(),
      [UPLOAD_PATH]: uploadPath(),
      ...adminPaths(ADMIN_ROUTES),
    },
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A token created with `triptych token create`." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: SESSION_COOKIE,
          description: `Set by \`POST /admin/session\`, for pages of the service; over https its name is \`${SECURE_SESSION_COOKIE}\`. Anything but GET needs \`Sec-Fetch-Site: same-origin\` or \`X-Requested-With: triptych-console\`.`,
        },
      },
      schemas: { Problem: PROBLEM },
      responses: {
        Problem: {
          description: "Any error.",
          headers: {
            "X-Request-Id": header("Id of this request, also in the log and in the body."),
            "Retry-After": header("With 429 and 503: seconds until another attempt."),
            "WWW-Authenticate": header("With 401 and 403: how to authenticate."),
            Allow: header("With 405: the methods that the path has."),
          },
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        },
      },
    },
  };
}

function pathItem(operation: Operation, examples: Examples): object {
  const { endpoint } = operation;
  const common = {
    operationId: operation.id,
    tags: [operation.group.name],
    summary: endpoint.summary,
    description: linkGuides(`${endpoint.description}\n\n${accessNote(operation)}`),
    ...(endpoint.pages === undefined ? {} : { "x-pagination": endpoint.pages }),
    responses: {
      "200": {
        description: endpoint.summary,
        headers: responseHeaders(operation),
        content: { "application/json": { schema: endpoint.output, example: examples.get(operation) } },
      },
      ...(endpoint.method === "GET"
        ? { "304": { description: "Not modified since the ETag in `If-None-Match`." } }
        : {}),
      default: { $ref: "#/components/responses/Problem" },
    },
  };
  if (endpoint.method === "GET") {
    return { get: { ...common, parameters: [...queryParameters(endpoint.input, endpoint.example), ...HEADERS] } };
  }
  const schema = {
    ...endpoint.input,
    properties: { ...endpoint.input.properties, fields: FIELDS },
    required: requiredOf(endpoint.input),
  };
  const types = ["multipart/form-data", "application/x-www-form-urlencoded", "application/json"];
  const preferred =
    endpoint.form === "multipart" ? types : [types[1] as string, types[0] as string, types[2] as string];
  return {
    post: {
      ...common,
      parameters: HEADERS,
      requestBody: {
        required: true,
        content: Object.fromEntries(preferred.map((type) => [type, { schema, example: endpoint.example }])),
      },
    },
  };
}

function batchPath(operations: readonly Operation[]): object {
  const lookups = operations.filter(({ endpoint }) => endpoint.cost === "lookup");
  const [first] = lookups;
  const entry = {
    type: "object",
    required: ["operation"],
    properties: {
      operation: { type: "string", enum: lookups.map(({ name }) => name) },
      parameters: { type: "object", description: "The parameters of the operation." },
    },
  };
  const response = {
    type: "object",
    required: ["status", "last_modified", "body"],
    properties: {
      status: { type: "integer", description: "The HTTP status that the look-up alone would have." },
      last_modified: { type: ["string", "null"] },
      body: { description: "The body that the look-up alone would have; for an error, a problem." },
    },
  };
  const list = (name: string, items: object) => ({
    type: "object",
    required: [name],
    properties: { [name]: { type: "array", minItems: 1, maxItems: 100, items } },
  });
  return {
    post: {
      operationId: "batch",
      tags: ["cross-platform"],
      summary: "Up to 100 look-ups",
      description:
        "Runs look-ups of any platform, one after the other, and returns a response for each, in the same order. Each needs its own scope and costs as a look-up.",
      parameters: HEADERS,
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: list("requests", entry),
            example: { requests: [{ operation: first?.name, parameters: first?.endpoint.example }] },
          },
        },
      },
      responses: {
        "200": {
          description: "A response for each look-up.",
          content: { "application/json": { schema: list("responses", response) } },
        },
        default: { $ref: "#/components/responses/Problem" },
      },
    },
  };
}

function exportPath(): object {
  const parameters = Object.entries(ExportInput.properties as Record<string, { description?: string }>);
  return {
    get: {
      operationId: "export",
      tags: ["cross-platform"],
      summary: "Whole sets of records",
      description:
        "Streams all records of one kind, or those that a query finds, at one moment. A response is complete if it ends with the trailers `Content-Digest` and `Triptych-Rows`.\n\nScope `export`, and a read scope of each platform in it; costs as a search.",
      parameters: [
        {
          name: "kind",
          in: "path",
          required: true,
          schema: { type: "string", enum: EXPORT_KINDS.map(({ name }) => name) },
        },
        ...parameters.map(([name, { description, ...schema }]) => ({
          name,
          in: "query",
          required: false,
          description,
          schema,
        })),
      ],
      responses: {
        "200": {
          description: "The records.",
          content: Object.fromEntries(EXPORT_TYPES.map((type) => [type, {}])),
        },
        default: { $ref: "#/components/responses/Problem" },
      },
    },
  };
}

function uploadPath(): object {
  return {
    post: {
      operationId: "ingest_files",
      tags: ["admin"],
      summary: "Upload files to import",
      description:
        "Saves the files and queues their import; `GET /admin/jobs/{id}` shows how it goes. Formats are recognised as by the command line.\n\nScope `ingest`.",
      requestBody: {
        required: true,
        content: {
          "multipart/form-data": {
            schema: {
              type: "object",
              properties: { file: { type: "array", items: { type: "string", format: "binary" } } },
            },
          },
        },
      },
      responses: {
        "202": {
          description: "The files are saved and will be imported, also after a restart.",
          content: {
            "application/json": {
              schema: QueuedUpload,
            },
          },
        },
        default: { $ref: "#/components/responses/Problem" },
      },
    },
  };
}

/** Several methods may share a path. */
function adminPaths(routes: readonly AdminRoute[]): Record<string, object> {
  const paths: Record<string, object> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: adminItem(route) };
  return paths;
}

function adminItem(route: AdminRoute): object {
  const { access, input, output, summary, description, status = 200 } = route;
  const required = requiredOf(input);
  const properties = Object.entries(input.properties as Record<string, { description?: string }>);
  const isInBody = ([name]: [string, unknown]) => parameterLocation(route, name) === "body";
  const body = properties.filter(isInBody);
  return {
    operationId: route.name
      .toLowerCase()
      .replaceAll(/[^a-z]+/g, "_")
      .replace(/_$/, ""),
    tags: ["admin"],
    summary,
    description: `${description}\n\n${adminAccess(access)}`,
    security: access === "public" ? [] : [{ bearer: [] }, { session: [] }],
    parameters: properties
      .filter((property) => !isInBody(property))
      .map(([name, { description: about, ...schema }]) => ({
        name,
        in: parameterLocation(route, name),
        required: required.includes(name),
        description: about,
        schema,
      })),
    ...(body.length === 0
      ? {}
      : {
          requestBody: {
            required: body.some(([name]) => required.includes(name)),
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  required: required.filter((name) => parameterLocation(route, name) === "body"),
                  properties: Object.fromEntries(body),
                },
              },
            },
          },
        }),
    responses: {
      [status]: { description: summary, content: { "application/json": { schema: output } } },
      default: { $ref: "#/components/responses/Problem" },
    },
  };
}

function adminAccess(access: AdminRoute["access"]): string {
  if (access === "public") return "Needs no token.";
  return access === "token" ? "Any valid token will do." : `Scope \`${access[0]}\`.`;
}

function guideLinks(): string {
  return GUIDE_NAMES.map((name) => `[${GUIDES[name]}](${guidePath(name)})`).join(" · ");
}

/** Descriptions name guides as files of the repository; the service serves them as pages. */
function linkGuides(description: string): string {
  return description.replaceAll(/docs\/([a-z]+)\.md/g, (file, name: string) =>
    isGuide(name) ? `[${file}](${guidePath(name)})` : file,
  );
}

/** A parameter with a default is optional. */
function requiredOf(input: TObject): string[] {
  const properties = input.properties as Record<string, { default?: unknown }>;
  return ((input.required ?? []) as string[]).filter((name) => properties[name]?.default === undefined);
}

function queryParameters(input: TObject, example: Record<string, string>): object[] {
  const required = new Set(requiredOf(input));
  const declared = Object.entries(input.properties as Record<string, { description?: string }>).map(
    ([name, property]) => {
      const { description, ...schema } = property;
      return {
        name,
        in: "query",
        required: required.has(name),
        ...(description === undefined ? {} : { description }),
        schema,
        // A reference sends the examples of optional parameters too.
        ...(required.has(name) && example[name] !== undefined ? { example: example[name] } : {}),
      };
    },
  );
  const { description, ...schema } = FIELDS;
  return [...declared, { name: "fields", in: "query", required: false, description, schema }];
}

const header = (description: string) => ({ description, schema: { type: "string" } });

function responseHeaders({ name, endpoint: { method, cost } }: Operation): object {
  const isRanking = name.includes("/trending");
  return {
    "X-Request-Id": header("Id of this request, also in the log."),
    "Api-Version": header("API version of this response."),
    "RateLimit-Policy": header("The limits of this token."),
    RateLimit: header("The remaining quota."),
    "Last-Modified": header("When the newest record in the response was captured."),
    "Cache-Control": header("How long a client may keep the response."),
    "Cache-Status": header("Whether the response was cached by the service, and whether a live source was asked."),
    "X-Robots-Tag": header("`noindex`: search engines must not list responses."),
    "Preference-Applied": header("`unknown=null`, if `Prefer` asked for it."),
    [IGNORED_HEADER]: header(
      "Only if there are any: names of parameters that the operation does not know, percent-encoded.",
    ),
    ...(method === "GET" ? { ETag: header("For `If-None-Match`.") } : {}),
    ...(isRanking
      ? {
          [TRENDS_AS_OF_HEADER]: header("When the ranking was computed, if it was."),
          [TRENDS_DAY_HEADER]: header("The last day of the period of the ranking, if one was computed."),
          [NEWEST_CAPTURE_HEADER]: header("When a post of the platform was last captured, if one is stored."),
        }
      : {}),
    ...(name === "longvideo/trending" ? { [CHART_DAY_HEADER]: header("The day of the chart, if one is stored.") } : {}),
    ...(cost === "search" && !isRanking
      ? {
          [CORRECTION_HEADER]: header(
            "Only if nothing matched the query as typed: the spelling that was searched instead, percent-encoded.",
          ),
          [MATCHED_HEADER]: header("`some` if nothing has all words, so that the results have some of them."),
          [IGNORED_TERMS_HEADER]: header(
            "Only if there are any: parts of the query that could not be read, percent-encoded.",
          ),
        }
      : {}),
  };
}

const PROBLEM = {
  type: "object",
  description: "RFC 9457 problem details, with the platforms' own error members.",
  required: [
    "type",
    "title",
    "status",
    "detail",
    "code",
    "request_id",
    "errors",
    "statusCode",
    "status_code",
    "statusMsg",
    "status_msg",
  ],
  properties: {
    type: { type: "string", description: "URL of the error's description." },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "What was wrong, where, and what would be valid." },
    code: { type: "string", enum: Object.keys(ERRORS) },
    request_id: { type: "string" },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["in", "parameter", "reason"],
        properties: {
          in: { type: "string", enum: ["query", "body", "path", "header"] },
          parameter: { type: "string" },
          reason: { type: "string" },
        },
      },
    },
    statusCode: { type: "integer" },
    status_code: { type: "integer" },
    statusMsg: { type: "string" },
    status_msg: { type: "string" },
  },
};
