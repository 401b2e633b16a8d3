/** The operations as MCP tools: the same list, the same parameters, nothing else. */
import type { JSONObject, Tool } from "@modelcontextprotocol/server";
import type { Result } from "#api/compile-operation.ts";
import type { Paging } from "#api/endpoint.ts";
import { type FieldTree, parseFields, pickFields } from "#api/fields.ts";
import { type RawInput, requiredParameters } from "#api/input.ts";
import { itemsOf, nextPage, valueAt } from "#api/paging.ts";
import type { Operation } from "#api/platform.ts";
import type { SchemaNode } from "#api/schema.ts";
import { SERVICE_VERSION } from "#api/service-version.ts";
import { fitLength } from "./fit-length.ts";

/** Rather too few: texts that are not English take more tokens. */
const CHARACTERS_PER_TOKEN = 3;
const DEFAULT_TOKENS = 6_000;
const MIN_TOKENS = 200;
const MAX_TOKENS = 50_000;

export const MAX_TOKENS_PARAMETER: JSONObject = {
  type: "integer",
  minimum: MIN_TOKENS,
  maximum: MAX_TOKENS,
  default: DEFAULT_TOKENS,
  description: "About how long the answer may be; a longer one is cut, and says what was left out.",
};

const OWN_PARAMETERS: Record<string, JSONObject> = {
  fields: {
    type: "string",
    description:
      "Parts of the response to return, such as userInfo(user(id,uniqueId),stats); fewer fields, more items.",
  },
  max_tokens: MAX_TOKENS_PARAMETER,
};

export function toolOf(operation: Operation): Tool {
  const { endpoint, id, group } = operation;
  const properties = endpoint.input.properties as unknown as Record<string, JSONObject>;
  const required = requiredParameters(endpoint.input);
  const parameters = Object.entries(properties).map(([name, schema]) => [name, plainSchema(schema)] as const);
  return {
    name: id,
    title: `${endpoint.summary} (${group.title})`,
    description: `${endpoint.summary}. ${endpoint.description}`,
    inputSchema: {
      type: "object",
      properties: { ...Object.fromEntries(parameters), ...OWN_PARAMETERS },
      ...(required.length === 0 ? {} : { required }),
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
}

/** Without the formats that only we know: a strict validator refuses them. */
function plainSchema({ format, ...schema }: JSONObject): JSONObject {
  return format === "date" ? { ...schema, format } : schema;
}

/** `max_tokens` of a call, and what is left for the operation. `repeated` are the arguments that the next page needs too. */
export function splitArguments(args: RawInput): { input: RawInput; repeated: RawInput; maxLength: number } {
  const { max_tokens: requested, ...input } = args;
  const tokens = typeof requested === "number" && Number.isFinite(requested) ? requested : DEFAULT_TOKENS;
  const repeated = requested === undefined ? {} : { max_tokens: requested };
  return { input, repeated, maxLength: Math.min(MAX_TOKENS, Math.max(MIN_TOKENS, tokens)) * CHARACTERS_PER_TOKEN };
}

/** Without a selection, which `answerText` makes: the rest of the body may hold what requests the next page. */
export function withoutSelection(operation: Operation, input: RawInput): RawInput {
  if (selectionOf(operation, input) === null) return input;
  const { fields: _fields, ...rest } = input;
  return rest;
}

/** Null for the whole body, also if `fields` is invalid: the operation explains why. */
function selectionOf({ endpoint }: Operation, { fields }: RawInput): FieldTree | null {
  const tree = typeof fields === "string" ? parseFields(fields, endpoint.output) : "";
  return typeof tree === "string" ? null : tree;
}

/** They are long, and in `next_page` already. */
function withoutPageTokens(body: unknown, pages: Paging | undefined): unknown {
  if (pages === undefined || typeof body !== "object" || body === null) return body;
  const tokens = new Set(Object.values(pages.next));
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !tokens.has(name) || typeof value !== "string"),
  );
}

const PAGE_SIZES = ["count", "amount", "limit"] as const;

/** This page again with at most this many items; null if its size is fixed. */
function smallerPage({ endpoint }: Operation, input: RawInput, body: unknown, kept: number): RawInput | null {
  const properties: Record<string, SchemaNode> = endpoint.input.properties;
  const size = PAGE_SIZES.find((name) => Object.hasOwn(properties, name));
  if (size === undefined || endpoint.pages === undefined) return null;
  const { next, increment } = endpoint.pages;
  if (increment !== true) return { [size]: kept };
  // A page with a number begins where it did only if the old size is a multiple of the new one.
  const requested = Number(input[size] ?? properties[size]?.default);
  let smaller = kept;
  while (requested % smaller > 0) smaller--;
  const numbers = Object.entries(next).map(([name, path]) => {
    const pagesBefore = Number(valueAt(body, path)) - 1;
    return [name, (pagesBefore * requested) / smaller + 1] as const;
  });
  return { [size]: smaller, ...Object.fromEntries(numbers) };
}

interface NextCall {
  /** Of the arguments, those that change; null if there is nothing more. */
  next: RawInput | null;
  toSeeAll: string;
}

/** The next page, or this one again while items of it are left out: who follows it must not miss them. */
function nextCall(operation: Operation, input: RawInput, body: unknown, whole: unknown, fitted: unknown): NextCall {
  const { pages } = operation.endpoint;
  const advice = "Select less with fields, or raise max_tokens.";
  if (pages === undefined) return { next: null, toSeeAll: advice };
  const kept = itemsOf(fitted, pages).length;
  if (kept === itemsOf(whole, pages).length) return { next: nextPage(body, pages), toSeeAll: advice };
  const again = "Not all items of this page fit, so next_page asks for it again, with";
  const smaller = smallerPage(operation, input, body, Math.max(1, kept));
  if (smaller !== null && kept > 0)
    return { next: smaller, toSeeAll: `${again} fewer items per page. More fit if fields selects less.` };
  const needed = structuredClone(whole);
  if (smaller !== null) itemsOf(needed, pages).length = 1;
  const tokens = Math.ceil(JSON.stringify(needed).length / CHARACTERS_PER_TOKEN);
  if (tokens > MAX_TOKENS)
    return { next: null, toSeeAll: "This page is too long for any answer: select less with fields." };
  return {
    next: { ...smaller, max_tokens: tokens },
    toSeeAll: `${again} ${smaller === null ? "" : "one item and "}a larger max_tokens. Fewer are needed if fields selects less.`,
  };
}

/** The answer as one JSON text: the data, where it comes from and of when, and how to get the rest. */
export function answerText(
  operation: Operation,
  input: RawInput,
  result: Result,
  { maxLength, repeated }: { maxLength: number; repeated: RawInput },
): string {
  const { endpoint, path } = operation;
  const { pages } = endpoint;
  const { lastModified } = result;
  const selected = pickFields(result.body, selectionOf(operation, input));
  const whole = withoutPageTokens(selected, pages);
  const { value, omitted } = fitLength(whole, maxLength);
  const { next, toSeeAll } = nextCall(operation, input, result.body, whole, value);
  return JSON.stringify({
    data: value,
    source: {
      service: `Triptych ${SERVICE_VERSION}`,
      request: `${endpoint.method} ${path}`,
      parameters: input,
      // Of the newest record in the response: what to cite, since the platform may say something else today.
      captured_at: lastModified === null || lastModified === 0 ? null : new Date(lastModified).toISOString(),
    },
    ...(Object.keys(result.headers).length === 0 ? {} : { notes: result.headers }),
    ...(omitted.length === 0 ? {} : { left_out: omitted, to_see_all: toSeeAll }),
    ...(next === null ? {} : { next_page: { ...input, ...repeated, ...next } }),
  });
}
