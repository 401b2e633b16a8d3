/** The demo data as a service with these settings shows it: its pictures are where clients reach it. */
import type { Config } from "#config";
import type { DemoClaim, LoadDemoData } from "#import/demo-data.ts";

/** What the thread that adds it is given. */
export interface DemoThreadData {
  config: Config;
  claimed: DemoClaim;
}

/** Loaded only at need. */
export function demoDataFor({ publicUrl }: Config): LoadDemoData {
  return async (now) => {
    const { demoWorld } = await import("#demo/world.ts");
    return demoWorld(now, publicUrl ?? undefined);
  };
}
