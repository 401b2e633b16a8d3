/** Instead of a page that the token of the session may not see. */
import { type ReactNode } from "react";
import { useCan } from "../api/session.ts";
import { PROGRAM } from "../ui/program.ts";
import { Empty } from "../ui/states.tsx";

export function NeedsScope({ scope, children }: { scope: string; children: ReactNode }) {
  if (useCan(scope)) return children;
  return (
    <Empty icon="key" title={`This needs a token with the scope ${scope}`}>
      <p>Make one and sign in with it:</p>
      <pre>
        <code>{`${PROGRAM} token create --label ${scope} --scopes read:shortvideo,read:longvideo,read:photoshare,export,ingest,admin`}</code>
      </pre>
    </Empty>
  );
}
