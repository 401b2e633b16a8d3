/** One import: its problems by reason, its sums, its files, and the refused records. */
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { type AdminInput, adminRequest, isUnderWay, type Job } from "../api/admin.ts";
import { MAX_PAGES } from "../api/queries.ts";
import { NeedsScope } from "../layout/needs-scope.tsx";
import { Page } from "../layout/page.tsx";
import { CopyAs } from "../ui/copy-as.tsx";
import { formatExact, formatMoment, formatNumberOf } from "../ui/format.ts";
import { PROGRAM } from "../ui/program.ts";
import { Select } from "../ui/select.tsx";
import { Loaded } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";
import { Figure } from "../ui/values.tsx";
import { BoxedRows } from "../ui/virtual-rows.tsx";
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

type Listed = NonNullable<AdminInput<"GET /admin/jobs/{id}">["listed"]>;

function reportQuery(id: string, listed: Listed = "all") {
  return infiniteQueryOptions({
    queryKey: ["report", id, listed],
    initialPageParam: { fromFile: 0, after: 0 },
    queryFn: ({ pageParam }) => adminRequest("GET /admin/jobs/{id}", { id, listed, ...pageParam }),
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
  const [listed, setListed] = useState<Listed>("all");
  const query = useInfiniteQuery({
    ...reportQuery(id, listed),
    placeholderData: keepPreviousData,
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
              <Problems problems={first.problems} />
              <Sums {...first.total} />
              {files.length === 0 ? null : (
                <>
                  <div className="list-head">
                    <h2>Files</h2>
                    {first.problems.length === 0 ? null : (
                      <Select label="Show" value={listed} options={LISTED} onChange={setListed} />
                    )}
                  </div>
                  <BoxedRows
                    key={listed}
                    items={files}
                    estimate={38}
                    keyOf={({ name }) => name}
                    label="Files"
                    pager={{ ...query, hasNextPage: last?.nextFile !== null }}
                    render={(file) => <FileRow {...file} name={withoutFolder(file.name, first.folder)} />}
                  />
                </>
              )}
              {rejects.length === 0 ? null : (
                <>
                  <h2>Refused records</h2>
                  <BoxedRows
                    items={rejects}
                    estimate={38}
                    keyOf={({ number }) => String(number)}
                    label="Refused records"
                    pager={{ ...query, hasNextPage: last?.nextReject !== null }}
                    render={({ file, line, reason }) => (
                      <p className="reject">
                        <PathEnd path={`${withoutFolder(file, first.folder)}${line === null ? "" : `:${line}`}`} />
                        <span dir="auto" className="one-line" title={reason}>
                          {reason}
                        </span>
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

const LISTED = [
  ["all", "All files"],
  ["problems", "With problems"],
] as const;

/** Each reason once, the most frequent first, with the files that have it. */
function Problems({ problems }: { problems: Job["problems"] }) {
  if (problems.length === 0) return null;
  return (
    <section aria-labelledby="problems">
      <h2 id="problems">Problems</h2>
      <ul className="problems">
        {problems.map(({ code, reason, count, files, names }) => (
          <li key={code ?? reason}>
            <p>
              <b>{formatExact(count)} ×</b> <span dir="auto">{reason}</span>
            </p>
            <details open={files <= MAX_OPEN}>
              <summary>in {formatNumberOf(files, "file")}</summary>
              {names.map((name, at) => (
                <span key={name}>
                  {at === 0 ? "" : ", "}
                  <bdi>{name}</bdi>
                </span>
              ))}
              {files > names.length ? ` and ${formatExact(files - names.length)} more` : ""}
            </details>
          </li>
        ))}
      </ul>
      {problems.some(({ reason }) => reason.includes(" --")) ? (
        <p className="muted">
          Options such as <code>--of</code> are those of the command <code>{PROGRAM} import</code>. See{" "}
          <a href="/docs/guides/importing">importing</a>.
        </p>
      ) : null}
    </section>
  );
}

/** Names of more files are shown on demand. */
const MAX_OPEN = 5;

/** The whole import by kind and by format, and the lists and records that were skipped. */
function Sums({ records, formats, skipped }: Job["total"]) {
  return (
    <section aria-labelledby="sums">
      <h2 id="sums">Records</h2>
      {records.length === 0 ? (
        <p className="muted">No records.</p>
      ) : (
        <Table
          label="Records"
          columns={["Kind", { number: "New" }, { number: "Updated" }, { number: "Unchanged" }, { number: "Erased" }]}
        >
          {records.map(({ kind, new: added, updated, unchanged, erased }) => (
            <tr key={kind}>
              <th scope="row">{kind}</th>
              {Object.entries({ added, updated, unchanged, erased }).map(([outcome, count]) => (
                <td key={outcome} className="number">
                  {formatExact(count)}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      )}
      {formats.length === 0 ? null : (
        <p className="muted">
          {formats.map(({ format, documents }) => `${format}: ${formatNumberOf(documents, "document")}`).join(", ")}
        </p>
      )}
      {skipped.map(({ reason, count }) => (
        <p key={reason} className="muted">
          Skipped {formatExact(count)}: <span dir="auto">{reason}</span>
        </p>
      ))}
    </section>
  );
}

function FileRow({ name, state, formats, records, refused, skipped }: Job["files"][number]) {
  const stored = records.reduce((sum, { new: added, updated, unchanged }) => sum + added + updated + unchanged, 0);
  const [refusals, skips] = [sumOf(refused), sumOf(skipped)];
  const problems = [
    ...(refusals > 0 ? [`${formatExact(refusals)} refused`] : []),
    ...(skips > 0 ? [`${formatExact(skips)} skipped`] : []),
    ...(state === "done" && formats.length + refusals + skips === 0 ? ["nothing recognised"] : []),
  ];
  return (
    <p className="file-row">
      <PathEnd path={name} />
      <span className="one-line muted">{formats.map(({ format }) => format).join(", ")}</span>
      <span>{state === "running" ? "reading" : formatNumberOf(stored, "record")}</span>
      <span title={[...refused, ...skipped].map(({ reason, count }) => `${formatExact(count)} × ${reason}`).join("; ")}>
        {problems.join(", ")}
      </span>
    </p>
  );
}

/** A path whose beginning is cut where it is too long: its end says which file it is. */
function PathEnd({ path }: { path: string }) {
  return (
    <span className="path-end one-line" title={path}>
      <bdi>{path}</bdi>
    </span>
  );
}

function withoutFolder(name: string, folder: string): string {
  return name.startsWith(folder) ? name.slice(folder.length) : name;
}

function sumOf(reasons: Job["total"]["refused"]): number {
  return reasons.reduce((sum, { count }) => sum + count, 0);
}
