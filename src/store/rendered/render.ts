/** Renders records by their projections. */
import { hash } from "node:crypto";
import { perfCounters } from "#domain/perf-counters.ts";
import {
  type Projection,
  type ProjectionRegistry,
  RawJson,
  type Rendered,
  type RenderMode,
} from "#domain/projection.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { AnyRecord } from "#store/write/encoded-record.ts";

export function projectionsOf(
  registry: ProjectionRegistry,
  platform: PlatformName,
  kind: RecordKind,
): readonly Projection<AnyRecord>[] {
  return (registry[platform]?.[kind] ?? []) as readonly Projection<AnyRecord>[];
}

export function renderJson<Stored>(projection: Projection<Stored>, record: Stored): RawJson {
  perfCounters.recordsRendered++;
  const json = projection.renderJson(record);
  return new RawJson(json, digestOf(json));
}

export function digestOf(json: string): string {
  return hash("sha1", json, "base64url");
}

export function renderRecord<Stored extends { id: string; capturedAt: number }, Wire>(
  mode: RenderMode,
  projection: Projection<Stored, Wire>,
  record: Stored,
): Rendered<Wire> {
  const body = mode === "object" ? projection.project(record) : renderJson(projection, record);
  return { id: record.id, capturedAt: record.capturedAt, body };
}
