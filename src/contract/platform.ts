/** What a platform's slice provides to the rest of the house. */
import type { PlatformName } from "#domain/record.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Importer, Recogniser } from "./importer.ts";

export interface Platform {
  /** Path segment and name of the slice's folder. */
  name: PlatformName;
  title: string;
  summary: string;
  endpoints: Endpoint[];
  /** How its files are read; loaded when something is imported, since a server that only answers needs none of it. */
  reading(): Promise<Reading>;
}

export interface Reading {
  /** Named formats, the most particular first. */
  importers: readonly Importer[];
  recognise: Recogniser;
}

/** An endpoint in its place: with its full path, its name and the scope that it asks for. */
export interface Operation {
  platform: Platform;
  endpoint: Endpoint;
  path: string;
  /** `shortvideo/music/posts`: what `triptych get` takes. */
  name: string;
  /** `shortvideo_music_posts`: the OpenAPI operation id. */
  id: string;
  scope: string;
}

export function operationsOf(platforms: readonly Platform[]): Operation[] {
  return platforms.flatMap((platform) =>
    platform.endpoints.map((endpoint) => {
      const name = `${platform.name}/${endpoint.path}`;
      return {
        platform,
        endpoint,
        name,
        path: `/api/${name}`,
        id: name.replaceAll(/[^a-z0-9]+/gi, "_"),
        scope: `read:${platform.name}`,
      };
    }),
  );
}
