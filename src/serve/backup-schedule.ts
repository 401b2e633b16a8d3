/**
 * Writes backups into BACKUP_DIR while the service runs, each in a thread, and keeps the newest. Deletes only files of its
 * own names, and only once a newer one was read back whole.
 */
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BackupSettings } from "#config";
import { type MetricFamily, plainMetric } from "#http/metrics.ts";
import { repeat } from "./repeat.ts";
import type { WrittenBackup } from "./tasks/tasks.ts";

/** Dashes in place of colons, which some file systems refuse. */
const NAME = /^triptych-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/;
const PARTIAL = ".partial";
const RETRY_MS = 5 * 60_000;
/** A clock that was set, and an interval that no timer takes, count within the hour. */
const MAX_SLEEP_MS = 3_600_000;
/** No backup takes as long: its process was killed. */
const ABANDONED_MS = 86_400_000;

export interface BackupSchedule {
  families(): MetricFamily[];
  stop(): Promise<void>;
}

export interface BackupEvents {
  onWritten(file: string, written: WrittenBackup): void;
  onError(error: unknown): void;
}

type Write = (file: string, signal: AbortSignal) => Promise<WrittenBackup>;

/** `settings` is null if the service writes none. */
export function scheduleBackups(settings: BackupSettings | null, write: Write, events: BackupEvents): BackupSchedule {
  const rounds = new BackupRounds(write, events);
  const repeated =
    settings === null
      ? null
      : repeat({
          run: (signal) => rounds.runIfDue(settings, signal),
          everyMs: (waitMs) => Math.min(MAX_SLEEP_MS, waitMs),
          retryMs: RETRY_MS,
          onError: (error) => events.onError(error),
        });
  return {
    families: () => rounds.families(),
    stop: async () => repeated?.stop(),
  };
}

export class BackupRounds {
  readonly #write: Write;
  readonly #events: BackupEvents;
  readonly #clock: () => number;
  #failures = 0;
  /** When the next one is due; null before the folder was read. */
  #dueAt: number | null = null;
  #tryAt = 0;

  constructor(write: Write, events: BackupEvents, clock: () => number = Date.now) {
    this.#write = write;
    this.#events = events;
    this.#clock = clock;
  }

  /** Never rejects. Resolves to the milliseconds until it should be called again. */
  async runIfDue(settings: BackupSettings, signal: AbortSignal): Promise<number> {
    // The clock may have been set back.
    if (this.#tryAt > this.#clock() + settings.everyMs) this.#setDue(settings.everyMs);
    try {
      await this.#writeIfDue(settings, signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(error, settings.everyMs);
    }
    return Math.max(0, this.#tryAt - this.#clock());
  }

  families(): MetricFamily[] {
    const overdueMs = this.#dueAt === null ? 0 : Math.max(0, this.#clock() - this.#dueAt);
    return [
      plainMetric("counter", "triptych_backup_failures_total", "Backups of BACKUP_DIR that failed.", this.#failures),
      plainMetric(
        "gauge",
        "triptych_backup_overdue_seconds",
        "Seconds since a backup of BACKUP_DIR was due and not written; 0 if none is due.",
        overdueMs / 1000,
      ),
    ];
  }

  async #writeIfDue({ dir, everyMs, keep }: BackupSettings, signal: AbortSignal): Promise<void> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    if (this.#dueAt === null) this.#setDue(await findWait(dir, everyMs, this.#clock()));
    if (this.#clock() < this.#tryAt) return;
    const file = join(dir, nameOf(this.#clock()));
    try {
      this.#events.onWritten(file, await this.#write(file, signal));
    } finally {
      // A thread that was stopped leaves it.
      await rm(file + PARTIAL, { force: true });
    }
    this.#setDue(everyMs);
    await removeOld(dir, keep, this.#clock());
  }

  #setDue(waitMs: number): void {
    this.#dueAt = this.#tryAt = this.#clock() + waitMs;
  }

  #fail(error: unknown, everyMs: number): void {
    this.#failures++;
    this.#dueAt ??= this.#clock();
    this.#tryAt = Math.max(this.#tryAt, this.#clock() + Math.min(RETRY_MS, everyMs));
    this.#events.onError(error);
  }
}

function nameOf(time: number): string {
  return `triptych-${new Date(time).toISOString().slice(0, 19).replaceAll(":", "-")}Z.backup`;
}

/** A service that restarts often makes no more backups. */
async function findWait(dir: string, everyMs: number, now: number): Promise<number> {
  const [newest] = await listBackups(dir);
  if (newest === undefined) return 0;
  const [, day = "", hour = "", minute = "", second = ""] = NAME.exec(newest) ?? [];
  const writtenAt = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(writtenAt) ? 0 : Math.max(0, Math.min(writtenAt, now) + everyMs - now);
}

/** Newest first. */
async function listBackups(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && NAME.test(entry.name)).map(({ name }) => name);
  return names.toSorted().toReversed();
}

async function removeOld(dir: string, keep: number, now: number): Promise<void> {
  const backups = await listBackups(dir);
  // A file dated by a clock that was ahead is older than the one just written.
  const isAhead = (name: string) => name > nameOf(now);
  const byAge = [...backups.filter((name) => !isAhead(name)), ...backups.filter(isAhead)];
  for (const name of byAge.slice(keep)) await rm(join(dir, name), { force: true });
  for (const name of await readdir(dir)) {
    if (!name.endsWith(PARTIAL) || !NAME.test(name.slice(0, -PARTIAL.length))) continue;
    const { mtimeMs } = await stat(join(dir, name));
    if (mtimeMs < now - ABANDONED_MS) await rm(join(dir, name), { force: true });
  }
}
