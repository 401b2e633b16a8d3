/** One import: a report per file, and the refused records with their reasons. */
import { infiniteQueryOptions, type QueryClient, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { adminRequest, isUnderWay, type FileReport, type Job } from "../api/admin.ts";
import { MAX_PAGES } from "../api/queries.ts";
import { NeedsScope } from "../layout/needs-scope.tsx";
import { Page } from "../layout/page.tsx";
import { CopyAs } from "../ui/copy-as.tsx";
import { formatExact, formatMoment } from "../ui/format.ts";
import { PROGRAM } from "../ui/program.ts";
import { Loaded } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";
import { Figure } from "../ui/values.tsx";
import { VirtualRows } from "../ui/virtual-rows.tsx";
import { DismissImport } from "./dismiss-import.tsx";
import { UndoImport } from "./undo-import.tsx";

const route = getRouteApi("/data/imports/$id");
const WATCH_MS = 1_000;
/** Behind the last file or refused record, where one list is longer than the other. */
const END = Number.MAX_SAFE_INTEGER;

export function ImportReport() {
  return (
    <NeedsScope scope="admin">
      <Report />
    </NeedsScope>
  );
}

function reportQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ["report", id],
    initialPageParam: { fromFile: 0, after: 0 },
    queryFn: ({ pageParam }) =>
      adminRequest<Job>(
        "GET",
        `jobs/${encodeURIComponent(id)}?fromFile=${pageParam.fromFile}&after=${pageParam.after}`,
      ),
    getNextPageParam: ({ nextFile, nextReject }) =>
      nextFile === null && nextReject === null ? undefined : { fromFile: nextFile ?? END, after: nextReject ?? END },
  });
}

/** All refused records, of which the page has loaded only the first ones. */
async function loadRejects(client: QueryClient, id: string) {
  const { pages } = await client.fetchInfiniteQuery({
    ...reportQuery(id),
    queryKey: ["rejects", id],
    initialPageParam: { fromFile: END, after: 0 },
    pages: MAX_PAGES,
    staleTime: 0,
    gcTime: 0,
  });
  const rows = pages.flatMap(({ rejects }) => rejects.map((reject) => ({ ...reject })));
  return { rows, isWhole: pages.at(-1)?.nextReject === null };
}

function Report() {
  const { id } = route.useParams();
  const client = useQueryClient();
  const query = useInfiniteQuery({
    ...reportQuery(id),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.pages[0] !== undefined && isUnderWay(data.pages[0].job) ? WATCH_MS : false,
  });
  const job = query.data?.pages[0]?.job;
  const last = query.data?.pages.at(-1);
  const files = query.data?.pages.flatMap((page) => page.files) ?? [];
  const rejects = query.data?.pages.flatMap((page) => page.rejects) ?? [];
  return (
    <Page
      title={job?.label ?? "Import"}
      // Of a command it has every path.
      heading={
        <h1 dir="auto" className="clamp-2">
          {job?.label ?? "Import"}
        </h1>
      }
      actions={
        <CopyAs
          request={{ path: `/admin/jobs/${id}`, parameters: {} }}
          csv={{ name: `refused of ${id}`, load: () => loadRejects(client, id) }}
        />
      }
    >
      <p>
        <Link to="/data">All imports</Link>
      </p>
      <Loaded query={query} rows={4}>
        {({ pages: [first] }) =>
          first === undefined ? null : (
            <>
              <dl className="figures">
                <Figure label="State" note={formatMoment(first.job.startedAt)}>
                  {first.job.state}
                </Figure>
                <Figure label="New">{formatExact(first.job.records.new)}</Figure>
                <Figure label="Updated">{formatExact(first.job.records.updated)}</Figure>
                <Figure label="Unchanged">{formatExact(first.job.records.unchanged)}</Figure>
                <Figure label="Refused">{formatExact(first.job.refused)}</Figure>
                <Figure label="Skipped">{formatExact(first.job.skipped)}</Figure>
              </dl>
              <DismissImport id={id} state={first.job.state} />
              {id === "demo" ? null : (
                <UndoImport id={id} canUndo={first.job.state !== "undone" && !isUnderWay(first.job)} />
              )}
              <h2>Files</h2>
              <FileTable files={files} />
              {files.some(({ refused }) => refused.some(({ reason }) => reason.includes(" --"))) ? (
                <p className="muted">
                  Options such as <code>--of</code> are those of the command <code>{PROGRAM} import</code>. See{" "}
                  <a href="/docs/guides/importing">importing</a>.
                </p>
              ) : null}
              {last?.nextFile === null ? null : (
                <button type="button" disabled={query.isFetching} onClick={() => void query.fetchNextPage()}>
                  More files
                </button>
              )}
              {rejects.length === 0 ? null : (
                <>
                  <h2>Refused records</h2>
                  <VirtualRows
                    items={rejects}
                    estimate={40}
                    keyOf={({ number }) => String(number)}
                    label="Refused records"
                    pager={{ ...query, hasNextPage: last?.nextReject !== null }}
                    render={({ file, line, reason }) => (
                      <p className="reject">
                        <span dir="auto" className="one-line">
                          {file}
                          {line === null ? "" : `:${line}`}
                        </span>
                        <span dir="auto">{reason}</span>
                      </p>
                    )}
                  />
                </>
              )}
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function FileTable({ files }: { files: FileReport[] }) {
  return (
    <Table label="Files" columns={["File", "Formats", { number: "Documents" }, "Records", "Refused and skipped"]}>
      {files.map(({ name, documents, formats, records, refused, skipped }) => (
        <tr key={name}>
          <th scope="row" dir="auto">
            {name}
          </th>
          <td>{formats.map(({ format }) => format).join(", ")}</td>
          <td className="number">{formatExact(documents)}</td>
          <td>
            {records
              .map(({ kind, new: added, updated, unchanged }) => `${kind}: ${formatExact(added + updated + unchanged)}`)
              .join(", ")}
          </td>
          <td>{[...refused, ...skipped].map(({ reason, count }) => `${formatExact(count)} × ${reason}`).join("; ")}</td>
        </tr>
      ))}
    </Table>
  );
}
