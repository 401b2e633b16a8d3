/** A video's ranks in the stored charts over time, a chart for each country and section. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ChartsHistory } from "../api/client.ts";
import { ranksQuery } from "../api/queries.ts";
import { countryName, startOfDay } from "./format.ts";
import { LineChart } from "./line-chart.tsx";
import { Empty, Loaded } from "./states.tsx";

export function ChartRanks({ platform, id }: { platform: string; id: string }) {
  const query = useQuery(ranksQuery({ platform, id }));
  return (
    <Loaded query={query} rows={3}>
      {(history) => <Ranks history={history} />}
    </Loaded>
  );
}

function Ranks({ history: { ranks, best_rank: best } }: { history: ChartsHistory }) {
  const charts = useMemo(() => {
    const byChart = Map.groupBy(ranks, ({ country, section }) => `${countryName(country)}, ${section}`);
    return [...byChart].map(([title, days]) => ({
      title,
      times: days.map(({ day }) => startOfDay(day)),
      series: [{ label: "Rank", values: days.map(({ rank }) => rank) }],
    }));
  }, [ranks]);
  if (ranks.length === 0) return <Empty icon="chart" title="It is in none of the stored charts" />;
  return (
    <>
      <p className="muted">Best rank: {best}</p>
      <div className="charts">
        {charts.map(({ title, times, series }) => (
          <LineChart key={title} title={title} times={times} series={series} height={180} isRank />
        ))}
      </div>
    </>
  );
}
