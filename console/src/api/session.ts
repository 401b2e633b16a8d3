/** Who is signed in. The token itself is never kept in the page: the service keeps the session in a cookie. */
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type AdminOutput, adminRequest } from "./admin.ts";
import { TriptychError } from "./client.ts";

type Session = AdminOutput<"GET /admin/session">;

export const SESSION_KEY = ["session"];

/** Whether someone has signed in here and not out: without it, asking for the session would only be refused. */
const HINT = "triptych.signed-in";

export const hasSignedIn = (): boolean => localStorage.getItem(HINT) !== null;

function rememberSession(isSignedIn: boolean): void {
  if (isSignedIn) localStorage.setItem(HINT, "yes");
  else localStorage.removeItem(HINT);
}

const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  staleTime: Number.POSITIVE_INFINITY,
  async queryFn(): Promise<Session | null> {
    if (!hasSignedIn()) return null;
    try {
      return await adminRequest("GET /admin/session");
    } catch (error) {
      if (!(error instanceof TriptychError) || error.status !== 401) throw error;
      return null;
    }
  },
});

/** What one token was shown is not for the next. */
function changeSession(client: QueryClient, session: Session | null): void {
  rememberSession(session !== null);
  client.setQueryData(SESSION_KEY, session);
  client.removeQueries({ predicate: ({ queryKey: [name] }) => name !== SESSION_KEY[0] });
}

export const useSession = () => useQuery(sessionQuery);

export function useCan(scope: string): boolean {
  const { data } = useSession();
  return data?.scopes.includes(scope) === true;
}

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => adminRequest("POST /admin/session", { token: token.trim() }),
    onSuccess(session) {
      changeSession(client, session);
    },
  });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ everywhere }: { everywhere: boolean }) =>
      adminRequest("DELETE /admin/session", everywhere ? { everywhere: "true" } : {}),
    onSuccess() {
      changeSession(client, null);
    },
  });
}
