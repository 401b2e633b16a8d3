/**
 * One field of a foreign document to one value that may be kept. Whatever stands there, none of these throws; what is
 * not clearly the thing asked for is undefined, which means: this capture does not say.
 */

export type JsonObject = Record<string, unknown>;

const DIGITS = /^\d{1,20}$/;
/** 2100-01-01: later than this is no time of publication but another unit or junk. */
const LATEST_SECOND = 4_102_444_800;

export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

export function listOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

export function objectsIn(value: unknown): JsonObject[] {
  return (listOf(value) ?? []).map(objectOf).filter((item) => item !== undefined);
}

/** The nodes of a connection (`{edges: [{node}]}`); undefined where there is no list of edges. */
export function nodesOf(connection: unknown): JsonObject[] | undefined {
  const edges = listOf(objectOf(connection)?.["edges"]);
  return edges?.map((edge) => objectOf(objectOf(edge)?.["node"])).filter((node) => node !== undefined);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A text that says something. */
export function wordOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

export function webAddressOf(value: unknown): string | undefined {
  return typeof value === "string" && /^https?:\/\/\S/i.test(value) ? value : undefined;
}

/** Ids are numbers of up to 64 bits. A number beyond 2^53 was corrupted before it came here and is not an id any more. */
export function idOf(value: unknown): string | undefined {
  const plain = unwrapped(value);
  if (typeof plain === "number") return Number.isSafeInteger(plain) && plain > 0 ? String(plain) : undefined;
  return typeof plain === "string" && DIGITS.test(plain) && !/^0+$/.test(plain) ? plain : undefined;
}

/** Whole and not negative: hidden counts are written as -1. */
export function countOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

export function numberOf(value: unknown): number | undefined {
  const plain = unwrapped(value);
  if (typeof plain === "number") return Number.isFinite(plain) ? plain : undefined;
  if (typeof plain !== "string" || !/^-?\d{1,15}(?:\.\d{1,15})?$/.test(plain)) return undefined;
  return Number(plain);
}

export function integerOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && Number.isSafeInteger(number) ? number : undefined;
}

/** Width or height. */
export function extentOf(value: unknown): number | undefined {
  const extent = countOf(value);
  return extent === 0 ? undefined : extent;
}

/** Unix seconds, from seconds, milliseconds or microseconds. */
export function secondsOf(value: unknown): number | undefined {
  let seconds = numberOf(value);
  if (seconds === undefined || seconds <= 0) return undefined;
  for (let unit = 0; unit < 2 && seconds > LATEST_SECOND; unit++) seconds /= 1000;
  return seconds > LATEST_SECOND ? undefined : Math.floor(seconds);
}

/** Unix seconds of an ISO 8601 date, or of `2024-05-01 10:00:00`, which its writers mean in UTC. */
export function secondsOfDate(value: unknown): number | undefined {
  if (typeof value !== "string") return secondsOf(value);
  const [, day, time, zone] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(Z|[+-]\d{2}:?\d{2})?$/.exec(value.trim()) ?? [];
  if (day === undefined) return secondsOf(value);
  return secondsOf(Date.parse(`${day}T${time}${zone ?? "Z"}`));
}

export function flagOf(value: unknown): boolean | undefined {
  if (value === "true") return true;
  if (value === "false") return false;
  return typeof value === "boolean" ? value : undefined;
}

/** Dumps of databases write large numbers as `{"$numberLong": "…"}`. */
function unwrapped(value: unknown): unknown {
  return objectOf(value)?.["$numberLong"] ?? value;
}

/** Without what is not known; undefined when nothing is left. */
export function known<T extends object>(fields: T): { [Key in keyof T]?: NonNullable<T[Key]> } | undefined {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as { [Key in keyof T]?: NonNullable<T[Key]> });
}

/** The members of `source` that are named, each through its reader. */
export function membersOf<Name extends string, Value>(
  source: JsonObject,
  names: readonly Name[],
  read: (value: unknown) => Value | undefined,
): { [Key in Name]?: Value } {
  const members: { [Key in Name]?: Value } = {};
  for (const name of names) {
    const value = read(source[name]);
    if (value !== undefined) members[name] = value;
  }
  return members;
}
