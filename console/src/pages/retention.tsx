/** How long records are kept after their last capture, by source and kind. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { type AdminInput, type AdminOutput, adminRequest } from "../api/admin.ts";
import { keepFocus, takeFocus } from "../ui/focus.ts";
import { formatExact, formatNumberOf } from "../ui/format.ts";
import { Select } from "../ui/select.tsx";
import { Failed, Loaded } from "../ui/states.tsx";

type RetentionRule = AdminOutput<"GET /admin/retention">["rules"][number];
type Due = AdminOutput<"PUT /admin/retention">["due"];
type Kind = NonNullable<AdminInput<"PUT /admin/retention">["kind"]>;

const KEY = ["retention"];
const KINDS = [
  "all",
  "account",
  "post",
  "comment",
  "sound",
  "hashtag",
  "place",
  "subtitles",
  "follow",
  "chart",
  "history",
] as const satisfies Kind[];

export function Retention({ sources }: { sources: readonly string[] }) {
  const query = useQuery({ queryKey: KEY, queryFn: () => adminRequest("GET /admin/retention") });
  return (
    <section aria-labelledby="retention" tabIndex={-1}>
      <h2 id="retention">How long it is kept</h2>
      <Loaded query={query} rows={2}>
        {({ rules, defaultDays, duties }) => (
          <>
            <ul className="plain">
              {rules.map((rule) => (
                <Rule key={`${rule.source}/${rule.kind}`} rule={rule} />
              ))}
              {duties.map(({ source, days }) => (
                <li key={source}>
                  <bdi>{source}</bdi>: at most {daysText(days)}, as its terms demand
                </li>
              ))}
              {rules.some(({ source, kind }) => source === "" && kind === "") ? null : (
                <li>
                  Everything else: <strong>{daysText(defaultDays)}</strong>
                </li>
              )}
            </ul>
            <RuleForm sources={sources} />
          </>
        )}
      </Loaded>
    </section>
  );
}

function daysText(days: number | null): string {
  return days === null ? "for ever" : `${formatNumberOf(days, "day")} after the last capture`;
}

function Rule({ rule }: { rule: RetentionRule }) {
  const client = useQueryClient();
  const row = useRef<HTMLLIElement>(null);
  const send = (dryRun: boolean) => {
    const { source, kind } = rule;
    return adminRequest("DELETE /admin/retention", {
      source,
      kind: kind === "" ? "all" : kind,
      dryRun: `${dryRun}`,
    });
  };
  const remove = useMutation({
    mutationFn: () => send(false),
    onSuccess: () => keepFocus(row.current, client.invalidateQueries({ queryKey: KEY })),
  });
  /** Without a rule that keeps records longer, those are due. */
  const preview = useMutation({
    mutationFn: () => send(true),
    onSuccess({ due }) {
      if (due?.length === 0) remove.mutate();
    },
  });
  const due = preview.data?.due ?? [];
  return (
    <li ref={row}>
      {rule.kind === "" ? "Everything" : rule.kind}
      {rule.source === "" ? "" : " from "}
      <bdi>{rule.source}</bdi>: <strong>{daysText(rule.days)}</strong>{" "}
      <button
        type="button"
        className="quiet"
        disabled={preview.isPending || remove.isPending}
        onClick={() => preview.mutate()}
      >
        Remove<span className="visually-hidden"> this rule</span>
      </button>
      {due.length === 0 ? null : (
        <WouldGo due={due}>
          <button type="button" className="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            Remove the rule, and delete them
          </button>
        </WouldGo>
      )}
      {preview.isError ? <Failed error={preview.error} /> : null}
      {remove.isError ? <Failed error={remove.error} /> : null}
    </li>
  );
}

function WouldGo({ due, children }: { due: NonNullable<Due>; children: ReactNode }) {
  return (
    <section className="card erasure" aria-label="What would go" tabIndex={-1} ref={takeFocus}>
      {due.length === 0 ? (
        <p>Nothing that is stored now would be deleted.</p>
      ) : (
        <>
          <h3>Would be deleted within the hour, for good</h3>
          <ul className="plain">
            {due.map(({ kind, count }) => (
              <li key={kind}>
                <strong>{formatExact(count)}</strong> × {kind}
              </li>
            ))}
          </ul>
        </>
      )}
      {children}
    </section>
  );
}

function RuleForm({ sources }: { sources: readonly string[] }) {
  const client = useQueryClient();
  const [rule, setRule] = useState<{ source: string; kind: Kind; days: string }>({ source: "", kind: "all", days: "" });
  const send = (dryRun: boolean) =>
    adminRequest("PUT /admin/retention", {
      ...(rule.source === "" ? {} : { source: rule.source }),
      kind: rule.kind,
      days: Number(rule.days),
      dryRun: `${dryRun}`,
    });
  const preview = useMutation({ mutationFn: () => send(true) });
  const form = useRef<HTMLFormElement>(null);
  const save = useMutation({
    mutationFn: () => send(false),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: KEY });
      // With the preview its button goes, which may still have the focus.
      await keepFocus(form.current?.closest("section") ?? null, Promise.resolve(preview.reset()));
    },
  });
  const set = (changes: Partial<typeof rule>) => {
    setRule((now) => ({ ...now, ...changes }));
    preview.reset();
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    preview.mutate();
  };
  const due = preview.data?.due ?? null;
  return (
    <>
      <p className="muted">
        A rule deletes what was last captured longer ago, within the hour and for good. You see first what would go.
      </p>
      <form ref={form} onSubmit={submit} className="toolbar">
        <Select
          label="Keep"
          value={rule.kind}
          options={KINDS.map((kind) => [kind, kind === "all" ? "everything" : kind])}
          onChange={(kind) => set({ kind })}
        />
        <Select
          label="From"
          value={rule.source}
          options={[["", "all sources"], ...sources.map((source) => [source, source] as const)]}
          onChange={(source) => set({ source })}
        />
        <label>
          <span>Days, 0 for ever</span>
          <input
            type="number"
            min={0}
            max={99_999}
            required
            value={rule.days}
            onChange={({ target }) => set({ days: target.value })}
          />
        </label>
        <button type="submit" disabled={preview.isPending}>
          See what would go
        </button>
      </form>
      <div aria-live="polite">
        {preview.isError ? <Failed error={preview.error} /> : null}
        {due === null ? null : (
          <WouldGo due={due}>
            <button
              type="button"
              className={due.length === 0 ? undefined : "danger"}
              disabled={save.isPending}
              onClick={() => save.mutate()}
            >
              {due.length === 0 ? "Set the rule" : "Set the rule, and delete them"}
            </button>
          </WouldGo>
        )}
        {save.isError ? <Failed error={save.error} /> : null}
      </div>
    </>
  );
}
