/** Uses one token through all nodes until each rejects it: together they admit its limit, and a little more each. */
import { Agent } from "node:http";
import { loadPepper } from "#auth/secrets.ts";
import { TokenRegistry } from "#auth/tokens.ts";
import type { Store } from "#store/store.ts";
import { get } from "./load.ts";

const CLIENTS_PER_NODE = 4;
const DAILY = 2_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export interface LimitResult {
  limit: number;
  admitted: number;
  rejectedClients: number;
  unexpected: string[];
}

export async function checkLimit(store: Store, pepperFile: string, urls: string[]): Promise<LimitResult> {
  await waitForNewDay();
  const registry = new TokenRegistry(store.tokens, loadPepper(pepperFile).tokens);
  // The daily limit, since the burst limit refills while it is spent.
  const { token } = await registry.create({
    label: "cluster run",
    scopes: ["read:shortvideo"],
    limits: { burst: 1_000_000, daily: DAILY },
  });
  const result: LimitResult = { limit: DAILY, admitted: 0, rejectedClients: 0, unexpected: [] };
  const agent = new Agent({ keepAlive: true });
  const runClient = async (url: string) => {
    for (;;) {
      const { status, text } = await get(agent, `${url}/api/shortvideo/post/detail?videoId=1`, token);
      if (status === 404) result.admitted++;
      else if (status === 429) return void result.rejectedClients++;
      else result.unexpected.push(`${status} ${text.slice(0, 200)}`);
      if (result.unexpected.length > 10) return;
    }
  };
  await Promise.all(urls.flatMap((url) => Array.from({ length: CLIENTS_PER_NODE }, () => runClient(url))));
  agent.destroy();
  return result;
}

/** If the day ended during the check, its quota would start again. */
async function waitForNewDay(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < MINUTE_MS) await new Promise((resolve) => setTimeout(resolve, left + 1_000));
}
