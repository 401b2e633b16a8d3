/** Tokens: make, rotate and revoke them, what they were used for, and what went wrong. A new token is shown once. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, Suspense, useId, useRef, useState } from "react";
import { type AdminOutput, adminRequest } from "../api/admin.ts";
import { useSession, useSignOut } from "../api/session.ts";
import { NeedsScope } from "../layout/needs-scope.tsx";
import { Page } from "../layout/page.tsx";
import { CopyButton } from "../ui/copy-as.tsx";
import { keepFocus, takeFocus } from "../ui/focus.ts";
import { formatDay, formatExact } from "../ui/format.ts";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { Select } from "../ui/select.tsx";
import { Failed, Loaded, Loading } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";
import { Age } from "../ui/values.tsx";

/** Charts are loaded after the tokens. */
const Usage = lazyComponent(async () => (await import("./usage.tsx")).Usage);

type TokenList = AdminOutput<"GET /admin/tokens">;
type Token = TokenList["tokens"][number];
type IssuedToken = AdminOutput<"POST /admin/tokens">;

const TOKENS_KEY = ["tokens"];

export function Access() {
  return (
    <Page title="Access">
      <NeedsScope scope="admin">
        <Tokens />
        <Suspense fallback={<Loading rows={3} />}>
          <Usage />
        </Suspense>
        <RecentErrors />
      </NeedsScope>
      <Sessions />
    </Page>
  );
}

/** For every token: who has lost a device has no scope to revoke one. */
function Sessions() {
  const { data: session } = useSession();
  const signOut = useSignOut();
  if (session === null || session === undefined) return null;
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <p>
        Signed in with <strong dir="auto">{session.name}</strong>. Signing out everywhere ends all sessions of this
        token, in every browser; the token stays valid.
      </p>
      <button type="button" disabled={signOut.isPending} onClick={() => signOut.mutate({ everywhere: true })}>
        Sign out everywhere
      </button>
      {signOut.isError ? (
        <p className="error" role="alert">
          Still signed in: {signOut.error.message}
        </p>
      ) : null}
    </section>
  );
}

function Tokens() {
  const [issued, setIssued] = useState<IssuedToken[]>([]);
  const onIssued = (one: IssuedToken) => setIssued((now) => [one, ...now]);
  const query = useQuery({ queryKey: TOKENS_KEY, queryFn: () => adminRequest("GET /admin/tokens") });
  return (
    <Loaded query={query} rows={4}>
      {({ tokens, scopes }) => (
        <>
          {issued.map((one) => (
            <NewToken
              key={one.token}
              issued={one}
              close={() => setIssued((now) => now.filter(({ token }) => token !== one.token))}
            />
          ))}
          <CreateForm scopes={scopes} onIssued={onIssued} />
          <section aria-labelledby="tokens" tabIndex={-1}>
            <h2 id="tokens">Tokens</h2>
            <TokenTable tokens={tokens} onIssued={onIssued} />
          </section>
        </>
      )}
    </Loaded>
  );
}

function NewToken({ issued: { token, record }, close }: { issued: IssuedToken; close: () => void }) {
  return (
    <section className="card new-token" aria-label={`New token ${record.label}`} tabIndex={-1} ref={takeFocus}>
      <output>
        The token <strong dir="auto">{record.label}</strong>. It is shown only now: store it like a password.
      </output>
      <p className="send-line">
        <code>{token}</code>
        <CopyButton label="Copy" text={() => token} />
        <button type="button" className="quiet" onClick={close}>
          Done
        </button>
      </p>
    </section>
  );
}

interface IssueProps {
  onIssued: (issued: IssuedToken) => void;
}

type LimitName = keyof Token["limits"];

const LIMITS: { name: LimitName; label: string; unit: string }[] = [
  { name: "burst", label: "Units per 10 seconds", unit: "per 10 s" },
  { name: "daily", label: "Units per day", unit: "per day" },
  { name: "concurrency", label: "Requests at once", unit: "at once" },
];

const VALIDITIES = [
  ["7", "7 days"],
  ["90", "90 days"],
  ["365", "1 year"],
  ["0", "Ever"],
] as const;

function CreateForm({ scopes, onIssued }: IssueProps & Pick<TokenList, "scopes">) {
  const client = useQueryClient();
  const [label, setLabel] = useState("");
  const [days, setDays] = useState("90");
  const [chosen, setChosen] = useState<string[]>(() =>
    scopes.map(({ name }) => name).filter((name) => name.startsWith("read:") && name !== "read:personal"),
  );
  const [limits, setLimits] = useState<Partial<Record<LimitName, string>>>({});
  const id = useId();
  const create = useMutation({
    mutationFn: () => {
      const set = Object.entries(limits).filter(([, value]) => value !== "");
      return adminRequest("POST /admin/tokens", {
        label,
        scopes: chosen,
        expiresInDays: Number(days),
        ...Object.fromEntries(set.map(([name, value]) => [name, Number(value)])),
      });
    },
    onSuccess(issued) {
      setLabel("");
      setLimits({});
      onIssued(issued);
      return client.invalidateQueries({ queryKey: TOKENS_KEY });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit} className="card create-token">
      <h2>New token</h2>
      <div className="toolbar">
        <label>
          <span>What it is for</span>
          <input value={label} required maxLength={100} onChange={({ target }) => setLabel(target.value)} />
        </label>
        <Select label="Valid for" value={days} options={VALIDITIES} onChange={setDays} />
      </div>
      <fieldset>
        <legend>May</legend>
        {scopes.map(({ name, sentence }) => (
          <label key={name} className="scope" htmlFor={`${id}-${name}`}>
            <input
              id={`${id}-${name}`}
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={({ target }) =>
                setChosen((now) => (target.checked ? [...now, name] : now.filter((one) => one !== name)))
              }
            />
            <span>
              <code>{name}</code> <small className="muted">{sentence}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>Limits, where they differ from the service's own</legend>
        <div className="toolbar">
          {LIMITS.map(({ name, label: title }) => (
            <label key={name}>
              <span>{title}</span>
              <input
                type="number"
                min={1}
                max={1_000_000_000}
                placeholder="default"
                value={limits[name] ?? ""}
                onChange={({ target }) => setLimits((now) => ({ ...now, [name]: target.value }))}
              />
            </label>
          ))}
        </div>
      </fieldset>
      {create.isError ? <Failed error={create.error} /> : null}
      <button type="submit" className="primary" disabled={create.isPending || chosen.length === 0}>
        Create token
      </button>
    </form>
  );
}

function TokenTable({ tokens, onIssued }: IssueProps & { tokens: Token[] }) {
  return (
    <Table label="Tokens" columns={["Token", "May", "Limits", "State", "Created", "Expires", { hidden: "Actions" }]}>
      {tokens.toReversed().map((token) => (
        <TokenRow key={token.keyId} token={token} onIssued={onIssued} />
      ))}
    </Table>
  );
}

function TokenRow({ token, onIssued }: IssueProps & { token: Token }) {
  const client = useQueryClient();
  const row = useRef<HTMLTableRowElement>(null);
  const onSuccess = () => client.invalidateQueries({ queryKey: TOKENS_KEY });
  const rotate = useMutation({
    mutationFn: () => adminRequest("POST /admin/tokens/{id}/rotate", { id: token.keyId }),
    onSuccess(issued) {
      onIssued(issued);
      return onSuccess();
    },
  });
  const revoke = useMutation({
    mutationFn: () => adminRequest("DELETE /admin/tokens/{id}", { id: token.keyId }),
    onSuccess: () => keepFocus(row.current, onSuccess()),
  });
  /** There is no undo, so it is asked in two steps. Undefined until it was asked once. */
  const [isAsking, setAsking] = useState<boolean>();
  const isActive = token.state === "active";
  const isOwn = useSession().data?.keyId === token.keyId;
  const limits = LIMITS.flatMap(({ name, unit }) => {
    const value = token.limits[name];
    return value === null ? [] : [`${formatExact(value)} ${unit}`];
  });
  return (
    <tr ref={row}>
      <th scope="row">
        <span dir="auto">{token.label}</span>
        <br />
        <small className="muted">{token.keyId}</small>
        {isOwn ? (
          <>
            <br />
            <small>This session</small>
          </>
        ) : null}
      </th>
      <td>
        <small>{token.scopes.join(", ")}</small>
      </td>
      <td>{limits.length === 0 ? <span className="muted">default</span> : <small>{limits.join(", ")}</small>}</td>
      <td>{token.state}</td>
      <td>
        <Age when={token.createdAt} />
      </td>
      <td>{token.expiresAt === null ? "never" : formatDay(token.expiresAt)}</td>
      <td className="row-actions">
        {isActive ? (
          <button type="button" className="quiet" disabled={rotate.isPending} onClick={() => rotate.mutate()}>
            Rotate<span className="visually-hidden"> {token.label}</span>
          </button>
        ) : null}
        {!isActive && token.state !== "replaced" ? null : isAsking === true ? (
          <>
            <button
              type="button"
              className="danger"
              disabled={revoke.isPending}
              // The second click of a double click on the button that was here before is no answer.
              onClick={({ detail }) => detail < 2 && revoke.mutate()}
            >
              Revoke<span className="visually-hidden"> {token.label}</span> for good
              {isOwn ? " and sign out" : ""}
            </button>
            <button type="button" className="quiet" ref={takeFocus} onClick={() => setAsking(false)}>
              Keep<span className="visually-hidden"> {token.label}</span>
            </button>
          </>
        ) : (
          <button
            type="button"
            className="quiet danger"
            ref={isAsking === false ? takeFocus : undefined}
            onClick={() => setAsking(true)}
          >
            Revoke<span className="visually-hidden"> {token.label}</span>
            {isOwn ? " and sign out" : ""}
          </button>
        )}
        {rotate.isError || revoke.isError ? (
          <span className="error" role="alert">
            {(rotate.error ?? revoke.error)?.message}
          </span>
        ) : null}
      </td>
    </tr>
  );
}

function RecentErrors() {
  const query = useQuery({
    queryKey: ["errors"],
    staleTime: 5_000,
    queryFn: () => adminRequest("GET /admin/errors", { limit: 50 }),
  });
  return (
    <section aria-labelledby="errors">
      <h2 id="errors">Recent errors</h2>
      <Loaded query={query} rows={2}>
        {({ errors }) =>
          errors.length === 0 ? (
            <p className="muted">None since the service started.</p>
          ) : (
            <Table label="Recent errors" columns={["When", "Request", "Error"]}>
              {errors.map(({ at, requestId, method, path, status, code, detail }) => (
                <tr key={requestId}>
                  <td title={requestId}>
                    <Age when={at} />
                  </td>
                  <td>
                    <code>
                      {method} {path}
                    </code>
                  </td>
                  <th scope="row">
                    {status} <a href={`/docs/errors#${code}`}>{code}</a>
                    <br />
                    <small className="muted" dir="auto">
                      {detail}
                    </small>
                  </th>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </section>
  );
}
