/** Allows one retry for every ten calls, and one in reserve, so that retries never multiply the load of a failing source. */
const SHARE = 0.1;
const MAX_SAVED = 10;

export class RetryBudget {
  #saved = 1;

  countCall(): void {
    this.#saved = Math.min(MAX_SAVED, this.#saved + SHARE);
  }

  /** Whether a retry is allowed; it is then spent. */
  take(): boolean {
    // Ten tenths are not quite one.
    if (this.#saved < 1 - 1e-9) return false;
    this.#saved--;
    return true;
  }
}
