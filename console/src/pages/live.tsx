/** Live sources: what they are asked for again and again, and what is used of their quota. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { type AdminOutput, adminRequest } from "../api/admin.ts";
import { NeedsScope } from "../layout/needs-scope.tsx";
import { Page } from "../layout/page.tsx";
import { keepFocus } from "../ui/focus.ts";
import { formatExact, formatNumberOf } from "../ui/format.ts";
import { platformLabel } from "../ui/platforms.ts";
import { Select } from "../ui/select.tsx";
import { Failed, Loaded } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";
import { Age, PlatformTag, Unknown } from "../ui/values.tsx";

type WatchList = AdminOutput<"GET /admin/watches">;
type Watch = WatchList["watches"][number];
type LiveSource = AdminOutput<"GET /admin/sources">["sources"][number];

const WATCHES = ["watches"];
const REFRESH_MS = 5_000;

export function Live() {
  return (
    <Page title="Live sources">
      <NeedsScope scope="admin">
        <Watches />
        <Sources />
      </NeedsScope>
    </Page>
  );
}

function Watches() {
  const query = useQuery({
    queryKey: WATCHES,
    refetchInterval: REFRESH_MS,
    queryFn: () => adminRequest("GET /admin/watches"),
  });
  return (
    <section aria-labelledby="watches" tabIndex={-1}>
      <h2 id="watches">Watches</h2>
      <p className="muted">What is requested again and again, so that its history and trends grow by themselves.</p>
      <Loaded query={query} rows={2}>
        {({ watches, kinds, running }) => (
          <>
            {running ? null : <p>No live source is on: watches wait until the setting LIVE_SOURCES turns one on.</p>}
            {watches.length === 0 ? (
              <p className="muted">None yet.</p>
            ) : (
              <WatchTable watches={watches} now={query.dataUpdatedAt} />
            )}
            <WatchForm kinds={kinds} />
          </>
        )}
      </Loaded>
    </section>
  );
}

/** `now`: when the service told these. */
function WatchTable({ watches, now }: { watches: Watch[]; now: number }) {
  return (
    <Table
      label="Watches"
      columns={["What", "Platform", "Every", "Next", "Last", "Result", { number: "Requests" }, { hidden: "Change" }]}
    >
      {watches.map((watch) => (
        <WatchRow key={watch.id} watch={watch} now={now} />
      ))}
    </Table>
  );
}

function WatchRow({ watch, now }: { watch: Watch; now: number }) {
  const { id, platform, kind, target, every, state, nextAt, lastAt, lastOutcome, requests } = watch;
  const client = useQueryClient();
  const row = useRef<HTMLTableRowElement>(null);
  const change = useMutation({
    mutationFn: (how: "pause" | "resume" | "remove"): Promise<unknown> =>
      how === "remove"
        ? adminRequest("DELETE /admin/watches/{id}", { id })
        : adminRequest(`POST /admin/watches/{id}/${how}`, { id }),
    onSettled: (_answer, error, how) => {
      const reload = client.invalidateQueries({ queryKey: WATCHES });
      return error === null && how === "remove" ? keepFocus(row.current, reload) : reload;
    },
  });
  const toggle = state === "paused" ? "resume" : "pause";
  return (
    <tr ref={row}>
      <th scope="row">
        {kind} <bdi>{target}</bdi>
      </th>
      <td title={platformLabel(platform)}>
        <PlatformTag platform={platform} />
      </td>
      <td>{every}</td>
      <td>{nextAt === null ? "paused" : Date.parse(nextAt) <= now ? "due" : <Age when={nextAt} />}</td>
      <td>{lastAt === null ? <Unknown /> : <Age when={lastAt} />}</td>
      <td dir="auto">{lastOutcome ?? <Unknown />}</td>
      <td className="number">{formatExact(requests)}</td>
      <td>
        <div className="actions">
          <button
            type="button"
            className="quiet"
            disabled={change.isPending}
            aria-label={`${toggle === "pause" ? "Pause" : "Resume"} ${target}`}
            onClick={() => change.mutate(toggle)}
          >
            {toggle === "pause" ? "Pause" : "Resume"}
          </button>
          <button
            type="button"
            className="quiet"
            disabled={change.isPending}
            aria-label={`Remove ${target}`}
            onClick={() => change.mutate("remove")}
          >
            Remove
          </button>
        </div>
        {change.isError ? <Failed error={change.error} /> : null}
      </td>
    </tr>
  );
}

function WatchForm({ kinds }: { kinds: WatchList["kinds"] }) {
  const client = useQueryClient();
  const [what, setWhat] = useState("0");
  const [target, setTarget] = useState("");
  const [every, setEvery] = useState("6h");
  const chosen = kinds[Number(what)];
  const add = useMutation({
    mutationFn: ({ platform, kind }: WatchList["kinds"][number]) =>
      adminRequest("POST /admin/watches", { platform, kind, target, every }),
    onSuccess() {
      setTarget("");
      return client.invalidateQueries({ queryKey: WATCHES });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen !== undefined) add.mutate(chosen);
  };
  return (
    <form onSubmit={submit} className="toolbar">
      <Select
        label="Watch"
        value={what}
        options={kinds.map(({ platform, kind }, index) => [String(index), `${platformLabel(platform)}: ${kind}`])}
        onChange={setWhat}
      />
      <label>
        <span>Which</span>
        <input
          required
          maxLength={200}
          value={target}
          placeholder={chosen?.target}
          onChange={({ target: { value } }) => setTarget(value)}
        />
      </label>
      <label>
        <span>Every, such as 30m, 6h or 1d</span>
        <input required size={6} value={every} onChange={({ target: { value } }) => setEvery(value)} />
      </label>
      <button type="submit" disabled={add.isPending}>
        Add watch
      </button>
      {add.isError ? <Failed error={add.error} /> : null}
    </form>
  );
}

function Sources() {
  const query = useQuery({
    queryKey: ["live-sources"],
    refetchInterval: REFRESH_MS,
    queryFn: () => adminRequest("GET /admin/sources"),
  });
  return (
    <section aria-labelledby="live-sources">
      <h2 id="live-sources">Quota of sources</h2>
      <Loaded query={query} rows={3}>
        {({ sources }) => (
          <Table label="Quota of sources" columns={["Source", "State", "Used", "Left", "Resets", "Data kept"]}>
            {sources.map((source) => (
              <SourceRow key={source.name} source={source} />
            ))}
          </Table>
        )}
      </Loaded>
    </section>
  );
}

function SourceRow({ source: { title, name, state, missing, budgets, pause, retentionDays } }: { source: LiveSource }) {
  const lines = (write: (budget: LiveSource["budgets"][number]) => ReactNode) =>
    budgets.length === 0 ? <Unknown /> : budgets.map((budget) => <div key={budget.name}>{write(budget)}</div>);
  return (
    <tr>
      <th scope="row" title={name}>
        {title}
      </th>
      <td>
        {state === "incomplete" ? `needs ${missing.join(" and ")}` : state}
        {pause === null ? null : `, ${pause.state}: it ${pause.reason}`}
      </td>
      <td>{lines(({ used, limit, title: unit }) => `${formatExact(used)} of ${formatExact(limit)} ${unit}`)}</td>
      <td>{lines(({ left }) => formatExact(left))}</td>
      <td>{lines(({ resetsAt }) => (resetsAt === null ? <Unknown /> : <Age when={resetsAt} />))}</td>
      <td>{retentionDays === null ? "as you set it" : formatNumberOf(retentionDays, "day")}</td>
    </tr>
  );
}
