/** What is watched: the command line and the admin routes list and change it here. */
import { randomBytes } from "node:crypto";
import type { PlatformName } from "#domain/record.ts";
import type { Watch } from "#domain/watch.ts";
import type { Watchable, WatchableKind } from "#api/watchable.ts";
import type { Watches } from "#store/watches/port.ts";
import { parseInterval } from "#domain/parse-interval.ts";

export interface NewWatch {
  platform: string;
  kind: string;
  target: string;
  /** Such as `6h`. */
  every: string;
}

/** `reason` continues a sentence that begins with the field. */
export class InvalidWatch extends Error {
  override name = "InvalidWatch";
  readonly field: keyof NewWatch;
  readonly reason: string;

  constructor(field: keyof NewWatch, reason: string) {
    super(`${field} ${reason}`);
    this.field = field;
    this.reason = reason;
  }
}

export type WatchablePlatforms = Readonly<Record<PlatformName, Watchable>>;

export class WatchList {
  readonly #watches: Watches;
  readonly #watchable: WatchablePlatforms;

  constructor(watches: Watches, watchable: WatchablePlatforms) {
    this.#watches = watches;
    this.#watchable = watchable;
  }

  /** The next one first. */
  list(): Promise<Watch[]> {
    return this.#watches.listWatches();
  }

  /** A watch of the same thing gets the new interval. Throws `InvalidWatch`. */
  async add({ platform, kind, target: text, every }: NewWatch): Promise<Watch> {
    const found = this.#findKind(platform, kind);
    const target = found.parseTarget(text);
    if (target === null) throw new InvalidWatch("target", `must be: ${found.target}`);
    const everyMs = parseInterval(every);
    if (everyMs === null)
      throw new InvalidWatch("every", "must be minutes, hours or days from 5m to 365d, such as 30m, 6h or 1d");
    // A target may be stored in a form that another version gave it.
    const same = (await this.#watches.listWatches()).find(
      (watch) => watch.platform === platform && watch.kind === kind && found.parseTarget(watch.target) === target,
    );
    const now = Date.now();
    return this.#watches.addWatch({
      id: randomBytes(4).toString("hex"),
      platform,
      kind,
      target: same?.target ?? target,
      everyMs,
      state: "active",
      createdAt: now,
      nextAt: now,
      lastAt: null,
      lastOutcome: null,
      runs: 0,
    });
  }

  /** Null if there is no such watch. */
  setState(id: string, state: Watch["state"]): Promise<Watch | null> {
    return this.#watches.setWatchState(id, state, Date.now());
  }

  /** Returns whether there was one. */
  remove(id: string): Promise<boolean> {
    return this.#watches.deleteWatch(id);
  }

  /** What can be watched. */
  kinds(): { platform: PlatformName; kind: string; target: string }[] {
    return Object.entries(this.#watchable).flatMap(([platform, kinds]) =>
      Object.entries(kinds).map(([kind, { target }]) => ({ platform, kind, target })),
    );
  }

  #findKind(platform: string, kind: string): WatchableKind {
    const kinds = Object.hasOwn(this.#watchable, platform) ? this.#watchable[platform] : undefined;
    if (kinds === undefined)
      throw new InvalidWatch("platform", `must be one of ${Object.keys(this.#watchable).join(", ")}`);
    const found = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (found === undefined)
      throw new InvalidWatch("kind", `must be one of ${Object.keys(kinds).join(", ")} on ${platform}`);
    return found;
  }
}

/** For the audit log, without the target, which may be a person. */
export function watchDetails({ id, platform, kind }: Pick<Watch, "id"> & Partial<Watch>, change: string) {
  return { id, ...(platform !== undefined && { platform }), ...(kind !== undefined && { kind }), change };
}
