/** Content negotiation by RFC 9110: media types and encodings, by the most specific range, then by weight. */

interface Weighted {
  value: string;
  weight: number;
}

function parseWeighted(header: string): Weighted[] {
  return header.split(",").map((part) => {
    const [value = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith("q="));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    return { value, weight: Number.isFinite(weight) ? weight : 0 };
  });
}

const JSON_RANGES = ["application/json", "application/problem+json", "application/*", "*/*"];

/** A missing Accept header accepts everything. */
export function acceptsJson(header: string | undefined): boolean {
  if (header === undefined || header === "" || header === "*/*" || header === "application/json") return true;
  const ranges = parseWeighted(header);
  for (const name of JSON_RANGES) {
    const range = ranges.find(({ value }) => value === name);
    if (range !== undefined) return range.weight > 0;
  }
  return false;
}

export type Encoding = "zstd" | "br" | "gzip";

/** In order of preference if the client has none: zstd compresses as well as the others in less time. */
const ENCODINGS: readonly Encoding[] = ["zstd", "br", "gzip"];

/** By header: clients send few different ones. */
const cachedChoices = new Map<string, Encoding | null>();
const MAX_CACHED_CHOICES = 100;

/** The encoding for the response; null for none. */
export function chooseEncoding(header: string | undefined): Encoding | null {
  if (header === undefined || header === "") return null;
  let encoding = cachedChoices.get(header);
  if (encoding === undefined) {
    if (cachedChoices.size >= MAX_CACHED_CHOICES) cachedChoices.clear();
    cachedChoices.set(header, (encoding = parseEncoding(header)));
  }
  return encoding;
}

function parseEncoding(header: string): Encoding | null {
  const accepted = parseWeighted(header);
  const weightOf = (encoding: string) =>
    (accepted.find(({ value }) => value === encoding) ?? accepted.find(({ value }) => value === "*"))?.weight ?? 0;
  let best: Encoding | null = null;
  let bestWeight = 0;
  for (const encoding of ENCODINGS) {
    const weight = weightOf(encoding);
    if (weight > bestWeight) [best, bestWeight] = [encoding, weight];
  }
  const identity = accepted.find(({ value }) => value === "identity");
  return identity !== undefined && identity.weight > bestWeight ? null : best;
}
