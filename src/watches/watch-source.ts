/** What a watch needs of live sources: to request what an operation shows, within the sources' own limits. */
import type { PlatformName } from "#domain/record.ts";

export interface WatchSource {
  /** The first source of the platform that can fill the operation; null if none is on. */
  sourceOf(operation: string, platform: PlatformName): string | null;
  ask(request: WatchRequest): Promise<WatchAnswer>;
}

export interface WatchRequest {
  operation: string;
  input: Record<string, string>;
  /** Requests that were made within this time are not made again. */
  minAgeMs: number;
}

export type WatchAnswer =
  | { state: "filled" }
  | { state: "empty" }
  /** `reason` continues a sentence that begins with the name of the source. */
  | { state: "unavailable"; reason: string; retryAfterS: number | null }
  | { state: "none" };
