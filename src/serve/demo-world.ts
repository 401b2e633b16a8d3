/** The demo data as a service with these settings shows it: its pictures are where clients reach it. */
import type { Config } from "#config";
import type { LoadDemoData } from "#import/demo-data.ts";

/** Loaded on demand. */
export function demoDataFor({ publicUrl }: Config): LoadDemoData {
  return async (now) => {
    const { demoWorld } = await import("#demo/world.ts");
    return demoWorld(now, publicUrl ?? undefined);
  };
}
