/**
 * The demo data of a first start, read from demo/world.ndjson.zst, which scripts/demo writes. Another start shifts its
 * times, and the ids that contain a time. Every person, business, song and film in it is invented.
 */
import { readFileSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
import type { PlatformName } from "#domain/record.ts";
import { HOUR_MS, HOUR_S, toIsoDate } from "#domain/time.ts";
import type { Batch } from "#store/write/port.ts";

export interface PlatformBatch {
  platform: PlatformName;
  batch: Batch;
}

const FILE = new URL("../../demo/world.ndjson.zst", import.meta.url);

/** Base URL of a service with default settings, which serves its pictures. */
const DEFAULT_BASE = "http://127.0.0.1:8080";

/** A buffer for the whole text takes half the memory of one that grows. */
const MAX_BYTES = 1 << 25;

/** A record of the next batch, or the platform of the batch that ends. */
type Line = [kind: keyof Batch, record: never] | PlatformName;

/**
 * A value that depends on the start, in a line of JSON; a string that is only `<#…>` becomes a number.
 *
 *     <base>               the URL of the service
 *     <-60>                Unix seconds, 60 before the hour of the start
 *     <1700000000~0.5~0.1> halfway from this second to that hour, then a tenth of the rest
 *     <-60*1000+7>         the time in another unit and a remainder, as in an id
 *     <code-60*1000+7>     the same in base64url
 *     <day-60>             the date of the time
 */
const VALUE = /"<#([^<>]*)>"|<([^<>]*)>/g;
const EXPRESSION = /^(code|day|)([^*]*)(?:\*(\d+)\+(-?\d+))?$/;

/** `now` in Unix milliseconds; all times are counted back from the start of its hour. Pictures are at `base`. */
export function* demoWorld(now: number, base = DEFAULT_BASE): Generator<PlatformBatch> {
  const hour = Math.floor(now / HOUR_MS) * HOUR_S;
  const valueOf = (_: string, number: string | undefined, text: string) =>
    text === "base" ? base : evaluate(number ?? text, hour);
  const file = zstdDecompressSync(readFileSync(FILE), { chunkSize: MAX_BYTES });
  let batch: Batch = {};
  for (let start = 0, end; (end = file.indexOf("\n", start)) !== -1; start = end + 1) {
    const line = JSON.parse(file.toString("utf8", start, end).replaceAll(VALUE, valueOf)) as Line;
    if (typeof line === "string") {
      yield { platform: line, batch };
      batch = {};
    } else {
      const [kind, record] = line;
      (batch[kind] ??= []).push(record);
    }
  }
}

function evaluate(expression: string, hour: number): string {
  const [, form, time = "", unit = "1", rest = "0"] = EXPRESSION.exec(expression) ?? [];
  const [first = Number.NaN, ...fractions] = time.split("~").map(Number);
  let seconds = fractions.length === 0 ? hour + first : first;
  for (const fraction of fractions) seconds += Math.floor((hour - seconds) * fraction);
  if (form === "day") return toIsoDate(seconds * 1_000);
  const value = BigInt(seconds) * BigInt(unit) + BigInt(rest);
  return form === "code" ? toBase64Url(value) : value.toString();
}

/** Without leading zeros, of at most 72 bits. */
function toBase64Url(value: bigint): string {
  return Buffer.from(value.toString(16).padStart(18, "0"), "hex").toString("base64url").replace(/^A+/, "");
}
