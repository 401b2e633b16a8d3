/** Every page as JSON, as CSV and as a curl command. */
import { type QueryClient, useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type HistoryInput, UNKNOWN_AS_NULL } from "../api/client.ts";
import { historyQuery, type ListQuery, loadList } from "../api/queries.ts";
import { Icon } from "./icons.tsx";
import { type Row, toCsv } from "./csv.ts";

export interface RequestLine {
  method?: "GET" | "POST";
  path: string;
  parameters: Readonly<Record<string, string | number | undefined>>;
  headers?: Readonly<Record<string, string>>;
}

export interface CopyAsProps {
  request: RequestLine;
  /** Rows of what the page shows, a list that has to be loaded to its end, or the URL of a complete export. */
  csv: { name: string; rows: () => Row[] } | LoadedCsv | { href: string };
}

interface LoadedCsv {
  name: string;
  load: () => Promise<{ rows: Row[]; isWhole: boolean }>;
}

/** All rows of a list, of which the page has loaded only the first ones. */
export function listAsCsv<Page extends { continuation_token: string }>(
  client: QueryClient,
  name: string,
  query: ListQuery<Page>,
  rowsOf: (pages: Page[]) => Row[],
): LoadedCsv {
  return {
    name,
    async load() {
      const { pages, isWhole } = await loadList(client, query);
      return { rows: rowsOf(pages), isWhole };
    },
  };
}

export function CopyAs({ request, csv }: CopyAsProps) {
  const isGet = (request.method ?? "GET") === "GET";
  return (
    <fieldset className="copy-as" aria-label="This page as data">
      {isGet ? (
        <a className="button quiet" href={urlOf(request)} target="_blank" rel="noreferrer">
          JSON
        </a>
      ) : null}
      {"href" in csv ? (
        <a className="button quiet" href={csv.href} download>
          CSV
        </a>
      ) : "load" in csv ? (
        <LoadingCsvButton {...csv} />
      ) : (
        <button type="button" className="quiet" onClick={() => download(`${csv.name}.csv`, toCsv(csv.rows()))}>
          CSV
        </button>
      )}
      <CopyButton text={() => curlOf({ ...request, headers: UNKNOWN_AS_NULL })} label="curl" />
    </fieldset>
  );
}

function LoadingCsvButton({ name, load }: LoadedCsv) {
  const write = useMutation({
    mutationFn: load,
    onSuccess({ rows, isWhole }) {
      download(isWhole ? `${name}.csv` : `${name}, first ${rows.length}.csv`, toCsv(rows));
    },
  });
  return (
    <>
      <button type="button" className="quiet" disabled={write.isPending} onClick={() => write.mutate()}>
        {write.isPending ? "CSV…" : "CSV"}
      </button>
      {write.isError ? (
        <span className="error" role="alert">
          {write.error.message}
        </span>
      ) : null}
    </>
  );
}

/** A record's counters over time, as far as they are loaded. */
export function historyAsData(
  client: QueryClient,
  record: Pick<HistoryInput, "platform" | "kind" | "id">,
): CopyAsProps {
  const rows = () =>
    (client.getQueryData(historyQuery(record).queryKey)?.points ?? []).map(({ counters, ...point }) => ({
      ...point,
      ...counters,
    }));
  return { request: { path: "/api/history", parameters: record }, csv: { name: `history of ${record.id}`, rows } };
}

/** Copies, and says so for a moment. */
export function CopyButton({ text, label }: { text: () => string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await copyText(text());
    setCopied(true);
  };
  return (
    <button type="button" className="quiet" onClick={() => void copy()}>
      <Icon name={isCopied ? "check" : "copy"} />
      {label}
      <output className="visually-hidden">{isCopied ? "Copied" : ""}</output>
    </button>
  );
}

/** Over plain HTTP on another host, browsers have no clipboard: a selected field does. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

export function urlOf({ path, parameters }: RequestLine): string {
  const query = queryOf(parameters).toString();
  return query === "" ? path : `${path}?${query}`;
}

function queryOf(parameters: RequestLine["parameters"]): URLSearchParams {
  const pairs = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "");
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]));
}

/** The token stays a variable: the page does not know it. */
export function curlOf(request: RequestLine, origin = location.origin): string {
  const parts = ["curl", "-H", '"Authorization: Bearer $TOKEN"'];
  for (const [name, value] of Object.entries(request.headers ?? {})) parts.push("-H", quote(`${name}: ${value}`));
  if ((request.method ?? "GET") === "GET") return [...parts, quote(origin + urlOf(request))].join(" ");
  for (const [name, value] of queryOf(request.parameters)) parts.push("--data-urlencode", quote(`${name}=${value}`));
  return [...parts, quote(origin + request.path)].join(" ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
