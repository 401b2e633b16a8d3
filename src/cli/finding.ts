/** One line of `triptych doctor`. */
export type Standing = "ok" | "warn" | "fail";

export interface Finding {
  check: string;
  state: Standing;
  /** What was found, and where it is not well, what to do. */
  detail: string;
}

export function finding(check: string, state: Standing, detail: string): Finding {
  return { check, state, detail };
}
