/** Whether the service could listen where it is told to; a Triptych that already does is no fault. */
import { createServer } from "node:net";
import { describeError } from "../command-errors.ts";
import { type CheckResult, checkResult } from "./check-result.ts";

const ANSWER_WITHIN_MS = 2_000;

export async function checkPort(host: string, port: number): Promise<CheckResult> {
  if (port === 0) return checkResult("port", "ok", "0: every start takes a free one");
  const error = await tryListening(host, port);
  if (error === null) return checkResult("port", "ok", `${port} of ${host} is free`);
  if (error.code === "EADDRINUSE" && (await isOurs(host, port))) {
    return checkResult("port", "ok", `a running Triptych listens on ${port} of ${host}`);
  }
  return checkResult("port", "fail", describeError(error) ?? error.message);
}

function tryListening(host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

async function isOurs(host: string, port: number): Promise<boolean> {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  try {
    const authority = reachable.includes(":") ? `[${reachable}]` : reachable;
    const answer = await fetch(`http://${authority}:${port}/healthz`, {
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    await answer.body?.cancel();
    return answer.headers.has("api-version");
  } catch {
    return false;
  }
}
