/** What gained most: hashtags, sounds and videos of the short-video platform, by country and period. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { api } from "../api/client.ts";
import { Page } from "../layout/page.tsx";
import { CopyAs } from "../ui/copy-as.tsx";
import { formatDuration, listCountries } from "../ui/format.ts";
import { Picture } from "../ui/media.tsx";
import { Select } from "../ui/select.tsx";
import { Sparkline } from "../ui/sparkline.tsx";
import { Empty, Loaded } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";
import { OWN_CURRENT } from "../ui/tabs.tsx";
import { Count, Words } from "../ui/values.tsx";
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

interface Entry {
  id: string;
  rank: number;
  /** Places gained; null if it was not ranked before, undefined if that is not told. */
  moved: number | null | undefined;
  link: ReactNode;
  detail: string | null;
  cover?: string | null;
  posts?: number | null;
  views?: number | null;
  series?: number[];
}

export function Trends() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const kind: Kind = KINDS.find(({ id }) => id === search.of)?.id ?? "hashtags";
  const period = PERIODS.find((days) => days === search.period) ?? "7";
  const country = search.country ?? "";
  const countries = useMemo(listCountries, []);
  const parameters = { period: Number(period) as 7 | 30 | 120, limit: LIMIT, ...(country === "" ? {} : { country }) };
  const query = useQuery({
    queryKey: ["trends", kind, parameters],
    // Those of another country or period stay until these come; hashtags under the heading of sounds would be wrong.
    placeholderData: (previous: Entry[] | undefined, before) => (before?.queryKey[1] === kind ? previous : undefined),
    queryFn: ({ signal }) => getTrends(kind, parameters, signal),
    refetchInterval: ({ state }) => (state.data?.length === 0 ? WATCH_MS : false),
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
              query.data?.map(({ id, rank, moved, detail, posts, views }) => ({
                rank,
                moved,
                id,
                detail,
                posts,
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
      </div>
      <Loaded query={query} rows={8}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty icon="trend" title="Nothing gained views in this period">
              <p>
                Rankings are computed within about a minute of an import. A post counts if its publication is known, or
                if it was captured more than once.
              </p>
            </Empty>
          ) : (
            <TrendTable entries={entries} label={label} />
          )
        }
      </Loaded>
    </Page>
  );
}

function TrendTable({ entries, label }: { entries: Entry[]; label: string }) {
  const hasNumbers = entries.some(({ views }) => views !== undefined);
  return (
    <Table
      label={`Trending: ${label}`}
      columns={
        hasNumbers
          ? ["Rank", "Change", label, { number: "Views gained" }, { number: "Posts" }, "Over time"]
          : ["Rank", label]
      }
      className="ranking"
    >
      {entries.map(({ id, rank, moved, link, detail, cover, posts, views, series }) => (
        <tr key={id}>
          <td className="number">{rank}</td>
          {hasNumbers ? (
            <td>
              <Moved places={moved} />
            </td>
          ) : null}
          <th scope="row">
            <span className="entry">
              {cover === undefined ? null : <Picture url={cover} shape="square" platform="shortvideo" icon="sound" />}
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
          {hasNumbers ? (
            <>
              <td className="number">
                <Count value={views} />
              </td>
              <td className="number">
                <Count value={posts} />
              </td>
              <td>
                <Sparkline
                  values={series ?? []}
                  label={`Views per day, from ${series?.at(0) ?? "–"} to ${series?.at(-1) ?? "–"}`}
                />
              </td>
            </>
          ) : null}
        </tr>
      ))}
    </Table>
  );
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

type Parameters = { period: 7 | 30 | 120; limit: number; country?: string };

async function getTrends(kind: Kind, parameters: Parameters, signal: AbortSignal): Promise<Entry[]> {
  const platform = "shortvideo";
  switch (kind) {
    case "hashtags": {
      const { data } = await api.shortvideo.trendingHashtag(parameters, { signal });
      return data.list.map((trend) => ({
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
        posts: trend.publish_cnt,
        views: trend.video_views,
        series: trend.trend.map(({ value }) => value),
      }));
    }
    case "sounds": {
      const { data } = await api.shortvideo.trendingSongs(parameters, { signal });
      return data.sound_list.map((trend) => ({
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
        posts: null,
        views: trend.trend.length === 0 ? null : trend.trend.reduce((sum, { value }) => sum + value, 0),
        series: trend.trend.map(({ value }) => value),
      }));
    }
    case "videos": {
      const { data } = await api.shortvideo.trendingVideos(parameters, { signal });
      return data.videos.map((video, index) => ({
        id: video.item_id,
        rank: index + 1,
        moved: undefined,
        link: (
          <Link to="/explore/$platform/post/$id" params={{ platform, id: video.item_id }}>
            <Words className="clamp-2">{video.title || `Post ${video.item_id}`}</Words>
          </Link>
        ),
        detail:
          [video.region, video.duration == null ? null : formatDuration(video.duration)].filter(Boolean).join(" · ") ||
          null,
        cover: video.cover,
      }));
    }
  }
}

function movedBy({ rank_diff: places, rank_diff_type: type }: { rank_diff: number | null; rank_diff_type: number }) {
  if (type === 4 || places === null) return null;
  return type === 3 ? -places : places;
}
