/** Erasing a person: first what would go, then, if that is meant, for good. There is no undo, so it is asked in two steps. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { type AdminInput, type AdminOutput, adminRequest } from "../api/admin.ts";
import { NeedsScope } from "../layout/needs-scope.tsx";
import { Page } from "../layout/page.tsx";
import { takeFocus } from "../ui/focus.ts";
import { formatExact } from "../ui/format.ts";
import { platformLabel, PLATFORMS } from "../ui/platforms.ts";
import { Select } from "../ui/select.tsx";
import { Failed } from "../ui/states.tsx";

const route = getRouteApi("/data/erase");
type Target = Omit<AdminInput<"POST /admin/erasures">, "dryRun">;
type ErasureCounts = AdminOutput<"POST /admin/erasures">["counts"];

const KINDS = ["account", "post", "comment"] as const satisfies Target["kind"][];

const COUNTED: Record<string, [one: string, many: string]> = {
  account: ["account", "accounts"],
  post: ["post", "posts"],
  comment: ["comment, theirs or below their posts", "comments, theirs and those below their posts"],
  subtitles: ["subtitle track", "subtitle tracks"],
  follow: ["follow", "follows in both directions"],
  chart: ["chart entry", "chart entries"],
  sound: ["sound", "sounds"],
  history: ["point of counters", "points of counters"],
  mention: ["mention in what others published", "mentions in what others published"],
  file: ["file name in the import history", "file names in the import history"],
} satisfies Record<keyof ErasureCounts, [string, string]>;

export function Erase() {
  return (
    <Page title="Erase a person">
      <NeedsScope scope="admin">
        <EraseForm />
      </NeedsScope>
    </Page>
  );
}

function EraseForm() {
  const search = route.useSearch();
  const client = useQueryClient();
  const [target, setTarget] = useState<Target>({
    platform: search.platform ?? PLATFORMS[0],
    kind: KINDS.find((kind) => kind === search.kind) ?? "account",
    id: search.id ?? "",
  });
  const send = (dryRun: boolean) => adminRequest("POST /admin/erasures", { ...target, dryRun: `${dryRun}` });
  const preview = useMutation({ mutationFn: () => send(true) });
  const erase = useMutation({
    mutationFn: () => send(false),
    onSuccess() {
      preview.reset();
      // What was loaded before may name them.
      client.removeQueries({ predicate: ({ queryKey: [name] }) => name !== "session" });
    },
  });
  const set = (changes: Partial<Target>) => {
    setTarget((now) => ({ ...now, ...changes }));
    preview.reset();
    erase.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    erase.reset();
    preview.mutate();
  };
  return (
    <>
      <p className="muted lead">
        An account goes with everything it published, and out of what others published about it. Later imports skip it.
        See <Link to="/data">what is stored</Link>.
      </p>
      <form onSubmit={submit} className="toolbar">
        <Select
          label="Platform"
          value={target.platform}
          options={PLATFORMS.map((platform) => [platform, platformLabel(platform)])}
          onChange={(platform) => set({ platform })}
        />
        <Select
          label="What"
          value={target.kind}
          options={KINDS.map((kind) => [kind, kind])}
          onChange={(kind) => set({ kind })}
        />
        <label>
          <span>{target.kind === "account" ? "Name, id or URL" : target.kind === "post" ? "Id or URL" : "Id"}</span>
          <input required dir="auto" value={target.id} onChange={(event) => set({ id: event.target.value })} />
        </label>
        <button type="submit" disabled={preview.isPending}>
          See what would go
        </button>
      </form>
      <div aria-live="polite">
        {preview.isError ? <Failed error={preview.error} /> : null}
        {erase.isError ? <Failed error={erase.error} /> : null}
        {preview.data === undefined ? null : (
          <section className="card erasure" aria-label="What would go" tabIndex={-1} ref={takeFocus}>
            <h2>
              Would go with <bdi>{preview.data.name ?? preview.data.id}</bdi>
            </h2>
            <Counts counts={preview.data.counts} />
            <button type="button" className="danger" disabled={erase.isPending} onClick={() => erase.mutate()}>
              Erase for good
            </button>
          </section>
        )}
        {erase.data === undefined ? null : (
          <section className="card erasure" aria-label="Erased" tabIndex={-1} ref={takeFocus}>
            <h2>Erased</h2>
            <Counts counts={erase.data.counts} />
            {erase.data.purged ? null : (
              <p>
                The last bytes are removed from the disk in the background, after any backup or export that is running.{" "}
                <code>triptych doctor</code> tells when they are gone.
              </p>
            )}
          </section>
        )}
      </div>
    </>
  );
}

function Counts({ counts }: { counts: ErasureCounts }) {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  if (some.length === 0) return <p>Nothing is stored about them.</p>;
  return (
    <ul className="plain">
      {some.map(([kind, count]) => (
        <li key={kind}>
          <strong>{formatExact(count)}</strong> {COUNTED[kind]?.[count === 1 ? 0 : 1] ?? kind}
        </li>
      ))}
    </ul>
  );
}
