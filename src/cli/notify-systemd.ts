/**
 * Tells systemd (`Type=notify`) that the service listens, and that its event loop turns. Node has no Unix datagram sockets: the
 * program `systemd-notify` sends the notification.
 */
import { execFile } from "node:child_process";
import type { Config } from "#config";
import type { Service } from "#serve/service.ts";

export function notifySystemd(systemd: Config["systemd"], log: Service["log"]): void {
  if (systemd === null) return;
  const intervalMs = systemd.watchdogMs / 2;
  let hasFailed = false;
  const notify = (state: string) =>
    execFile("systemd-notify", [state], { timeout: intervalMs }, (error) => {
      if (error !== null && !hasFailed) log.error({ err: error }, `cannot run systemd-notify ${state}`);
      hasFailed = error !== null;
    });
  notify("READY=1");
  if (intervalMs > 0) setInterval(() => notify("WATCHDOG=1"), intervalMs).unref();
}
