/** What a platform's slice provides, and the operations built from it. */
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { Projection, RenderMode, StoredProjections } from "#domain/projection.ts";
import type { SearchStore } from "#store/search/port.ts";
import type { Store } from "#store/store.ts";
import type {
  EndpointResult,
  Endpoint,
  EndpointDefinition,
  PlatformStore,
  PlatformTraits,
  Permitted,
  RequestContext,
  CrossPlatformContext,
} from "./endpoint.ts";
import type { Importer, MappableKind, Recogniser } from "./importer.ts";
import type { RawInput } from "./input.ts";
import type { ParseRecordId } from "./record-id.ts";
import type { Watchable } from "./watchable.ts";
import type { Source } from "./source.ts";

/** The operations of one platform, or those across platforms. */
export interface OperationGroup {
  name: string;
  title: string;
  summary: string;
}

/** What reading and storing the records of a platform takes. */
export interface PlatformRecords {
  name: PlatformName;
  /** Projections that a store materialises as JSON, since responses use them often. */
  shapes: StoredProjections;
  /** Loaded on the first import: a server that only reads needs none of it. */
  loadImporters(): Promise<ImportSupport>;
}

export interface Platform extends PlatformRecords, OperationGroup, PlatformTraits {
  endpoints: Endpoint[];
  /** Official sources that can fill its operations, the most complete first. */
  sources: readonly Source[];
  /** The shapes of records in JSON exports, where the contract has one that needs nothing of a request. */
  exportShapes: Partial<Record<RecordKind, ExportShape>>;
  /** The displayed name of the author as captured with a post or comment. */
  getAuthorName(native: object): string | undefined;
  watchable: Watchable;
  parseRecordId: ParseRecordId;
}

export interface ExportShape {
  record: Projection<never>;
  /** The field that shows the author's account, which the record itself does not have. */
  author?: { field: string; projection: Projection<never> };
}

/** The slice across platforms; its endpoints are directly below `/api/`. */
export interface CrossPlatformSlice extends OperationGroup {
  endpoints: Endpoint<CrossPlatformContext>[];
}

export interface ImportSupport {
  /** Named formats, the most specific first. */
  importers: readonly Importer[];
  recognise: Recogniser;
  /** The kinds of record that a table can be read as (`--as`). */
  mappable: Readonly<Partial<Record<RecordKind, MappableKind>>>;
}

/** An endpoint with its full path, its name and the platforms it reads. */
export interface Operation {
  group: OperationGroup;
  endpoint: EndpointDefinition;
  path: string;
  /** `shortvideo/music/posts`: what `triptych get` takes. */
  name: string;
  /** `shortvideo_music_posts`: the OpenAPI operation id. */
  id: string;
  /** The platforms it reads. Any of their scopes admits a client; each allows its own platform. */
  reads: readonly PlatformName[];
  handle(context: RequestContext, permitted: Permitted, raw: RawInput): Promise<EndpointResult<unknown>>;
}

export function readScope(platform: PlatformName): string {
  return `read:${platform}`;
}

/** The operations of single platforms. */
export function operationsOf(platforms: readonly Platform[]): Operation[] {
  return platforms.flatMap((platform) =>
    platform.endpoints.map((endpoint) => ({
      ...describeOperation(platform, endpoint, `${platform.name}/${endpoint.path}`),
      reads: [platform.name],
      handle: (context, permitted, raw) => endpoint.handle({ ...context, store: readerOf(platform, permitted) }, raw),
    })),
  );
}

/** The operations across platforms. */
export function crossPlatformOperations(slice: CrossPlatformSlice, platforms: readonly Platform[]): Operation[] {
  const reads = platforms.map(({ name }) => name);
  return slice.endpoints.map((endpoint) => ({
    ...describeOperation(slice, endpoint, endpoint.path),
    reads,
    handle: (context, permitted, raw) => endpoint.handle({ ...context, ...permitted, platforms }, raw),
  }));
}

function describeOperation(group: OperationGroup, endpoint: EndpointDefinition, name: string) {
  return { group, endpoint, name, path: `/api/${name}`, id: name.replaceAll(/[^a-z0-9]+/gi, "_") };
}

/** The scopes are checked before; if not, fail rather than leak. */
function readerOf({ name }: Platform, { readers }: Permitted): PlatformStore["store"] {
  const own = readers.find(({ platform }) => platform === name);
  if (own === undefined) throw new Error(`${name} was read without its scope`);
  return own.store;
}

/** Opens an operation's readers once; returns a function from a client's scopes to what it may read. */
export function permittedReaders(
  { reads }: Operation,
  store: Pick<Store, "reader" | "search">,
  mode: RenderMode,
): (hasScope: (scope: string) => boolean) => Permitted {
  const all = reads.map((platform) => ({ platform, scope: readScope(platform), store: store.reader(platform, mode) }));
  return (hasScope) => {
    const denied = all.filter(({ scope }) => !hasScope(scope)).map(({ platform }) => platform);
    const search: SearchStore = ({ sources, ...request }) =>
      store.search({ ...request, sources: sources.filter(({ platform }) => !denied.includes(platform)) });
    return { readers: all.filter(({ scope }) => hasScope(scope)), search, denied };
  };
}
