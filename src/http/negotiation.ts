/** What the caller can read: media types and encodings, by the rules of RFC 9110 (most specific range, then weight). */

interface Weighted {
  value: string;
  weight: number;
}

function parseWeighted(header: string): Weighted[] {
  return header.split(",").flatMap((part) => {
    const [value = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    if (value === "") return [];
    const q = parameters.find((parameter) => parameter.startsWith("q="));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    return [{ value, weight: Number.isFinite(weight) ? weight : 0 }];
  });
}

const JSON_RANGES = ["application/json", "application/problem+json", "application/*", "*/*"];

/** No Accept header accepts all. */
export function acceptsJson(header: string | undefined): boolean {
  if (header === undefined || header === "" || header === "*/*" || header === "application/json") return true;
  const ranges = parseWeighted(header);
  for (const wanted of JSON_RANGES) {
    const range = ranges.find(({ value }) => value === wanted);
    if (range !== undefined) return range.weight > 0;
  }
  return false;
}

export type Encoding = "zstd" | "br" | "gzip";

/** In order of preference where the caller has none: zstd compresses as well as the others for less time. */
const ENCODINGS: readonly Encoding[] = ["zstd", "br", "gzip"];

/** Clients send few different headers, and each of them always the same. */
const chosen = new Map<string, Encoding | null>();
const MOST_CHOSEN = 100;

/** The encoding to answer in; null for none. */
export function chooseEncoding(header: string | undefined): Encoding | null {
  if (header === undefined || header === "") return null;
  let encoding = chosen.get(header);
  if (encoding === undefined) {
    if (chosen.size >= MOST_CHOSEN) chosen.clear();
    chosen.set(header, (encoding = bestEncoding(header)));
  }
  return encoding;
}

function bestEncoding(header: string): Encoding | null {
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
