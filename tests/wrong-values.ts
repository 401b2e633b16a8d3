/** Every parameter of every operation, and values that it must refuse. Made from the operations' own schemas. */
import { OPERATIONS, parameterLocationOf } from "./http-client.ts";

export interface ParameterSchema {
  type?: string;
  format?: string;
  const?: string;
  enum?: (string | number)[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

export interface Parameter {
  operation: string;
  name: string;
  place: "query" | "body";
  schema: ParameterSchema;
  required: boolean;
}

export const PARAMETERS: Parameter[] = OPERATIONS.flatMap(({ name: operation, endpoint }) =>
  Object.entries(endpoint.input.properties as Record<string, ParameterSchema>).map(([name, schema]) => ({
    operation,
    name,
    place: parameterLocationOf(operation),
    schema,
    required: (endpoint.input.required ?? []).includes(name) && schema.default === undefined,
  })),
);

const NOT_INTEGERS = [
  "1e1",
  " 5",
  "5 ",
  "+5",
  "-1",
  "5.0",
  "0x5",
  "٥",
  "５",
  "NaN",
  "five",
  "1".repeat(17),
  "9007199254740993",
  "9".repeat(500),
];
const NOT_LANGUAGES = ["e", "en_US", "no way", "en--US", "-en", "en-", "12", `en-x-${"abcdefgh-".repeat(5)}a`, "e\0n"];
const NOT_DAYS = ["2026", "2026-11", "15.11.2026", "2026-13-01", "2026-02-30", "2026-1-1", "20261115", "yesterday"];
const NOT_COUNTRIES = ["U", "USA", "1A", "U S", "U1", "XX", "日本", "U\0"];

/** Values of the wrong form, by the kind of parameter. */
export function wrongValues({ name, schema }: Parameter): string[] {
  if (schema.type === "integer") {
    const { minimum = 0, maximum = 0 } = schema;
    return [
      ...NOT_INTEGERS,
      ...(minimum > 0 ? [String(minimum - 1)] : []),
      ...(maximum < 10_000 ? [String(maximum + 1)] : []),
      "",
    ];
  }
  if (schema.const !== undefined)
    return [schema.const.toUpperCase(), `${schema.const} `, ` ${schema.const}`, "likes", "x".repeat(5000)];
  if (schema.enum !== undefined) return ["nonsense", `${schema.enum[0]} `, "0", "__proto__", "x".repeat(5000)];
  if (schema.format === "bcp47") return NOT_LANGUAGES;
  if (schema.format === "country") return NOT_COUNTRIES;
  const { maxLength = 200 } = schema;
  return [
    "a\0b",
    "\0",
    "x".repeat(maxLength + 1),
    "x".repeat(Math.max(5000, maxLength + 1)),
    ...(WRONG_TEXTS[name] ?? []),
  ];
}

/** Texts that are well-formed and still cannot be what the parameter asks for. */
const WRONG_TEXTS: Record<string, string[]> = {
  uniqueId: ["ines varga", "ines/varga", "@", "@@ines", "a".repeat(65), "https://example.com/@ines.varga"],
  username_or_url: [
    "amara petrovic",
    "@",
    "a".repeat(31),
    "https://www.instagram.com/p/C0de/",
    "https://www.instagram.com/reel/C0de",
    "instagram.com/stories/amara.petrovic/1",
    "https://www.instagram.com/amara.petrovic/p/C0de/",
    "https://example.com/amara.petrovic",
    "https://instagram.com.example.net/amara.petrovic",
    "https://www.instagram.com/",
    "javascript:alert(1)",
    "日本",
  ],
  url: [
    "7300000000000000001",
    "https://example.com/@ines.varga/video/7300000000000000001",
    "https://www.tiktok.com.example.net/@ines.varga/video/7300000000000000001",
    "https://user:secret@www.tiktok.com/@ines.varga/video/7300000000000000001",
    "https://www.tiktok.com:8443/@ines.varga/video/7300000000000000001",
    "ftp://www.tiktok.com/@ines.varga/video/7300000000000000001",
    "file:///etc/passwd",
    "http://169.254.169.254/latest/meta-data",
    "https://www.tiktok.com/@ines.varga",
    "https://vm.tiktok.com/ZMabc/",
    "https://www.tiktok.com/t/ZTabc/",
  ],
  hashtag: ["#", "  ", "###"],
  platform: ["nonsense", "longvideo ", "read:longvideo", "long", "__proto__"],
  since: NOT_DAYS,
  date: NOT_DAYS,
  until: NOT_DAYS,
  search_query: ["@", "#", "  ", "@ "],
};
