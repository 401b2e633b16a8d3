/**
 * Compares a body with a table of fields, both ways: every field of the table must be there with its type, and no other
 * field may be there. It answers with sentences, so that a failing test says what to mend and where.
 */
import type { Fields } from "./notation.ts";
import { meets, type Word } from "./words.ts";

export type Shape =
  | { kind: "value"; word: Word }
  | { kind: "list"; items: Shape | null }
  | { kind: "object"; fields: Map<string, Member>; open: boolean };

export interface Member {
  shape: Shape;
  optional: boolean;
}

type ObjectShape = Extract<Shape, { kind: "object" }>;

/** Throws where a table contradicts itself or describes nothing. */
export function shapeOf(fields: Fields): Shape {
  let root: Shape | null = null;
  for (const [path, word] of Object.entries(fields)) root = place(root, stepsOf(path), word, path);
  if (root === null) throw new Error("this table names no field");
  return root;
}

function stepsOf(path: string): string[] {
  return path
    .replaceAll("[]", ".[]")
    .split(".")
    .filter((step) => step !== "");
}

function place(shape: Shape | null, steps: readonly string[], word: Word, path: string): Shape {
  const [step, ...rest] = steps;
  if (step === undefined) {
    if (shape !== null) throw new Error(`${path} is described twice`);
    return { kind: "value", word };
  }
  if (step === "[]") {
    const list: Shape = shape ?? { kind: "list", items: null };
    if (list.kind !== "list") throw new Error(`${path} is described as a list and as something else`);
    list.items = place(list.items, rest, word, path);
    return list;
  }
  const object: Shape = shape ?? { kind: "object", fields: new Map(), open: false };
  if (object.kind !== "object") throw new Error(`${path} is described as an object and as something else`);
  if (step === "*") object.open = true;
  else addMember(object, step, rest, word, path);
  return object;
}

function addMember(object: ObjectShape, step: string, rest: readonly string[], word: Word, path: string): void {
  const optional = step.endsWith("?");
  const name = optional ? step.slice(0, -1) : step;
  const known = object.fields.get(name);
  if (known !== undefined && known.optional !== optional) {
    throw new Error(`${path} is described as optional and as required`);
  }
  object.fields.set(name, { shape: place(known?.shape ?? null, rest, word, path), optional });
}

/** The differences between a body and a shape; none when it keeps its promise. */
export function differences(shape: Shape, body: unknown, language: string): string[] {
  const found: string[] = [];
  compare(shape, body, "", false);
  return found;

  function compare(expected: Shape, value: unknown, at: string, open: boolean): void {
    if (expected.kind === "value") {
      if (!meets(expected.word, value, language)) wrong(at, expected.word, value);
    } else if (expected.kind === "list") {
      if (!Array.isArray(value)) return wrong(at, "array", value);
      const { items } = expected;
      if (items !== null) value.forEach((item, index) => compare(items, item, `${at}[${index}]`, open));
    } else if (isObject(value)) compareFields(expected, value, at, open || expected.open);
    else wrong(at, "object", value);
  }

  function compareFields(expected: ObjectShape, value: Record<string, unknown>, at: string, open: boolean): void {
    for (const [name, { shape: below, optional }] of expected.fields) {
      // JSON has no undefined: a field that holds it is never sent.
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      if (given !== undefined) compare(below, given, join(at, name), open);
      else if (!optional) found.push(`${join(at, name)} is missing`);
    }
    if (open) return;
    for (const name of Object.keys(value)) {
      if (!expected.fields.has(name)) found.push(`${join(at, name)} is a field that SPEC.md does not name`);
    }
  }

  function wrong(at: string, expected: string, value: unknown): void {
    found.push(`${at === "" ? "the answer" : at} should be ${expected}, not ${describe(value)}`);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function join(at: string, name: string): string {
  return at === "" ? name : `${at}.${name}`;
}

function describe(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
