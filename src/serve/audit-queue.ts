/** Audit events of the HTTP server: written by a thread, those that come meanwhile together. */
import type { AuditEvent } from "#domain/audit.ts";
import type { Config } from "#config";
import type { Audit } from "#privacy/audit-log.ts";
import { runPrivacyTask } from "./privacy-task.ts";

export class AuditQueue implements Audit {
  readonly #config: Config;
  #waiting: AuditEvent[] = [];
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(config: Config) {
    this.#config = config;
  }

  /** Resolves when it is stored. */
  record(event: AuditEvent): Promise<void> {
    this.#waiting.push(event);
    return (this.#next ??= this.#run());
  }

  async #run(): Promise<void> {
    // A failure before was reported to those who waited for it.
    await this.#running.catch(() => undefined);
    const events = this.#waiting;
    this.#waiting = [];
    this.#next = null;
    this.#running = runPrivacyTask(this.#config, { name: "audit", events }).then(() => undefined);
    await this.#running;
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#running).catch(() => undefined);
  }
}
