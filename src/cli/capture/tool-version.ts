/** Whether a capture program can be started, and which version it is. */
import { execFile } from "node:child_process";
import { type Environment, toolEnvironment } from "./tool-environment.ts";

const TIMEOUT_MS = 10_000;

export type ToolVersion =
  | { state: "found"; version: string }
  | { state: "not found" }
  | { state: "broken"; reason: string };

export function getToolVersion(program: string, env: Environment): Promise<ToolVersion> {
  return new Promise((resolve) => {
    const options = {
      env: toolEnvironment(env),
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL" as const,
      maxBuffer: 64 * 1024,
    };
    execFile(program, ["--version"], options, (error, stdout, stderr) => {
      const version = (stdout.trim() || stderr.trim()).split("\n")[0] ?? "";
      if (error === null) resolve({ state: "found", version: version.slice(0, 60) || "unknown version" });
      else if (error.code === "ENOENT") resolve({ state: "not found" });
      else
        resolve({
          state: "broken",
          reason: error.killed === true ? "it did not answer" : `it exits with ${error.code}`,
        });
    });
  });
}
