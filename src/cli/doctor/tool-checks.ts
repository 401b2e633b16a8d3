/** Which capture programs `triptych capture` can run. None is needed. */
import { getToolVersion } from "../capture/tool-version.ts";
import { CAPTURE_TOOLS } from "../capture/tools.ts";
import type { Terminal } from "../terminal.ts";
import { type CheckResult, checkResult } from "./check-result.ts";

export function checkTools(env: Terminal["env"]): Promise<CheckResult[]> {
  return Promise.all(
    CAPTURE_TOOLS.map(async ({ name }) => {
      const found = await getToolVersion(name, env);
      if (found.state === "found") return checkResult(name, "ok", found.version);
      return found.state === "not found"
        ? checkResult(name, "ok", 'not installed; only "triptych capture" uses it')
        : checkResult(name, "warn", `found, but ${found.reason} when asked for its version; install it again`);
    }),
  );
}
