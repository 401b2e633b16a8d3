/** Requests per token and day as a chart. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type AdminOutput, adminRequest } from "../api/admin.ts";
import { formatExact, startOfDay } from "../ui/format.ts";
import { LineChart } from "../ui/line-chart.tsx";
import { Loaded } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";

const MAX_TOKENS = 5;
const DAY_MS = 86_400_000;

export function Usage() {
  const query = useQuery({
    queryKey: ["usage"],
    staleTime: 5_000,
    queryFn: () => adminRequest("GET /admin/usage", { by: "day" }),
  });
  return (
    <section aria-labelledby="usage">
      <h2 id="usage">Usage</h2>
      <Loaded query={query} rows={3}>
        {(usage) => <UsageChart response={usage} now={query.dataUpdatedAt} />}
      </Loaded>
    </section>
  );
}

function UsageChart({ response: { since, usage }, now }: { response: AdminOutput<"GET /admin/usage">; now: number }) {
  const { times, series, totals } = useMemo(() => {
    const first = Date.parse(since);
    const days = Array.from({ length: Math.floor((now - first) / DAY_MS) + 1 }, (_, index) =>
      new Date(first + index * DAY_MS).toISOString().slice(0, 10),
    );
    const byToken = [...Map.groupBy(usage, ({ keyId }) => keyId)]
      .map(([keyId, rows]) => ({
        keyId,
        label: rows[0]?.label ?? keyId,
        requests: sum(rows.map((row) => row.requests)),
        clientErrors: sum(rows.map((row) => row.clientErrors)),
        serverErrors: sum(rows.map((row) => row.serverErrors)),
        byDay: new Map(rows.map((row) => [row.day, row.requests])),
      }))
      .toSorted((a, b) => b.requests - a.requests);
    return {
      times: days.map(startOfDay),
      // Of a day without requests it is known that there were none.
      series: byToken.slice(0, MAX_TOKENS).map(({ label, keyId, byDay }) => ({
        label: `${label} (${keyId.slice(0, 6)})`,
        values: days.map((day) => byDay.get(day) ?? 0),
      })),
      totals: byToken,
    };
  }, [since, usage, now]);
  if (totals.length === 0) return <p className="muted">No request with a token yet.</p>;
  return (
    <>
      <LineChart title="Requests per day" times={times} series={series} height={180} />
      <Table
        label="Usage per token"
        columns={["Token", { number: "Requests in 30 days" }, { number: "Refused (4xx)" }, { number: "Failed (5xx)" }]}
      >
        {totals.map(({ keyId, label, requests, clientErrors, serverErrors }) => (
          <tr key={keyId}>
            <th scope="row" dir="auto">
              {label}
            </th>
            <td className="number">{formatExact(requests)}</td>
            <td className="number">{formatExact(clientErrors)}</td>
            <td className="number">{formatExact(serverErrors)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
