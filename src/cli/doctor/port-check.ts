/** Checks that the service could listen; a running Triptych on the port is fine. */
import { errorCode } from "#domain/error-code.ts";
import { probePort } from "#serve/probe-port.ts";
import { describeError } from "../command-errors.ts";
import { type CheckResult, checkResult } from "./check-result.ts";

const TIMEOUT_MS = 2_000;

export async function checkPort(host: string, port: number): Promise<CheckResult> {
  if (port === 0) return checkResult("port", "ok", "0: any free port");
  try {
    await probePort(host, port);
    return checkResult("port", "ok", `${port} of ${host} is free`);
  } catch (error) {
    return errorCode(error) === "EADDRINUSE" && (await isTriptych(host, port))
      ? checkResult("port", "ok", `a running Triptych listens on ${port} of ${host}`)
      : checkResult("port", "fail", describeError(error) ?? (error instanceof Error ? error.message : String(error)));
  }
}

async function isTriptych(host: string, port: number): Promise<boolean> {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  const authority = reachable.includes(":") ? `[${reachable}]` : reachable;
  try {
    const response = await fetch(`http://${authority}:${port}/healthz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    return response.headers.has("api-version");
  } catch {
    return false;
  }
}
