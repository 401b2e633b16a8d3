/** Every operation as a form made from openapi.json: send it, see the answer and its headers, take it along as code. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useId, useMemo, useState } from "react";
import { sessionFetch } from "../api/client.ts";
import { Page } from "../layout/page.tsx";
import { CopyButton, curlOf, urlOf } from "../ui/copy-as.tsx";
import { formatBytes } from "../ui/format.ts";
import { JsonView } from "../ui/json-view.tsx";
import { platformLabel } from "../ui/platforms.ts";
import { Empty, Failed, Loaded } from "../ui/states.tsx";
import { OWN_CURRENT } from "../ui/tabs.tsx";
import {
  listOperations,
  type OpenApi,
  type OperationForm,
  type Parameter,
  toPython,
  toTypeScript,
} from "./operation-forms.ts";

const route = getRouteApi("/playground");

export function Playground() {
  const query = useQuery({
    queryKey: ["openapi"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => listOperations((await (await fetch("/openapi.json", { signal })).json()) as OpenApi),
  });
  return (
    <Page title="API" actions={<a href="/docs/">Full reference</a>}>
      <Loaded query={query} rows={8}>
        {(operations) => <Operations operations={operations} />}
      </Loaded>
    </Page>
  );
}

function Operations({ operations }: { operations: OperationForm[] }) {
  const { operation: chosen = "" } = route.useSearch();
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const shown = operations.filter(({ name, summary }) => `${name} ${summary}`.toLowerCase().includes(wanted));
  const groups = [...Map.groupBy(shown, ({ group }) => group)];
  const current = operations.find(({ name }) => name === chosen) ?? operations.find(({ name }) => name === "search");
  return (
    <div className="with-facets">
      <nav className="operations" aria-label="Operations">
        <label>
          <span className="visually-hidden">Filter operations</span>
          <input
            type="search"
            placeholder="Filter operations"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        {groups.map(([group, members]) => (
          <section key={group}>
            <h2>{group === "cross-platform" ? "All platforms" : platformLabel(group)}</h2>
            <ul>
              {members.map(({ name, summary }) => (
                <li key={name}>
                  <Link
                    to="/playground"
                    search={{ operation: name }}
                    title={summary}
                    resetScroll={false}
                    activeOptions={OWN_CURRENT}
                    aria-current={name === current?.name ? "true" : undefined}
                  >
                    <span className="one-line">
                      {name.startsWith(`${group}/`) ? name.slice(group.length + 1) : name}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {shown.length === 0 ? <p className="muted">None has this in its name.</p> : null}
      </nav>
      {current === undefined ? (
        <Empty title="There are no operations" />
      ) : (
        <RequestForm key={current.name} operation={current} />
      )}
    </div>
  );
}

function RequestForm({ operation }: { operation: OperationForm }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [values, setValues] = useState<Record<string, string>>(() => {
    // An address may come from anyone: what is no parameter must not become part of a request or of code.
    const inAddress = operation.parameters.flatMap(({ name }) => {
      const value = search[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    return inAddress.length > 0 ? Object.fromEntries(inAddress) : operation.example;
  });
  const given = useMemo(() => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "")), [values]);
  const request = { method: operation.method, path: operation.path, parameters: given };
  const send = useMutation({ mutationFn: () => sendRequest(operation, given) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ search: { operation: operation.name, ...given }, replace: true, resetScroll: false });
    send.mutate();
  };
  return (
    <section aria-labelledby="operation" className="request">
      <h2 id="operation">{operation.summary}</h2>
      <p>
        <code className="route">
          <strong>{operation.method}</strong> {operation.path}
        </code>
      </p>
      <p className="muted">{operation.description}</p>
      <form onSubmit={submit}>
        <div className="fields">
          {operation.parameters.map((parameter) => (
            <Field
              key={parameter.name}
              parameter={parameter}
              value={values[parameter.name] ?? ""}
              onChange={(value) => setValues((now) => ({ ...now, [parameter.name]: value }))}
            />
          ))}
        </div>
        <div className="send-line">
          <button type="submit" className="primary" disabled={send.isPending}>
            {send.isPending ? "Sending…" : "Send"}
          </button>
          <CopyButton label="curl" text={() => curlOf(request)} />
          <CopyButton label="TypeScript" text={() => toTypeScript(operation, given, location.origin)} />
          <CopyButton label="Python" text={() => toPython(operation, given, location.origin)} />
        </div>
      </form>
      <div aria-live="polite">
        {send.isError ? <Failed error={send.error} /> : null}
        {send.data === undefined ? null : <Answer answer={send.data} />}
      </div>
    </section>
  );
}

interface FieldProps {
  parameter: Parameter;
  value: string;
  onChange: (value: string) => void;
}

function Field({ parameter: { name, description, isRequired, choices, fallback }, value, onChange }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        <code>{name}</code>
        {isRequired ? <small> required</small> : null}
      </label>
      {choices === null ? (
        <input
          id={id}
          value={value}
          required={isRequired}
          placeholder={fallback ?? ""}
          dir="auto"
          autoComplete="off"
          aria-describedby={`${id}-help`}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <select
          id={id}
          value={value}
          required={isRequired}
          aria-describedby={`${id}-help`}
          onChange={({ target }) => onChange(target.value)}
        >
          <option value="">{fallback === null ? "" : `${fallback} (default)`}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      )}
      <small id={`${id}-help`} className="muted">
        {description}
      </small>
    </div>
  );
}

interface Answered {
  status: number;
  ms: number;
  bytes: number;
  headers: [string, string][];
  body: unknown;
}

/** What a developer looks at first. */
const FIRST_HEADERS = [
  "cache-status",
  "cache-control",
  "etag",
  "last-modified",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "content-type",
];

async function sendRequest({ method, path }: OperationForm, given: Record<string, string>): Promise<Answered> {
  const began = performance.now();
  const isGet = method === "GET";
  const response = await sessionFetch(isGet ? urlOf({ path, parameters: given }) : path, {
    method,
    headers: { accept: "application/json" },
    // Time and headers are those of this request.
    cache: "no-store",
    ...(isGet ? {} : { body: new URLSearchParams(given) }),
  });
  const text = await response.text();
  const ms = performance.now() - began;
  const names = [...new Set([...FIRST_HEADERS, ...response.headers.keys()])];
  return {
    status: response.status,
    ms,
    bytes: new TextEncoder().encode(text).length,
    headers: names.flatMap((name): [string, string][] => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
    body: parse(text),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function Answer({ answer: { status, ms, bytes, headers, body } }: { answer: Answered }) {
  return (
    <>
      <p className="answer-line">
        <span className={`status ${status < 400 ? "good" : "bad"}`}>{status}</span>
        <span>{ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms</span>
        <span>{formatBytes(bytes)}</span>
        <CopyButton label="Copy body" text={() => JSON.stringify(body, null, 2)} />
      </p>
      <details className="headers">
        <summary>{headers.length} headers</summary>
        <dl>
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      <JsonView value={body} label="Response body" />
    </>
  );
}
