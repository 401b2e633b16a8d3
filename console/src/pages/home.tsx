/** What the store holds, what is going on, and where to begin. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useMemo } from "react";
import { adminRequest, type Overview } from "../api/admin.ts";
import { api } from "../api/client.ts";
import { useOverview } from "../api/overview.ts";
import { useCan } from "../api/session.ts";
import { Page } from "../layout/page.tsx";
import { formatBytes, formatExact, startOfDay } from "../ui/format.ts";
import { Gained } from "../ui/gained.tsx";
import { Icon } from "../ui/icons.tsx";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { KIND_LABELS, platformLabel, PLATFORMS } from "../ui/platforms.ts";
import { Sparkline } from "../ui/sparkline.tsx";
import { Failed, Loaded, Loading } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";
import { Age, Count, Figure, PlatformTag, Unknown, Words } from "../ui/values.tsx";
import { ImportBox, ImportProgress } from "./import-box.tsx";

const LineChart = lazyComponent(async () => (await import("../ui/line-chart.tsx")).LineChart);

export function Home() {
  const isAdmin = useCan("admin");
  return (
    <Page title="Home">
      {isAdmin ? <Held /> : null}
      <section aria-labelledby="try">
        <h2 id="try">Three things to try</h2>
        <ul className="try">
          <li>
            <Link to="/explore" search={{ q: "street food" }} className="card try-card">
              <Icon name="search" />
              <strong>Search everything</strong>
              <span>“street food” over posts, people, comments and spoken words</span>
            </Link>
          </li>
          <li>
            <Link to="/trends" search={{ period: "30" }} className="card try-card">
              <Icon name="trend" />
              <strong>See what gained most</strong>
              <span>Hashtags, sounds and videos of the last 30 days</span>
            </Link>
          </li>
          <li>
            <Link to="/playground" search={{ operation: "search", q: "pottery" }} className="card try-card">
              <Icon name="code" />
              <strong>Send a request</strong>
              <span>Every operation as a form; copy it as curl, TypeScript or Python</span>
            </Link>
          </li>
        </ul>
      </section>
      <TrendingNow />
    </Page>
  );
}

function Held() {
  const query = useOverview();
  return (
    <Loaded query={query} rows={3}>
      {(overview) =>
        overview.records.every(({ count }) => count === 0) ? <FirstSteps /> : <Holdings overview={overview} />
      }
    </Loaded>
  );
}

function FirstSteps() {
  const canImport = useCan("ingest");
  return (
    <section aria-labelledby="first">
      <h2 id="first">The store is empty</h2>
      {canImport ? <ImportBox /> : <p>Sign in with a token that has the scope ingest to import files here.</p>}
      <DemoData />
    </section>
  );
}

/** One click to something to look at. */
function DemoData() {
  const add = useMutation({ mutationFn: () => adminRequest("POST /admin/demo") });
  if (add.data !== undefined) return <ImportProgress jobs={[add.data.job]} />;
  return (
    <div className="toolbar demo">
      <p className="muted">To look around first, fill it with invented people and posts.</p>
      <button type="button" disabled={add.isPending} onClick={() => add.mutate()}>
        Add the demo data
      </button>
      {add.isError ? <Failed error={add.error} /> : null}
    </div>
  );
}

function Holdings({ overview }: { overview: Overview }) {
  const { records, sources, newestCapture, bytes, jobs } = overview;
  const total = records.reduce((sum, { count }) => sum + count, 0);
  const kinds = [...new Set(records.map(({ kind }) => kind))];
  const platforms = PLATFORMS.filter((platform) => records.some((row) => row.platform === platform));
  const of = (platform: string, kind: string) =>
    records.find((row) => row.platform === platform && row.kind === kind)?.count;
  return (
    <section aria-labelledby="stored">
      <h2 id="stored">What is stored</h2>
      <dl className="figures">
        <Figure label="Records" note={formatBytes(bytes)}>
          <Count value={total} />
        </Figure>
        <Figure label="Sources" note={[...new Set(sources.map(({ source }) => source))].slice(0, 3).join(", ")}>
          {formatExact(new Set(sources.map(({ source }) => source)).size)}
        </Figure>
        <Figure label="Newest capture">
          <Age when={newestCapture} />
        </Figure>
        <Figure label="Imports" note={jobs.newest === null ? "none yet" : describeUnfinished(jobs)}>
          {formatExact(jobs.running + jobs.waiting + jobs.interrupted + jobs.done + jobs.dismissed)}
        </Figure>
      </dl>
      <div className="stored">
        <Table
          label="Records by platform and kind"
          columns={["Kind", ...platforms.map((platform) => ({ number: <PlatformTag platform={platform} /> }))]}
        >
          {kinds.map((kind) => (
            <tr key={kind}>
              <th scope="row">{KIND_LABELS[kind] ?? kind}</th>
              {platforms.map((platform) => (
                <td key={platform} className="number">
                  {of(platform, kind) === undefined ? <Unknown /> : formatExact(of(platform, kind))}
                </td>
              ))}
            </tr>
          ))}
        </Table>
        <Suspense fallback={<Loading rows={2} />}>
          <Growth growth={overview.growth} platforms={platforms} />
        </Suspense>
      </div>
    </section>
  );
}

function Growth({ growth, platforms }: { growth: Overview["growth"]; platforms: readonly string[] }) {
  const [times, series] = useMemo(() => {
    const days = [...new Set(growth.map(({ day }) => day))];
    const counts = new Map(growth.map(({ day, platform, count }) => [`${platform} ${day}`, count]));
    return [
      days.map(startOfDay),
      platforms.map((platform) => ({
        label: platformLabel(platform),
        platform,
        values: days.map((day) => counts.get(`${platform} ${day}`) ?? null),
      })),
    ];
  }, [growth, platforms]);
  return <LineChart title="Captured per day" times={times} series={series} height={170} />;
}

function NothingTrending({ newestCapture }: { newestCapture: string | null }) {
  if (newestCapture === null)
    return <p className="muted">None yet: rankings are computed within about a minute of an import.</p>;
  return (
    <p className="muted">
      Nothing gained views in the last 30 days: the newest capture is from <Age when={newestCapture} />.{" "}
      <Link to="/trends" search={{ period: "30", as_of: "newest" }}>
        Rank the 30 days until then
      </Link>
    </p>
  );
}

function TrendingNow() {
  const query = useQuery({
    queryKey: ["home", "trends"],
    queryFn: ({ signal }) => api.shortvideo.trendingHashtag.withResponse({ period: 30, limit: 8 }, { signal }),
    // Trends are computed after an import has ended.
    refetchInterval: ({ state }) => (state.data?.body.data.list.length === 0 ? 5_000 : false),
  });
  return (
    <section aria-labelledby="trending">
      <h2 id="trending">
        Trending hashtags <small className="muted">by views gained in 30 days</small>
      </h2>
      <Loaded query={query} rows={4}>
        {({
          body: {
            data: { list },
          },
          headers,
        }) =>
          list.length === 0 ? (
            <NothingTrending newestCapture={headers.get("newest-capture")} />
          ) : (
            <ol className="trend-cards">
              {list.map(({ hashtag_name: name, rank, trend, ...gain }) => (
                <li key={name}>
                  <Link
                    to="/explore/$platform/hashtag/$name"
                    params={{ platform: "shortvideo", name }}
                    className="card"
                  >
                    <span className="muted">{rank}</span>
                    <Words className="one-line">{`#${name}`}</Words>
                    <Sparkline points={trend} label="Views gained per day with a capture" />
                    <small>
                      <Gained gain={gain} /> {gain.basis === "measured" ? "views gained" : null}
                    </small>
                  </Link>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </section>
  );
}

function describeUnfinished(jobs: Overview["jobs"]): string {
  const unfinished = (["running", "waiting", "interrupted"] as const).filter((state) => jobs[state] > 0);
  return unfinished.map((state) => `${jobs[state]} ${state}`).join(", ") || "none running";
}
