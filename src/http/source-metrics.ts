/** The metrics of live sources. */
import type { SourceStatus } from "#live/live-port.ts";
import type { MetricFamily } from "./metrics.ts";

export function sourceFamilies(sources: readonly SourceStatus[]): MetricFamily[] {
  const family = (
    name: string,
    help: string,
    type: MetricFamily["type"],
    read: (source: SourceStatus) => [labels: string, value: number][],
  ): MetricFamily => {
    const samples = sources.flatMap((source) =>
      read(source).map(([labels, value]) => [`${name}{source="${source.name}"${labels}}`, value] as const),
    );
    return { name, help, type, samples: Object.fromEntries(samples) };
  };
  return [
    family("triptych_source_calls_total", "Calls to live sources, by result.", "counter", ({ calls }) =>
      Object.entries(calls).map(([result, count]) => [`,result="${result}"`, count]),
    ),
    family("triptych_source_retries_total", "Calls to live sources that were repeated.", "counter", ({ retries }) => [
      ["", retries],
    ]),
    family("triptych_source_calls_in_progress", "Calls to live sources in progress.", "gauge", ({ inProgress }) => [
      ["", inProgress],
    ]),
    family("triptych_source_paused", "1 while a live source is not called after failures.", "gauge", ({ state }) => [
      ["", state === "ready" ? 0 : 1],
    ]),
    family("triptych_source_quota_used", "Used of each budget in its present period.", "gauge", ({ budgets }) =>
      budgets.map(({ name, used }) => [`,budget="${name}"`, used]),
    ),
    family("triptych_source_quota_limit", "Limit of each budget.", "gauge", ({ budgets }) =>
      budgets.map(({ name, limit }) => [`,budget="${name}"`, limit]),
    ),
  ];
}
