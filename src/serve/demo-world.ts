/** The demo data as a service with these settings shows it: its pictures are where clients reach it. */
import type { Config } from "#config";
import type { DemoClaim, LoadDemoData } from "#import/demo-data.ts";
import { demoWorld } from "#import/demo-world.ts";
import { createMessageCheck, isObject } from "#domain/message-check.ts";
import { toUnit } from "#store/write/batch-changes.ts";

/** What the thread that adds it is given. */
export interface DemoThreadData {
  kind: "add";
  config: Config;
  claimed: DemoClaim;
}

export const checkDemoThreadData = createMessageCheck<DemoThreadData>("thread of the demo data", {
  add: { config: isObject, claimed: isObject },
});

export function demoDataFor({ publicUrl }: Config): LoadDemoData {
  return async (now) =>
    Iterator.from(demoWorld(now, publicUrl ?? undefined)).map(({ platform, batch }) => toUnit(platform, batch));
}
