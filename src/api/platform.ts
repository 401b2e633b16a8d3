/** What a slice provides to the rest of the house, and the operations that come of it. */
import type { PlatformName } from "#domain/record.ts";
import type { RenderMode, StoredProjections } from "#domain/projection.ts";
import type { Store } from "#store/store.ts";
import type {
  EndpointResult,
  Endpoint,
  EndpointDefinition,
  PlatformStore,
  Permitted,
  RequestContext,
  CrossPlatformContext,
} from "./endpoint.ts";
import type { Importer, Recogniser } from "./importer.ts";

/** Operations that belong together: one platform's, or those that span platforms. */
export interface OperationGroup {
  name: string;
  title: string;
  summary: string;
}

export interface Platform extends OperationGroup {
  /** Path segment and name of the slice's folder. */
  name: PlatformName;
  endpoints: Endpoint[];
  /** What a store keeps written out of its records, since answers show it often. */
  shapes: StoredProjections;
  /** How its files are read; loaded when something is imported, since a server that only answers needs none of it. */
  loadImporters(): Promise<ImportSupport>;
}

/** The slice of what spans platforms: its endpoints stand directly below `/api/`. */
export interface CrossPlatformSlice extends OperationGroup {
  endpoints: Endpoint<CrossPlatformContext>[];
}

export interface ImportSupport {
  /** Named formats, the most particular first. */
  importers: readonly Importer[];
  recognise: Recogniser;
}

/** An endpoint in its place: with its full path, its name and what it reads. */
export interface Operation {
  group: OperationGroup;
  endpoint: EndpointDefinition;
  path: string;
  /** `shortvideo/music/posts`: what `triptych get` takes. */
  name: string;
  /** `shortvideo_music_posts`: the OpenAPI operation id. */
  id: string;
  /** The platforms that it reads. One of their scopes lets a caller in; each opens its own platform. */
  reads: readonly PlatformName[];
  /** The request is given for this call alone: what it may read is put beside it. */
  handle(request: RequestContext, reach: Permitted, input: Record<string, unknown>): Promise<EndpointResult<unknown>>;
}

export function readScope(platform: PlatformName): string {
  return `read:${platform}`;
}

/** The operations of the platforms themselves. */
export function operationsOf(platforms: readonly Platform[]): Operation[] {
  return platforms.flatMap((platform) =>
    platform.endpoints.map((endpoint) => ({
      ...placed(platform, endpoint, `${platform.name}/${endpoint.path}`),
      reads: [platform.name],
      handle: (request, reach, input) =>
        endpoint.handle(Object.assign(request, { store: onlyStore(platform, reach) }), input as never),
    })),
  );
}

/** The operations that span them. */
export function crossPlatformOperations(slice: CrossPlatformSlice, platforms: readonly Platform[]): Operation[] {
  const reads = platforms.map(({ name }) => name);
  return slice.endpoints.map((endpoint) => ({
    ...placed(slice, endpoint, endpoint.path),
    reads,
    handle: (request, reach, input) => endpoint.handle(Object.assign(request, reach), input as never),
  }));
}

function placed(group: OperationGroup, endpoint: EndpointDefinition, name: string) {
  return { group, endpoint, name, path: `/api/${name}`, id: name.replaceAll(/[^a-z0-9]+/gi, "_") };
}

/** Whoever calls has checked the scopes; a gap there must not become an answer. */
function onlyStore(platform: Platform, { readers: stores }: Permitted): PlatformStore["store"] {
  const own = stores.find((candidate) => candidate.platform === platform.name);
  if (own === undefined) throw new Error(`${platform.name} was asked without its scope`);
  return own.store;
}

/** Prepares what an operation reads; then tells how far a caller with these scopes gets. */
export function permittedReaders(
  { reads }: Operation,
  store: Pick<Store, "reader">,
  form: RenderMode,
): (hasScope: (scope: string) => boolean) => Permitted {
  const all = reads.map((platform) => ({ platform, scope: readScope(platform), store: store.reader(platform, form) }));
  return (hasScope) => {
    const [open, shut] = [all.filter(({ scope }) => hasScope(scope)), all.filter(({ scope }) => !hasScope(scope))];
    return { readers: open, denied: shut.map(({ platform }) => platform) };
  };
}

/** For reference pages: what a caller needs and what a call costs. */
export function accessNote({ reads, endpoint }: Operation): string {
  const scopes = reads.map((platform) => `\`${readScope(platform)}\``);
  const needed =
    scopes.length === 1 ? `Scope ${scopes[0]}` : `Any of the scopes ${scopes.join(", ")}, each for its own platform`;
  return `${needed}; costs as a ${endpoint.cost === "lookup" ? "look-up" : endpoint.cost}.`;
}
