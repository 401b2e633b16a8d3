/** The platform's own charts: a country, a section, any day that is stored, and beside it another day. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api, type Charts as ChartList, type LongvideoTrendingInput } from "../api/client.ts";
import { NeedsScope } from "../layout/needs-scope.tsx";
import { Page } from "../layout/page.tsx";
import { CopyAs } from "../ui/copy-as.tsx";
import { countryName, formatDay, startOfDay, readerRegion } from "../ui/format.ts";
import { Picture } from "../ui/media.tsx";
import { Select } from "../ui/select.tsx";
import { Empty, Loaded } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";
import { Count, Words } from "../ui/values.tsx";
import { TrendNav } from "./trend-nav.tsx";
import { Moved } from "./trends.tsx";

const route = getRouteApi("/trends/charts");
type Section = NonNullable<LongvideoTrendingInput["section"]>;
type Chart = ChartList["charts"][number];

export function Charts() {
  const query = useQuery({ queryKey: ["charts"], queryFn: ({ signal }) => api.charts({}, { signal }) });
  return (
    <Loaded query={query} rows={8}>
      {({ charts }) =>
        charts.length === 0 ? (
          <Page title="Charts">
            <TrendNav />
            <NeedsScope scope="read:longvideo">
              <Empty icon="chart" title="No charts are stored">
                <p>Import the trending pages or tables of a platform to see them here.</p>
              </Empty>
            </NeedsScope>
          </Page>
        ) : (
          <StoredChart charts={charts} />
        )
      }
    </Loaded>
  );
}

function StoredChart({ charts }: { charts: Chart[] }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const countries = [...new Set(charts.map(({ country }) => country))];
  const wanted = [search.country, readerRegion(), "US", countries[0]];
  const country = wanted.find((code) => code !== undefined && countries.includes(code)) ?? "";
  const ofCountry = charts.filter((chart) => chart.country === country);
  const chart =
    ofCountry.find(({ section }) => section === search.section) ??
    ofCountry.find(({ section }) => section === "now") ??
    ofCountry[0];
  const days = chart?.days ?? [];
  const day = search.day !== undefined && days.includes(search.day) ? search.day : (days.at(-1) ?? "");
  const other = search.with !== undefined && search.with !== day && days.includes(search.with) ? search.with : null;
  const dayOptions = days.toReversed().map((one) => [one, formatDay(startOfDay(one))] as const);
  const section = chart?.section ?? "now";
  const main = useChart(country, section, day);
  const compared = useChart(country, section, other);
  const before = new Map(compared.data?.videos.map(({ video_id: id }, index) => [id, index + 1]));
  const set = (changes: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, ...changes }), replace: true, resetScroll: false });
  const gone =
    compared.data?.videos.filter(({ video_id: id }) => !main.data?.videos.some((video) => video.video_id === id)) ?? [];
  return (
    <Page
      title="Charts"
      actions={
        <CopyAs
          request={{
            path: "/api/longvideo/trending",
            parameters: { country, section: sectionName(section), date: day },
          }}
          csv={{
            name: `chart ${country} ${section} ${day}`,
            rows: () =>
              main.data?.videos.map(({ video_id, title, author, number_of_views }, index) => ({
                day,
                rank: index + 1,
                rank_before: before.get(video_id) ?? null,
                video_id,
                title,
                author,
                views: number_of_views,
              })) ?? [],
          }}
        />
      }
    >
      <TrendNav />
      <div className="toolbar">
        <Select
          label="Country"
          value={country}
          options={countries.map((code) => [code, countryName(code)])}
          onChange={(value) => set({ country: value, day: undefined, with: undefined })}
        />
        <Select
          label="Section"
          value={section}
          options={ofCountry.map((one) => [one.section, sectionName(one.section)])}
          onChange={(value) => set({ section: value, day: undefined, with: undefined })}
        />
        <Select label="Day" value={day} options={dayOptions} onChange={(value) => set({ day: value })} />
        <Select
          label="Compare with"
          value={other ?? ""}
          options={[["", "No other day"], ...dayOptions.filter(([one]) => one !== day)]}
          onChange={(value) => set({ with: value || undefined })}
        />
      </div>
      <Loaded query={main} rows={8}>
        {({ videos }) => (
          <>
            <Table
              label="Chart"
              columns={[
                "Rank",
                ...(other === null ? [] : [`Since ${formatDay(startOfDay(other))}`]),
                "Video",
                { number: "Views" },
              ]}
              className="ranking"
            >
              {videos.map((video, index) => {
                const was = before.get(video.video_id);
                return (
                  <tr key={video.video_id}>
                    <td className="number">{index + 1}</td>
                    {other === null ? null : (
                      <td>
                        {compared.data === undefined ? null : (
                          <Moved places={was === undefined ? null : was - index - 1} />
                        )}
                      </td>
                    )}
                    <th scope="row">
                      <span className="entry">
                        <Picture
                          url={video.thumbnails.at(-1)?.url}
                          shape="landscape"
                          platform="longvideo"
                          icon="film"
                        />
                        <span>
                          <Link
                            to="/explore/$platform/post/$id"
                            params={{ platform: "longvideo", id: video.video_id }}
                            search={{ tab: "ranks" }}
                          >
                            <Words className="clamp-2">{video.title || video.video_id}</Words>
                          </Link>
                          <small className="muted" dir="auto">
                            {video.author}
                          </small>
                        </span>
                      </span>
                    </th>
                    <td className="number">
                      <Count value={video.number_of_views} />
                    </td>
                  </tr>
                );
              })}
            </Table>
            {gone.length === 0 ? null : (
              <section>
                <h2>In the chart of {other === null ? null : formatDay(startOfDay(other))} and not in this one</h2>
                <ol className="plain">
                  {gone.map(({ video_id: id, title }) => (
                    <li key={id}>
                      <span className="muted">{before.get(id)}. </span>
                      <Link to="/explore/$platform/post/$id" params={{ platform: "longvideo", id }}>
                        <Words>{title || id}</Words>
                      </Link>
                    </li>
                  ))}
                </ol>
              </section>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function useChart(country: string, section: string, date: string | null) {
  return useQuery({
    queryKey: ["chart", country, section, date],
    enabled: date !== null && date !== "",
    queryFn: ({ signal }) =>
      api.longvideo.trending({ country, section: sectionName(section), date: date ?? "" }, { signal }),
  });
}

/** Charts are stored under lower case; the operation takes the name as the platform writes it. */
function sectionName(section: string): Section {
  return (section.charAt(0).toUpperCase() + section.slice(1)) as Section;
}
