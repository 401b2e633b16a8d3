/** One line of `triptych doctor`. */
export type Severity = "ok" | "warn" | "fail";

export interface CheckResult {
  check: string;
  state: Severity;
  /** What was found, and where it is not well, what to do. */
  detail: string;
}

export function checkResult(check: string, state: Severity, detail: string): CheckResult {
  return { check, state, detail };
}
