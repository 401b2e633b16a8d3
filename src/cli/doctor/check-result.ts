/** One line of `triptych doctor`. */
export type Severity = "ok" | "warn" | "fail";

export interface CheckResult {
  check: string;
  state: Severity;
  /** What was found, and how to fix it. */
  detail: string;
}

export function checkResult(check: string, state: Severity, detail: string): CheckResult {
  return { check, state, detail };
}
