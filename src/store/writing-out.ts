/** Records written out by their shapes. */
import { hash } from "node:crypto";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import { type Form, type Shape, type ShapeBook, type Shown, Written } from "#domain/shown.ts";
import { work } from "#domain/work.ts";
import type { Counted } from "./store.ts";

export function shapesOf(book: ShapeBook, platform: PlatformName, kind: RecordKind): readonly Shape<Counted>[] {
  return (book[platform]?.[kind] ?? []) as readonly Shape<Counted>[];
}

export function writeOut<Kept>(shape: Shape<Kept>, record: Kept): Written {
  work.drawn++;
  const text = shape.text(record);
  return new Written(text, digestOf(text));
}

export function digestOf(text: string): string {
  return hash("sha1", text, "base64url");
}

export function show<Kept extends { id: string; capturedAt: number }, Drawn>(
  form: Form,
  shape: Shape<Kept, Drawn>,
  record: Kept,
): Shown<Drawn> {
  const body = form === "drawn" ? shape.draw(record) : (writeOut(shape, record) as Drawn);
  return { id: record.id, capturedAt: record.capturedAt, body };
}
