/** The token is sent once, to open a session; the page forgets it. */
import { type FormEvent, useEffect, useId, useState } from "react";
import { hasSignedIn, useSignIn } from "../api/session.ts";
import { PROGRAM } from "../ui/program.ts";
import { Brand } from "../ui/icons.tsx";

export function SignIn() {
  const [token, setToken] = useState("");
  const signIn = useSignIn();
  const field = useId();
  useEffect(() => {
    document.title = "Sign in · Triptych";
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate(token, { onSettled: () => setToken("") });
  };
  return (
    <main className="alone sign-in">
      <form onSubmit={submit}>
        <h1>
          <Brand />
          Triptych
        </h1>
        {hasSignedIn() ? <output>Your session has ended. Sign in again.</output> : null}
        <label htmlFor={field}>Access token</label>
        <input
          id={field}
          type="password"
          autoComplete="current-password"
          required
          value={token}
          aria-describedby={`${field}-help`}
          aria-invalid={signIn.isError}
          onChange={({ target }) => setToken(target.value)}
        />
        {signIn.isError ? (
          <p className="error" role="alert">
            {signIn.error.message}
          </p>
        ) : null}
        <button type="submit" className="primary" disabled={signIn.isPending}>
          {signIn.isPending ? "Signing in…" : "Sign in"}
        </button>
        <div id={`${field}-help`} className="help">
          <p>
            The first <code>npm start</code> printed a token. To make another:
          </p>
          <pre>
            <code>{PROGRAM} token create --label me</code>
          </pre>
        </div>
      </form>
      <p>
        <a href="/docs/">API reference</a>
      </p>
    </main>
  );
}
