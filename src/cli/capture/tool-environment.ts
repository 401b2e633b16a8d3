/** What a capture program needs to start, to find its own files and to reach the network; none of our settings and secrets. */
const PASSED_ON =
  /^(?:PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SystemRoot|APPDATA|LOCALAPPDATA|USERPROFILE|https?_proxy|no_proxy|all_proxy|SSL_CERT_\w+)$/i;

export type Environment = Readonly<Record<string, string | undefined>>;

export function toolEnvironment(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.test(name)));
}
