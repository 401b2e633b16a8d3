/** Largest gains, measured or estimated: hashtags, sounds and videos of the short-video platform, by country and period. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { api, type ApiResponse } from "../api/client.ts";
import { Page } from "../layout/page.tsx";
import { CopyAs } from "../ui/copy-as.tsx";
import { formatDuration, listCountries } from "../ui/format.ts";
import { type Gain, Gained } from "../ui/gained.tsx";
import { Picture } from "../ui/media.tsx";
import { Select } from "../ui/select.tsx";
import { Sparkline } from "../ui/sparkline.tsx";
import { Empty, Loaded } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";
import { OWN_CURRENT } from "../ui/tabs.tsx";
import { Age, Count, Words } from "../ui/values.tsx";
import { TrendNav } from "./trend-nav.tsx";

const route = getRouteApi("/trends");
const PERIODS = ["7", "30", "120"] as const;
const LIMIT = 50;
/** How often to look for rankings while there are none. */
const WATCH_MS = 5_000;

const KINDS = [
  { id: "hashtags", label: "Hashtags", path: "/api/shortvideo/trending/hashtag" },
  { id: "sounds", label: "Sounds", path: "/api/shortvideo/trending/songs" },
  { id: "videos", label: "Videos", path: "/api/shortvideo/trending/videos" },
] as const;
type Kind = (typeof KINDS)[number]["id"];

interface Entry extends Gain {
  id: string;
  rank: number;
  /** Places gained; null if it was not ranked before, undefined if there is nothing to compare with. */
  moved: number | null | undefined;
  link: ReactNode;
  detail: string | null;
  cover?: string | null;
  /** All views of a video. */
  views?: number | null;
  series: readonly { time: number; value: number }[];
}

interface Ranking {
  entries: Entry[];
  /** When a post was last captured; null if nothing says so. */
  newestCapture: string | null;
  /** The last day of the period. */
  day: string | null;
}

export function Trends() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const kind: Kind = KINDS.find(({ id }) => id === search.of)?.id ?? "hashtags";
  const period = PERIODS.find((days) => days === search.period) ?? "7";
  const country = search.country ?? "";
  const isMeasuredOnly = search.basis === "measured";
  const asOf = search.as_of;
  const countries = useMemo(() => listCountries(), []);
  const parameters = {
    period: Number(period) as 7 | 30 | 120,
    limit: LIMIT,
    ...(country === "" ? {} : { country }),
    ...(isMeasuredOnly ? { basis: "measured" as const } : {}),
    ...(asOf === undefined ? {} : { as_of: asOf }),
  };
  const query = useQuery({
    queryKey: ["trends", kind, parameters],
    // Those of another country or period stay until these come; hashtags under the heading of sounds would be wrong.
    placeholderData: (previous: Ranking | undefined, before) => (before?.queryKey[1] === kind ? previous : undefined),
    queryFn: ({ signal }) => getTrends(kind, parameters, signal),
    refetchInterval: ({ state }) => (state.data?.entries.length === 0 ? WATCH_MS : false),
  });
  const set = (changes: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, ...changes }), replace: true, resetScroll: false });
  const { label, path } = KINDS.find(({ id }) => id === kind) ?? KINDS[0];
  return (
    <Page
      title="Trends"
      actions={
        <CopyAs
          request={{ path, parameters }}
          csv={{
            name: `trending ${kind}`,
            rows: () =>
              query.data?.entries.map(({ id, rank, moved, detail, basis, basis_posts, views_gained, views }) => ({
                rank,
                moved,
                id,
                detail,
                views_gained,
                basis,
                basis_posts,
                views,
              })) ?? [],
          }}
        />
      }
    >
      <TrendNav />
      <div className="toolbar">
        <nav className="chips" aria-label="Ranking">
          {KINDS.map(({ id, label: text }) => (
            <Link
              key={id}
              to="/trends"
              search={(now) => ({ ...now, of: id })}
              replace
              className="chip"
              activeOptions={OWN_CURRENT}
              aria-current={id === kind ? "true" : undefined}
            >
              {text}
            </Link>
          ))}
        </nav>
        <Select
          label="Country"
          value={country}
          options={[["", "All countries"], ...countries.map(({ code, name }) => [code, name] as const)]}
          onChange={(value) => set({ country: value || undefined })}
        />
        <Select
          label="Period"
          value={period}
          options={PERIODS.map((days) => [days, `${days} days`])}
          onChange={(value) => set({ period: value })}
        />
        <Select
          label="Gains"
          value={isMeasuredOnly ? "measured" : ""}
          options={[
            ["", "All"],
            ["measured", "Measured only"],
          ]}
          onChange={(value) => set({ basis: value || undefined })}
        />
      </div>
      {asOf === undefined ? null : (
        <p className="muted">
          The {period} days until {query.data?.day ?? "the newest capture"}.{" "}
          <Link to="/trends" search={(now) => ({ ...now, as_of: undefined })} replace>
            Rank the days until today
          </Link>
        </p>
      )}
      <Loaded query={query} rows={8}>
        {({ entries, newestCapture }) =>
          entries.length === 0 ? (
            <Empty
              icon="trend"
              title={isMeasuredOnly ? "No gain was measured in this period" : "Nothing gained views in this period"}
            >
              {newestCapture === null || asOf !== undefined ? null : (
                <p>
                  The newest capture is from <Age when={newestCapture} />.{" "}
                  <Link to="/trends" search={(now) => ({ ...now, as_of: "newest" })} replace>
                    Rank the {period} days until then
                  </Link>
                </p>
              )}
              <p>
                Rankings are computed within about a minute of an import. A gain is measured if posts were captured more
                than once, and estimated if they were captured once and their publication is known.
              </p>
            </Empty>
          ) : (
            <TrendTable entries={entries} label={label} kind={kind} />
          )
        }
      </Loaded>
    </Page>
  );
}

function TrendTable({ entries, label, kind }: { entries: Entry[]; label: string; kind: Kind }) {
  const isOfVideos = kind === "videos";
  return (
    <Table
      label={`Trending: ${label}`}
      columns={
        isOfVideos
          ? ["Rank", label, { number: "Views gained" }, { number: "Views" }]
          : ["Rank", "Change", label, { number: "Views gained" }, { number: "Posts" }, "Over time"]
      }
      className="ranking"
    >
      {entries.map((entry) => {
        const { id, rank, moved, link, detail, cover, series, views } = entry;
        return (
          <tr key={id}>
            <td className="number">{rank}</td>
            {isOfVideos ? null : (
              <td>
                <Moved places={moved} />
              </td>
            )}
            <th scope="row">
              <span className="entry">
                {cover === undefined ? null : (
                  <Picture
                    url={cover}
                    shape="square"
                    platform="shortvideo"
                    icon={kind === "sounds" ? "sound" : "film"}
                  />
                )}
                <span>
                  {link}
                  {detail === null ? null : (
                    <small className="muted" dir="auto">
                      {detail}
                    </small>
                  )}
                </span>
              </span>
            </th>
            <td className="number">
              <Gained gain={entry} />
            </td>
            <td className="number">
              <Count value={isOfVideos ? views : entry.basis_posts} />
            </td>
            {isOfVideos ? null : (
              <td>
                <Sparkline points={series} label={describeSeries(series)} />
              </td>
            )}
          </tr>
        );
      })}
    </Table>
  );
}

function describeSeries(series: Entry["series"]): string {
  return `Views gained per day with a capture, from ${series.at(0)?.value ?? "–"} to ${series.at(-1)?.value ?? "–"}`;
}

export function Moved({ places }: { places: number | null | undefined }) {
  if (places === undefined) return null;
  if (places === null) return <span className="moved new">new</span>;
  if (places === 0)
    return (
      <span className="moved" title="Unchanged">
        =
      </span>
    );
  const isUp = places > 0;
  return (
    <span className={`moved ${isUp ? "up" : "down"}`} title={`${Math.abs(places)} ${isUp ? "up" : "down"}`}>
      {isUp ? "▲" : "▼"} {Math.abs(places)}
    </span>
  );
}

type Parameters = { period: 7 | 30 | 120; limit: number; country?: string; basis?: "measured"; as_of?: string };

async function getTrends(kind: Kind, parameters: Parameters, signal: AbortSignal): Promise<Ranking> {
  const platform = "shortvideo";
  switch (kind) {
    case "hashtags": {
      const response = await api.shortvideo.trendingHashtag.withResponse(parameters, { signal });
      const entries = response.body.data.list.map((trend): Entry => ({
        id: trend.hashtag_name,
        rank: trend.rank,
        moved: movedBy(trend),
        link: (
          <Link to="/explore/$platform/hashtag/$name" params={{ platform, name: trend.hashtag_name }}>
            <Words>{`#${trend.hashtag_name}`}</Words>
          </Link>
        ),
        detail:
          trend.creators
            .flatMap(({ nick_name: name }) => name ?? [])
            .slice(0, 3)
            .join(", ") || null,
        ...gainOf(trend),
        series: trend.trend,
      }));
      return toRanking(entries, response);
    }
    case "sounds": {
      const response = await api.shortvideo.trendingSongs.withResponse(parameters, { signal });
      const entries = response.body.data.sound_list.map((trend): Entry => ({
        id: trend.song_id,
        rank: trend.rank,
        moved: movedBy(trend),
        link: (
          <Link to="/explore/$platform/sound/$id" params={{ platform, id: trend.song_id }}>
            <Words>{trend.title}</Words>
          </Link>
        ),
        detail: trend.author,
        cover: trend.cover,
        ...gainOf(trend),
        series: trend.trend,
      }));
      return toRanking(entries, response);
    }
    case "videos": {
      const response = await api.shortvideo.trendingVideos.withResponse(parameters, { signal });
      const entries = response.body.data.videos.map((video, index): Entry => ({
        id: video.item_id,
        rank: index + 1,
        moved: undefined,
        link: (
          <Link to="/explore/$platform/post/$id" params={{ platform, id: video.item_id }}>
            <Words className="clamp-2">{video.title || `Post ${video.item_id}`}</Words>
          </Link>
        ),
        detail:
          [
            video.author && `@${video.author}`,
            video.region,
            video.duration == null ? null : formatDuration(video.duration),
          ]
            .filter(Boolean)
            .join(" · ") || null,
        cover: video.cover,
        views: video.play_count,
        ...gainOf(video),
        series: [],
      }));
      return toRanking(entries, response);
    }
  }
}

function gainOf({ basis, basis_posts, views_gained }: Gain): Gain {
  return { basis, basis_posts, views_gained };
}

function toRanking(entries: Entry[], { headers }: ApiResponse<unknown>): Ranking {
  return { entries, newestCapture: headers.get("newest-capture"), day: headers.get("trends-day") };
}

const NEW = 4;

function movedBy({ rank_diff: places, rank_diff_type: type }: { rank_diff: number | null; rank_diff_type: number }) {
  if (type === NEW) return null;
  if (places === null) return undefined;
  return type === 3 ? -places : places;
}
