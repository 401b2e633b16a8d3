/** Operations as functions: one call for a response, and async iterators over all pages or all items of a list. */

export interface OperationInfo {
  /** Such as `shortvideo/music/posts`. */
  name: string;
  method: "GET" | "POST";
  path: string;
  pages?: Paging;
}

/** Paths into a response, such as `posts.edges`. */
export interface Paging {
  items: string;
  /** The path of the value for each parameter that requests the next page. */
  next: Readonly<Record<string, string>>;
  /** The path of a boolean, or of 1 and 0. Without it, empty values of `next` end the list. */
  more?: string;
  /** Pages have numbers: the next one is requested with the value in the response plus one. */
  increment?: true;
}

export type Input = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestOptions {
  signal?: AbortSignal;
  /** Additional request headers, such as `{ Prefer: "unknown=null" }`. */
  headers?: Readonly<Record<string, string>>;
}

export interface ApiResponse<Body> {
  body: Body;
  /** Such as `RateLimit`, `Last-Modified` (when the newest record was captured) and `X-Request-Id`. */
  headers: Headers;
}

export type Send = (operation: OperationInfo, input: Input, options: RequestOptions) => Promise<ApiResponse<unknown>>;

/** The input may be omitted if all of it is optional. */
type Arguments<In> = object extends In ? [input?: In, options?: RequestOptions] : [input: In, options?: RequestOptions];

export interface Lookup<In, Body> {
  (...args: Arguments<In>): Promise<Body>;
  /** The same with the response headers. */
  withResponse(...args: Arguments<In>): Promise<ApiResponse<Body>>;
}

export interface List<In, Body, Item> extends Lookup<In, Body> {
  /** All pages from the requested one on. */
  pages(...args: Arguments<In>): AsyncGenerator<Body, void, undefined>;
  /** The items of all pages. */
  items(...args: Arguments<In>): AsyncGenerator<Item, void, undefined>;
}

/** `In` and `Body` are those of the operation's schemas: the service checks both. */
export function lookup<In extends object, Body>(send: Send, operation: OperationInfo): Lookup<In, Body> {
  const withResponse = (...[input, options]: Arguments<In>) =>
    send(operation, { ...input }, options ?? {}) as Promise<ApiResponse<Body>>;
  const call = async (...args: Arguments<In>) => (await withResponse(...args)).body;
  return Object.assign(call, { withResponse });
}

export function list<In extends object, Body, Item>(
  send: Send,
  operation: OperationInfo & { pages: Paging },
): List<In, Body, Item> {
  async function* pages(...[input, options]: Arguments<In>): AsyncGenerator<Body, void, undefined> {
    const first: Input = selectPaging(operation.pages, { ...input });
    let next: Input | null = {};
    while (next !== null) {
      const { body }: ApiResponse<unknown> = await send(operation, { ...first, ...next }, options ?? {});
      yield body as Body;
      next = nextPage(operation.pages, body);
    }
  }
  async function* items(...args: Arguments<In>): AsyncGenerator<Item, void, undefined> {
    for await (const body of pages(...args)) {
      const found = valueAt(body, operation.pages.items);
      if (found === undefined) throw new TypeError(`fields leaves out ${operation.pages.items}, the list of the items`);
      yield* found as Item[];
    }
  }
  return Object.assign(lookup<In, Body>(send, operation), { pages, items });
}

/** A selection also keeps what requests the next page, in the notation of `fields`. An empty one selects all. */
function selectPaging({ next, more }: Paging, input: Input): Input {
  if (input["fields"] === undefined || input["fields"] === "") return input;
  const paths = [...Object.values(next), ...(more === undefined ? [] : [more])].map((path) => path.split("."));
  const added = paths.map((names) => names.join("(") + ")".repeat(names.length - 1));
  return { ...input, fields: [input["fields"], ...added].join(",") };
}

/** The parameters that request the next page; null after the last one. */
export function nextPage({ next, more, increment }: Paging, body: unknown): Input | null {
  const parameters = Object.fromEntries(
    Object.entries(next).map(([name, path]) => {
      const value = (valueAt(body, path) ?? "") as string | number;
      return [name, increment === true ? Number(value) + 1 : value];
    }),
  );
  const hasMore =
    more === undefined
      ? Object.values(parameters).every((value) => value !== "")
      : Number(valueAt(body, more) ?? 0) === 1;
  return hasMore ? parameters : null;
}

function valueAt(body: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], body);
}
