/** Records written out by their shapes. */
import { hash } from "node:crypto";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import {
  type RenderMode,
  type Projection,
  type ProjectionRegistry,
  type Rendered,
  RawJson,
} from "#domain/projection.ts";
import { perfCounters } from "#domain/perf-counters.ts";
import type { AnyRecord } from "./store.ts";

export function projectionsOf(
  book: ProjectionRegistry,
  platform: PlatformName,
  kind: RecordKind,
): readonly Projection<AnyRecord>[] {
  return (book[platform]?.[kind] ?? []) as readonly Projection<AnyRecord>[];
}

export function renderRecord<Kept>(shape: Projection<Kept>, record: Kept): RawJson {
  perfCounters.drawn++;
  const text = shape.renderJson(record);
  return new RawJson(text, digestOf(text));
}

export function digestOf(text: string): string {
  return hash("sha1", text, "base64url");
}

export function render<Kept extends { id: string; capturedAt: number }, Drawn>(
  form: RenderMode,
  shape: Projection<Kept, Drawn>,
  record: Kept,
): Rendered<Drawn> {
  const body = form === "object" ? shape.project(record) : (renderRecord(shape, record) as Drawn);
  return { id: record.id, capturedAt: record.capturedAt, body };
}
