/** A record's counters over time, a chart for each, with what it gained. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { History, HistoryInput } from "../api/client.ts";
import { historyQuery } from "../api/queries.ts";
import { formatChange, formatDay } from "./format.ts";
import { LineChart } from "./line-chart.tsx";
import { COUNTER_LABELS, type CounterName } from "./platforms.ts";
import { Empty, Loaded } from "./states.tsx";

interface CounterHistoryProps extends Pick<HistoryInput, "platform" | "kind" | "id"> {
  names: readonly CounterName[];
  /** Shows nothing where there are not two captures. */
  isOptional?: boolean;
}

export function CounterHistory({ platform, kind, id, names, isOptional = false }: CounterHistoryProps) {
  const query = useQuery(historyQuery({ platform, kind, id }));
  return (
    <Loaded query={query} rows={3}>
      {(history) => (isOptional && history.points.length < 2 ? null : <Charts history={history} names={names} />)}
    </Loaded>
  );
}

function Charts({
  history: { points: all, growth, truncated },
  names,
}: {
  history: History;
  names: readonly CounterName[];
}) {
  const points = useMemo(() => all.flatMap(({ at, counters }) => (at === null ? [] : { at, counters })), [all]);
  const times = useMemo(() => points.map(({ at }) => at), [points]);
  const series = useMemo(
    () =>
      names
        .map((name) => ({ name, values: points.map(({ counters }) => counters[name] ?? null) }))
        .filter(({ values }) => values.some((value) => value !== null)),
    [points, names],
  );
  if (points.length < 2 || series.length === 0)
    return (
      <Empty icon="chart" title={points.length === 1 ? "One capture so far" : "No counters are stored"}>
        <p>A second capture, at another time, makes a line.</p>
      </Empty>
    );
  return (
    <>
      <p className="muted">
        {points.length} captures from {formatDay(growth.from)} to {formatDay(growth.to)}
        {truncated ? "; older ones are left out" : ""}
      </p>
      <div className="charts">
        {series.map(({ name, values }) => (
          <LineChart
            key={name}
            title={`${COUNTER_LABELS[name]} (${formatChange(growth.counters[name]?.change)})`}
            times={times}
            series={[{ label: COUNTER_LABELS[name], values }]}
            height={180}
          />
        ))}
      </div>
    </>
  );
}
