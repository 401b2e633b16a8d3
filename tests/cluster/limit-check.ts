/** One token, asked through all nodes until each refuses it: together they admit its limit, and a little more each. */
import { Agent } from "node:http";
import { loadPepper } from "#auth/secrets.ts";
import { TokenRegistry } from "#auth/tokens.ts";
import type { Store } from "#store/store.ts";
import { get } from "./load.ts";

const CALLERS_A_NODE = 4;
const DAILY = 2_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export interface LimitResult {
  limit: number;
  admitted: number;
  rejectedClients: number;
  unexpected: string[];
}

export async function checkLimit(store: Store, pepperFile: string, addresses: string[]): Promise<LimitResult> {
  await waitForNewDay();
  const registry = new TokenRegistry(store.tokens, loadPepper(pepperFile).tokens);
  // The day's limit, since the one of ten seconds fills up while it is spent.
  const { token } = await registry.create({
    label: "cluster run",
    scopes: ["read:shortvideo"],
    limits: { burst: 1_000_000, daily: DAILY },
  });
  const figures: LimitResult = { limit: DAILY, admitted: 0, rejectedClients: 0, unexpected: [] };
  const agent = new Agent({ keepAlive: true });
  const caller = async (address: string) => {
    for (;;) {
      const { status, text } = await get(agent, `${address}/api/shortvideo/post/detail?videoId=1`, token);
      if (status === 404) figures.admitted++;
      else if (status === 429) return void figures.rejectedClients++;
      else figures.unexpected.push(`${status} ${text.slice(0, 200)}`);
      if (figures.unexpected.length > 10) return;
    }
  };
  await Promise.all(addresses.flatMap((address) => Array.from({ length: CALLERS_A_NODE }, () => caller(address))));
  agent.destroy();
  return figures;
}

/** A day that ends meanwhile would bring its successor's limit. */
async function waitForNewDay(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < MINUTE_MS) await new Promise((resolve) => setTimeout(resolve, left + 1_000));
}
