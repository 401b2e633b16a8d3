/** Records written out by their shapes. */
import { hash } from "node:crypto";
import { type Form, type Shape, type Shown, Written } from "#domain/shown.ts";
import { work } from "#domain/work.ts";

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
