/**
 * A service in a process of its own, with a server in place of the official sources. Its only argument is JSON: settings,
 * and where to dial.
 */
import { type LiveConfig, readConfig } from "#config";
import { startService } from "#serve/start.ts";

export interface LiveNodeOptions {
  env: Record<string, string>;
  live: Pick<LiveConfig, "dial" | "callTimeoutMs">;
}

const { env, live } = JSON.parse(process.argv[2] ?? "{}") as LiveNodeOptions;
const config = readConfig(env);
Object.assign(config.live, live);
const service = await startService(config);
process.once("SIGTERM", () => void service.stop().then(() => process.exit()));
process.stdout.write(`${service.startup.url}\n`);
