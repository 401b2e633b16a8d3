/**
 * Tells systemd (`Type=notify`) that the service listens, and that its event loop turns. Node has no Unix datagram sockets: the
 * program `systemd-notify` sends the notification.
 */
import { execFile } from "node:child_process";
import type { Config } from "#config";
import type { Service } from "#serve/service.ts";

const READY_TIMEOUT_MS = 10_000;

export function notifySystemd(systemd: Config["systemd"], log: Service["log"]): void {
  if (systemd === null) return;
  const intervalMs = systemd.watchdogMs / 2;
  let hasFailed = false;
  const notify = (state: string, timeout: number, then?: () => void) =>
    execFile("systemd-notify", [state], { timeout }, (error) => {
      if (error !== null && !hasFailed) log.error({ err: error }, `cannot run systemd-notify ${state}`);
      hasFailed = error !== null;
      then?.();
    });
  // The watchdog of systemd starts with READY=1.
  notify("READY=1", READY_TIMEOUT_MS, () => {
    if (intervalMs > 0) setInterval(() => notify("WATCHDOG=1", intervalMs), intervalMs).unref();
  });
}
