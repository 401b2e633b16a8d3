/** Values as they stand in a text: counts, times, imported words, the platform they come from. */
import type { ReactNode } from "react";
import {
  type Dated,
  formatAge,
  formatCount,
  formatExact,
  formatMoment,
  formatPublished,
  formatPublishedAge,
  toDate,
  UNKNOWN,
  type When,
} from "./format.ts";
import { Icon } from "./icons.tsx";
import { type CounterItem, platformLabel } from "./platforms.ts";

export function Count({ value }: { value: number | null | undefined }) {
  if (value == null) return <Unknown />;
  return <span title={formatExact(value)}>{formatCount(value)}</span>;
}

export function Unknown() {
  return (
    <span className="unknown" title="Unknown">
      {UNKNOWN}
    </span>
  );
}

/** How long ago, with the exact time at hand. */
export function Age({ when }: { when: When }) {
  const date = toDate(when);
  if (date === null) return <Unknown />;
  return (
    <time dateTime={date.toISOString()} title={formatMoment(date)}>
      {formatAge(date)}
    </time>
  );
}

/** How long ago it was published, with the time, or the day if only that is known, at hand. */
export function PublishedAge({ of }: { of: Dated }) {
  const date = toDate(of.published_at);
  if (date === null) return <Unknown />;
  return (
    <time dateTime={date.toISOString()} title={formatPublished(of)}>
      {formatPublishedAge(of)}
    </time>
  );
}

/** Imported text: in its own direction, and never anything but text. */
export function Words({ children, className }: { children: string | null | undefined; className?: string }) {
  if (children == null || children === "") return <Unknown />;
  return (
    <span dir="auto" className={className}>
      {children}
    </span>
  );
}

export function PlatformTag({ platform }: { platform: string }) {
  return (
    <span className="platform" data-platform={platform}>
      {platformLabel(platform)}
    </span>
  );
}

/** A line of counters, with icons or with words; those that are unknown say so. */
export function Counters({ items, isWorded = false }: { items: readonly CounterItem[]; isWorded?: boolean }) {
  return (
    <ul className={isWorded ? "counters worded" : "counters"}>
      {items.map(({ icon, label, value }) => (
        <li key={label} title={`${label}: ${formatExact(value)}`}>
          {isWorded ? null : <Icon name={icon} />}
          <span className={isWorded ? undefined : "visually-hidden"}>{label}</span>
          <b>{value == null ? UNKNOWN : formatCount(value)}</b>
        </li>
      ))}
    </ul>
  );
}

/** A number with its name, as on the home page. */
export function Figure({ label, children, note }: { label: string; children: ReactNode; note?: ReactNode }) {
  return (
    <div className="figure">
      <dt>{label}</dt>
      <dd>
        <strong>{children}</strong>
        {note === undefined ? null : <small>{note}</small>}
      </dd>
    </div>
  );
}
