/** The demo data as a service with these settings shows it: its pictures are where clients reach it. */
import type { Config } from "#config";
import type { LoadDemoData } from "#import/demo-data.ts";
import { demoWorld } from "#import/demo-world.ts";
import { toUnit } from "#store/write/batch-changes.ts";

export function demoDataFor({ publicUrl }: Config): LoadDemoData {
  return async (now) =>
    Iterator.from(demoWorld(now, publicUrl ?? undefined)).map(({ platform, batch }) => toUnit(platform, batch));
}
