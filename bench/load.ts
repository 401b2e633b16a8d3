/** Fires requests from a process of its own: by wrk where it is installed, else by autocannon; at a given rate by neither. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { LoadFigures, LoadOrder } from "./load-requests.ts";
import { fireWrk, hasWrk } from "./load-wrk.ts";

const wrkThere = await hasWrk();
export const LOADED_BY = wrkThere ? "wrk" : "autocannon";

export async function fire(order: LoadOrder): Promise<LoadFigures> {
  if (order.rate !== undefined) return fireFrom("load-paced.ts", order);
  return wrkThere ? fireWrk(order) : fireFrom("load-autocannon.ts", order);
}

async function fireFrom(program: string, order: LoadOrder): Promise<LoadFigures> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, program),
    JSON.stringify(order),
  ]);
  return JSON.parse(stdout) as LoadFigures;
}
