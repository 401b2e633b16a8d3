/** Bringing data in, what was brought in, what is stored of it and for how long. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { adminRequest, isUnderWay, type JobSummary, type Overview } from "../api/admin.ts";
import { useOverview } from "../api/overview.ts";
import { useCan } from "../api/session.ts";
import { NeedsScope } from "../layout/needs-scope.tsx";
import { Page } from "../layout/page.tsx";
import { formatExact } from "../ui/format.ts";
import { platformLabel } from "../ui/platforms.ts";
import { Failed, Loaded } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";
import { Age, PlatformTag } from "../ui/values.tsx";
import { ImportBox } from "./import-box.tsx";
import { Retention } from "./retention.tsx";

export function Data() {
  return (
    <Page
      title="Data"
      actions={
        useCan("admin") ? (
          <>
            <Link to="/data/live" className="button quiet">
              Live sources
            </Link>
            <Link to="/data/erase" className="button quiet">
              Erase a person
            </Link>
          </>
        ) : null
      }
    >
      <NeedsScope scope="ingest">
        <ImportBox />
      </NeedsScope>
      {useCan("admin") ? (
        <>
          <Jobs />
          <Sources />
        </>
      ) : null}
    </Page>
  );
}

const WATCH_MS = 1_000;

function Jobs() {
  const query = useInfiniteQuery({
    queryKey: ["jobs"],
    staleTime: 0,
    initialPageParam: "",
    queryFn: ({ pageParam }) => adminRequest("GET /admin/jobs", pageParam === "" ? {} : { before: pageParam }),
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ jobs }) => jobs.some(isUnderWay)) === true ? WATCH_MS : false,
  });
  return (
    <section aria-labelledby="imports">
      <h2 id="imports">Imports</h2>
      <Loaded query={query} rows={2}>
        {({ pages }) => {
          const jobs = pages.flatMap((page) => page.jobs);
          return jobs.length === 0 ? <p className="muted">None yet.</p> : <JobTable jobs={jobs} />;
        }}
      </Loaded>
      {query.hasNextPage ? (
        <button type="button" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          More imports
        </button>
      ) : null}
      {query.isFetchNextPageError ? <Failed error={query.error} /> : null}
    </section>
  );
}

function JobTable({ jobs }: { jobs: JobSummary[] }) {
  return (
    <Table
      label="Imports"
      columns={[
        "What",
        "State",
        "Started",
        { number: "Files" },
        { number: "New" },
        { number: "Updated" },
        { number: "Refused" },
      ]}
    >
      {jobs.map((job) => (
        <tr key={job.id}>
          <th scope="row">
            <Link to="/data/imports/$id" params={{ id: job.id }} dir="auto" className="clamp-2">
              {job.label}
            </Link>
          </th>
          <td>{job.state}</td>
          <td>
            <Age when={job.startedAt} />
          </td>
          <td className="number">{formatExact(job.files)}</td>
          <td className="number">{formatExact(job.records.new)}</td>
          <td className="number">{formatExact(job.records.updated)}</td>
          <td className="number">{formatExact(job.refused)}</td>
        </tr>
      ))}
    </Table>
  );
}

function Sources() {
  const query = useOverview();
  return (
    <section aria-labelledby="sources">
      <h2 id="sources">What is stored, by source and age</h2>
      <Loaded query={query} rows={3}>
        {(overview) => (
          <>
            <SourceTable overview={overview} />
            <Retention sources={[...new Set(overview.sources.map(({ source }) => source))]} />
          </>
        )}
      </Loaded>
    </section>
  );
}

function SourceTable({ overview: { sources } }: { overview: Overview }) {
  if (sources.length === 0) return <p className="muted">Nothing is stored yet.</p>;
  return (
    <Table
      label="Sources"
      columns={["Source", "Platform", "Kind", { number: "Records" }, "Oldest capture", "Newest capture"]}
    >
      {sources.map(({ source, platform, kind, count, oldestCapture, newestCapture }) => (
        <tr key={`${source}/${platform}/${kind}`}>
          <th scope="row" dir="auto">
            {source}
          </th>
          <td title={platformLabel(platform)}>
            <PlatformTag platform={platform} />
          </td>
          <td>{kind}</td>
          <td className="number">{formatExact(count)}</td>
          <td>
            <Age when={oldestCapture} />
          </td>
          <td>
            <Age when={newestCapture} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
