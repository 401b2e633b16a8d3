/** The last failed and refused requests, in memory: what an operator asks first. The log has all of them, and the causes. */

export interface RecentError {
  /** Unix milliseconds. */
  at: number;
  requestId: string;
  method: string;
  /** The route, without what a client put into the path. */
  path: string;
  status: number;
  code: string;
  detail: string;
  /** Null if the request had no valid token. */
  keyId: string | null;
}

/** Of each sort: a flood of refused requests leaves the failures visible. */
const MAX_ERRORS = 200;
const MAX_DETAIL = 300;

/** Texts of the form of a token, or of a session. */
const SECRETS = /tt_[0-9A-Za-z]{8,}|\b\w{1,32}\.\d{9,12}\.[\w-]{43}/g;

export class RecentErrors {
  #failed: RecentError[] = [];
  #refused: RecentError[] = [];

  add(error: RecentError): void {
    const isFailure = error.status >= 500 && error.code !== "overloaded";
    const list = isFailure ? this.#failed : this.#refused;
    list.push({ ...error, detail: error.detail.replaceAll(SECRETS, "…").slice(0, MAX_DETAIL) });
    // Not at every addition: shifting a list costs its length.
    if (list.length >= 2 * MAX_ERRORS) list.splice(0, list.length - MAX_ERRORS);
  }

  /** Newest first. */
  list(kind: "failed" | "refused" | "all", limit: number): RecentError[] {
    const failed = kind === "refused" ? [] : this.#failed.slice(-MAX_ERRORS);
    const refused = kind === "failed" ? [] : this.#refused.slice(-MAX_ERRORS);
    return [...failed, ...refused].toSorted((a, b) => b.at - a.at).slice(0, limit);
  }

  /** For the process that collects those of several. */
  take(): RecentError[] {
    const errors = [...this.#failed.slice(-MAX_ERRORS), ...this.#refused.slice(-MAX_ERRORS)];
    this.#failed = [];
    this.#refused = [];
    return errors;
  }
}
