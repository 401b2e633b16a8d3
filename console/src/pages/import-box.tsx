/** Files are dropped or chosen here; what becomes of them is told while it happens. */
import { useIsMutating, useMutation, useQueries, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type DragEvent as ReactDragEvent, useEffect, useId, useState } from "react";
import { adminRequest, isUnderWay, type Job } from "../api/admin.ts";
import { useCan } from "../api/session.ts";
import { bytesOf, type ChosenFile, chosenFiles, droppedFiles, uploadFiles } from "../api/uploads.ts";
import { formatBytes, formatExact, formatNumberOf } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Failed } from "../ui/states.tsx";

const WATCH_MS = 500;
const UPLOAD = { mutationKey: ["upload"] };

/** A browser opens a file that misses the box, instead of the console. */
function ignoreMissed(event: DragEvent): void {
  if (event.defaultPrevented || event.dataTransfer?.types.includes("Files") !== true) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "none";
}

export function ImportBox() {
  const [isOver, setOver] = useState(false);
  const [sent, setSent] = useState<{ files: number; bytes: number; share: number } | null>(null);
  const client = useQueryClient();
  const [files, folders] = [useId(), useId()];
  /** One at a time: what became of another would hide what became of this one. */
  const isBusy = useIsMutating(UPLOAD) > 0;
  const upload = useMutation({
    ...UPLOAD,
    mutationFn: async (choice: ChosenFile[] | Promise<ChosenFile[]>) => {
      const chosen = await choice;
      const bytes = bytesOf(chosen);
      return uploadFiles(chosen, (share) => setSent({ files: chosen.length, bytes, share }));
    },
    onSettled() {
      setSent(null);
      void client.invalidateQueries({ queryKey: ["jobs"] });
    },
  });
  const take = (input: HTMLInputElement) => {
    if (input.files !== null && input.files.length > 0) upload.mutate(chosenFiles(input.files));
    // Otherwise to choose the same file again would be no change.
    input.value = "";
  };
  useEffect(() => {
    window.addEventListener("dragover", ignoreMissed);
    window.addEventListener("drop", ignoreMissed);
    return () => {
      window.removeEventListener("dragover", ignoreMissed);
      window.removeEventListener("drop", ignoreMissed);
    };
  }, []);
  const onDrop = (event: ReactDragEvent) => {
    event.preventDefault();
    setOver(false);
    if (client.isMutating(UPLOAD) === 0) upload.mutate(droppedFiles(event.dataTransfer));
  };
  return (
    <section aria-label="Import">
      <div
        className={isBusy ? "drop busy" : isOver ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          if (isBusy) event.dataTransfer.dropEffect = "none";
          setOver(!isBusy);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <Icon name="upload" />
        <p>
          <strong>Drop files or folders to import</strong>
        </p>
        <p className="muted">
          Captures, exports and downloads of all three platforms: JSON, NDJSON, CSV, HAR, HTML, subtitles, and archives
          of them. See <a href="/docs/guides/importing">what can be read</a>.
        </p>
        <div className="actions">
          <label className="button" htmlFor={files}>
            Choose files
          </label>
          <input
            id={files}
            type="file"
            multiple
            disabled={isBusy}
            className="visually-hidden"
            onChange={({ target }) => take(target)}
          />
          <label className="button" htmlFor={folders}>
            Choose a folder
          </label>
          <input
            id={folders}
            type="file"
            multiple
            disabled={isBusy}
            className="visually-hidden"
            // Not an attribute that React types know.
            {...{ webkitdirectory: "" }}
            onChange={({ target }) => take(target)}
          />
        </div>
      </div>
      <div aria-live="polite">
        {sent === null ? null : (
          <div className="progress-line">
            <progress value={sent.share} aria-label="Upload" />
            <span>
              Uploading {formatNumberOf(sent.files, "file")}, {formatBytes(sent.bytes)}
            </span>
          </div>
        )}
        {upload.isError ? <Failed error={upload.error} title="The files cannot be read" /> : null}
        {upload.data?.rest == null ? null : <Unsent {...upload.data.rest} />}
        {upload.data === undefined ? null : <ImportProgress jobs={upload.data.uploads.map(({ job }) => job)} />}
      </div>
    </section>
  );
}

function Unsent({ files, error }: { files: number; error: unknown }) {
  return (
    <>
      <Failed error={error} />
      <p>{formatNumberOf(files, "file was", "files were")} not sent.</p>
    </>
  );
}

/** What became of each import, from the moment it was taken. */
export function ImportProgress({ jobs }: { jobs: string[] }) {
  const client = useQueryClient();
  const isAdmin = useCan("admin");
  const queries = useQueries({
    queries: jobs.map((id) => ({
      queryKey: ["job", id],
      enabled: isAdmin,
      staleTime: 0,
      queryFn: () => adminRequest("GET /admin/jobs/{id}", { id }),
      refetchInterval: ({ state: { data } }: { state: { data?: Job | undefined } }) =>
        data === undefined || isUnderWay(data.job) ? WATCH_MS : (false as const),
    })),
  });
  const isDone = queries.every(({ data }) => data !== undefined && !isUnderWay(data.job));
  useEffect(() => {
    // What was asked before the import is old now.
    if (isDone)
      void client.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== "job" && name !== "session" });
  }, [isDone, client]);
  if (!isAdmin) return <p>The upload is being imported. A token with the scope admin can watch it.</p>;
  return (
    <ul className="imports">
      {queries.map(({ data, error }, index) => {
        const id = jobs[index] ?? "";
        if (error !== null) return <Failed key={id} error={error} />;
        if (data === undefined) return <li key={id}>Waiting…</li>;
        const { job } = data;
        const { records, documents } = job;
        const hasEnded = !isUnderWay(job);
        return (
          <li key={id} className="card import-card">
            <p>
              {hasEnded ? <Icon name="check" /> : <Icon name="clock" />}{" "}
              <Link to="/data/imports/$id" params={{ id }} dir="auto" className="clamp-2">
                {job.label}
              </Link>
            </p>
            {hasEnded ? null : <progress aria-label="Import" />}
            <p className="muted">
              {hasEnded ? "Imported" : "Importing"}: {formatNumberOf(documents, "document")}, {formatExact(records.new)}{" "}
              new, {formatExact(records.updated)} updated, {formatExact(records.unchanged)} unchanged
              {job.refused > 0 ? `, ${formatExact(job.refused)} refused` : ""}
            </p>
          </li>
        );
      })}
    </ul>
  );
}
