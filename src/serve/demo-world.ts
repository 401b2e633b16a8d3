/** The demo data as a service with these settings shows it: its pictures are where clients reach it. */
import type { Config } from "#config";
import type { DemoClaim, LoadDemoData } from "#import/demo-data.ts";
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

/** Loaded on demand. */
export function demoDataFor({ publicUrl }: Config): LoadDemoData {
  return async (now) => {
    const { demoWorld } = await import("#demo/world.ts");
    return Iterator.from(demoWorld(now, publicUrl ?? undefined)).map(({ platform, batch }) => toUnit(platform, batch));
  };
}
