/** How long records are kept after their last capture, by source and kind. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { adminRequest, type Retention as RetentionState, type RetentionRule } from "../api/admin.ts";
import { keepFocus } from "../ui/focus.ts";
import { formatExact } from "../ui/format.ts";
import { Failed, Loaded } from "../ui/states.tsx";

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
];

export function Retention({ sources }: { sources: readonly string[] }) {
  const query = useQuery({ queryKey: KEY, queryFn: () => adminRequest<RetentionState>("GET", "retention") });
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
  return days === null ? "for ever" : `${formatExact(days)} days after the last capture`;
}

function Rule({ rule }: { rule: RetentionRule }) {
  const client = useQueryClient();
  const row = useRef<HTMLLIElement>(null);
  const parameters = new URLSearchParams({ source: rule.source, kind: rule.kind === "" ? "all" : rule.kind });
  const remove = useMutation({
    mutationFn: () => adminRequest<unknown>("DELETE", `retention?${parameters.toString()}`),
    onSuccess: () => keepFocus(row.current, client.invalidateQueries({ queryKey: KEY })),
  });
  return (
    <li ref={row}>
      {rule.kind === "" ? "Everything" : rule.kind}
      {rule.source === "" ? "" : " from "}
      <bdi>{rule.source}</bdi>: <strong>{daysText(rule.days)}</strong>{" "}
      <button type="button" className="quiet" disabled={remove.isPending} onClick={() => remove.mutate()}>
        Remove<span className="visually-hidden"> this rule</span>
      </button>
      {remove.isError ? <Failed error={remove.error} /> : null}
    </li>
  );
}

function RuleForm({ sources }: { sources: readonly string[] }) {
  const client = useQueryClient();
  const [rule, setRule] = useState({ source: "", kind: "all", days: "365" });
  const save = useMutation({
    mutationFn: () =>
      adminRequest<RetentionRule>("PUT", "retention", {
        ...(rule.source === "" ? {} : { source: rule.source }),
        kind: rule.kind,
        days: Number(rule.days),
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} className="toolbar">
      <label>
        <span>Keep</span>
        <select value={rule.kind} onChange={({ target }) => setRule((now) => ({ ...now, kind: target.value }))}>
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {kind === "all" ? "everything" : kind}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>From</span>
        <select value={rule.source} onChange={({ target }) => setRule((now) => ({ ...now, source: target.value }))}>
          <option value="">all sources</option>
          {sources.map((source) => (
            <option key={source}>{source}</option>
          ))}
        </select>
      </label>
      <label>
        <span>Days, 0 for ever</span>
        <input
          type="number"
          min={0}
          max={99_999}
          required
          value={rule.days}
          onChange={({ target }) => setRule((now) => ({ ...now, days: target.value }))}
        />
      </label>
      <button type="submit" disabled={save.isPending}>
        Set rule
      </button>
      {save.isError ? <Failed error={save.error} /> : null}
    </form>
  );
}
