/** A body that keeps a table's promise, made from the table: where tests of the checker start before they spoil it. */
import type { Shape } from "./check.ts";
import type { Word } from "./words.ts";

const SAMPLES: Readonly<Record<string, unknown>> = {
  string: "Mira Quell",
  boolean: true,
  integer: 41,
  number: 2.5,
  zero: 0,
  "the text OK": "OK",
  "unix seconds": 1_790_000_000,
  "unix milliseconds": 1_790_000_000_000,
  digits: "1207",
  url: "https://media.example/a.jpg",
  "upper case": "NZ",
  date: "2026-02-28",
  clock: "12:05",
  relative: "3 days ago",
  abbreviated: "1.2K",
  "boolean word": "false",
  array: [],
  "empty array": [],
  object: {},
  null: null,
  nullable: null,
};

export function sampleBody(shape: Shape): unknown {
  if (shape.kind === "value") return sampleOf(shape.word);
  if (shape.kind === "list") return shape.items === null ? [] : [sampleBody(shape.items)];
  const members = [...shape.fields].map(([name, member]) => [name, sampleBody(member.shape)]);
  return Object.fromEntries(members);
}

function sampleOf(word: Word): unknown {
  const plain = Object.hasOwn(SAMPLES, word) ? word : word.replace(/^nullable /, "");
  if (!Object.hasOwn(SAMPLES, plain)) throw new Error(`there is no sample of ${word}`);
  return structuredClone(SAMPLES[plain]);
}
