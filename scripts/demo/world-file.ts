/** The text of demo/world.ndjson.zst: the demo world with an expression for each value that depends on the start. */
import { HOUR_S, toIsoDate } from "#domain/time.ts";
import type { Batch } from "#store/write/port.ts";
import { codeToId } from "../../src/platforms/photoshare/shortcode.ts";
import { timeOfPhotoId, timeOfTimestampId } from "./identifiers.ts";
import { PLAN as PHOTOSHARE } from "./photoshare.ts";
import { createScenario } from "./scenario.ts";
import { PLAN as SHORTVIDEO } from "./shortvideo.ts";
import { demoWorld } from "./world.ts";

const BASE = "<base>";

/** The worlds of two hours tell which values depend on the start. */
const HOUR = Date.parse("2026-11-15T12:00:00Z") / 1_000;
const LATER = HOUR + 5_003 * HOUR_S;

interface IdLayout {
  /** Ids per second. */
  unit: bigint;
  timeOf: (id: string) => number;
}

const TIMESTAMP_ID: IdLayout = { unit: 1n << 32n, timeOf: timeOfTimestampId };
const PHOTO_ID: IdLayout = { unit: 1_000n << 23n, timeOf: timeOfPhotoId };
const LAYOUTS: Readonly<Record<string, IdLayout>> = { shortvideo: TIMESTAMP_ID, photoshare: PHOTO_ID };

/** Ids in texts and URLs. */
const ID = /(?<!\d)(\d{19})(?!\d)/;

/** A record per line, and after those of a batch its platform, as src/import/demo-world.ts reads them. */
export function demoWorldText(): string {
  const times = timesOnTheWay();
  const [lines, later] = [listLines(HOUR), listLines(LATER)];
  return lines
    .map(({ platform, line }, index) => {
      const encoder = new Encoder(times, LAYOUTS[platform]);
      return `${JSON.stringify(encoder.encode(line, later[index]?.line))}\n`;
    })
    .join("");
}

function listLines(hour: number): { platform: string; line: unknown }[] {
  return [...demoWorld(hour * 1_000, BASE)].flatMap(({ platform, batch }) => {
    const kinds = Object.entries(batch) as [keyof Batch, object[]][];
    const records = kinds.flatMap(([kind, all]) => all.map((record) => [kind, record]));
    return [...records, platform].map((line) => ({ platform, line }));
  });
}

/**
 * The times of comments on posts whose id, and so whose time, is fixed, by their second at HOUR: each lies between the
 * post, or the comment it replies to, and the start.
 */
function timesOnTheWay(): ReadonlyMap<number, string> {
  const times = new Map<number, string>();
  for (const plan of [SHORTVIDEO, PHOTOSHARE]) {
    for (const { post, ago, fractions } of createScenario(plan, HOUR * 1_000, BASE).comments)
      if (post === 0) times.set(HOUR - ago, [plan.featured.postedAt, ...fractions].join("~"));
  }
  return times;
}

class Encoder {
  readonly #onTheWay: ReadonlyMap<number, string>;
  readonly #layout: IdLayout | undefined;

  constructor(onTheWay: ReadonlyMap<number, string>, layout: IdLayout | undefined) {
    this.#onTheWay = onTheWay;
    this.#layout = layout;
  }

  /** `now` with expressions where `later` differs. */
  encode(now: unknown, later: unknown): unknown {
    if (typeof now === "number" && typeof later === "number") return this.#encodeNumber(now, later);
    if (typeof now === "string" && typeof later === "string") return this.#encodeText(now, later);
    if (Array.isArray(now) && Array.isArray(later) && now.length === later.length)
      return now.map((item, index) => this.encode(item, later[index]));
    if (isRecord(now) && isRecord(later))
      return Object.fromEntries(Object.entries(now).map(([key, value]) => [key, this.encode(value, later[key])]));
    if (now !== later) throw unexplained(now, later);
    return now;
  }

  #encodeNumber(now: number, later: number): number | string {
    if (now === later) return now;
    // Times of captures are in milliseconds.
    if (later - now === (LATER - HOUR) * 1_000) return `<#${this.#time(now / 1_000, later / 1_000)}*1000+0>`;
    return `<#${this.#time(now, later)}>`;
  }

  #encodeText(now: string, later: string): string {
    if (now.replaceAll(BASE, "").includes("<")) throw new Error(`an expression would begin in: ${now}`);
    if (now === later) return now;
    if (/^\d{4}-\d\d-\d\d$/.test(now)) return this.#encodeDay(now, later);
    const [code, laterCode] = [codeToId(now), codeToId(later)];
    if (code !== null && laterCode !== null && !ID.test(now)) return `<code${this.#id(code, laterCode)}>`;
    const parts = later.split(ID);
    return now
      .split(ID)
      .map((part, index) => this.#encodePart(part, parts[index] ?? ""))
      .join("");
  }

  #encodePart(now: string, later: string): string {
    if (now === later) return now;
    if (!ID.test(now) || !ID.test(later)) throw unexplained(now, later);
    return `<${this.#id(now, later)}>`;
  }

  /** Every date in the demo world is some days before the start. */
  #encodeDay(now: string, later: string): string {
    const daysAgo = (Date.parse(toIsoDate(HOUR * 1_000)) - Date.parse(now)) / 1_000;
    if (toIsoDate((LATER - daysAgo) * 1_000) !== later) throw unexplained(now, later);
    return `<day${-daysAgo}>`;
  }

  #id(now: string, later: string): string {
    if (this.#layout === undefined) throw unexplained(now, later);
    const { unit, timeOf } = this.#layout;
    const [time, laterTime] = [timeOf(now), timeOf(later)];
    const rest = BigInt(now) - BigInt(time) * unit;
    if (BigInt(later) - BigInt(laterTime) * unit !== rest) throw unexplained(now, later);
    return `${this.#time(time, laterTime)}*${unit}+${rest}`;
  }

  #time(now: number, later: number): string {
    const time = later - now === LATER - HOUR ? String(now - HOUR) : this.#onTheWay.get(now);
    if (time === undefined) throw unexplained(now, later);
    return time;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unexplained(now: unknown, later: unknown): Error {
  return new Error(`${JSON.stringify(now)} becomes ${JSON.stringify(later)} at another start, by no known rule`);
}
