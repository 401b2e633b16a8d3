/**
 * Builds the console in a clone whose sources are newer than the built one. In a process of its own, so that the service
 * responds meanwhile. An installed package and an image have it built, and no sources.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";

const PROGRAM = join(resolve(import.meta.dirname, "../.."), "console", "build.ts");

export interface ConsoleBuild {
  /** Milliseconds that the build took; null if there was nothing to build. Rejects with the reason if it fails. */
  result: Promise<number | null>;
  stop(): void;
}

export function buildConsoleIfStale(program = PROGRAM): ConsoleBuild {
  if (!existsSync(program)) return { result: Promise.resolve(null), stop: () => undefined };
  const child = spawn(process.execPath, [program, "--if-stale"], { stdio: ["ignore", "pipe", "pipe"] });
  let isStopped = false;
  const result = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]).then(
    ([output, errors, [code]]) => {
      if (code === 0) return parseDuration(output);
      if (isStopped) return null;
      throw new Error(errors.trim().split("\n")[0] ?? `exit code ${String(code)}`);
    },
  );
  // A failure before the result is awaited is not an unhandled rejection.
  result.catch(() => undefined);
  return {
    result,
    stop() {
      isStopped = true;
      child.kill();
    },
  };
}

/** The program measures itself: this process may be busy with other things when it ends. */
function parseDuration(output: string): number | null {
  const [, ms] = /^built in (\d+) ms$/m.exec(output) ?? [];
  return ms === undefined ? null : Number(ms);
}
