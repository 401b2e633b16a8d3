/**
 * A real PostgreSQL for tests: on a free loopback port, in a temporary folder, also for root. It lives as long as the
 * process that started it: a shell beside it waits on a pipe that the system closes with the process, however it ends,
 * and then stops the server and removes the folder.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { listProcesses, signal } from "#testing/processes.ts";
import { findBinaries, SERVER_USER, serverTemporaryFolder } from "./binaries.ts";
import { RUN_SERVER } from "./run-server.ts";

export const USER = "triptych";
export const PASSWORD = "loopback only";

/** For tests that do not pull the plug: nothing is lost but what a power cut would take. */
const FAST = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" };
const SMALL = { shared_buffers: "32MB", max_connections: "80", autovacuum: "off", lc_messages: "C" };

export interface Server {
  port: number;
  pid: number;
  folder: string;
  url: (database: string) => string;
  /** Ends it as an operator would; its folder and port stay. */
  halt: () => Promise<void>;
  resume: () => Promise<void>;
  /** Stands still with all its processes: connections stay open and nothing answers. */
  freeze: () => Promise<void>;
  thaw: () => Promise<void>;
  /** For good. */
  stop: () => Promise<void>;
}

export function urlOf(port: number, database: string): string {
  return `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;
}

export interface ServerOptions {
  /** Beside those for tests. */
  settings?: Record<string, string>;
  /** A folder of `initFolder` to begin with: copying it before its first start makes replicas. */
  data?: string;
  /** Follows this one; both begin with the same folder. */
  replicaOf?: Server;
}

/** A folder of its own that the server's user may use. */
function createFolder(): string {
  const folder = mkdtempSync(join(serverTemporaryFolder(), "triptych-postgres-"));
  giveToServer(folder);
  return folder;
}

function giveToServer(path: string): void {
  const { uid, gid } = SERVER_USER;
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/**
 * A new data folder. Its texts are sorted as English people do, so that a column which must be sorted by bytes and
 * does not say so is found out.
 */
export async function createDataFolder(): Promise<string> {
  const folder = createFolder();
  const { initdb } = await findBinaries(folder);
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, PASSWORD);
  giveToServer(passwordFile);
  const language = ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en"];
  // A password that costs nothing to prove: tests connect often.
  const access = [`--username=${USER}`, `--pwfile=${passwordFile}`, "--auth=scram-sha-256", "--set=scram_iterations=1"];
  execFileSync(initdb, [`--pgdata=${join(folder, "data")}`, "--no-sync", ...language, ...access], {
    ...SERVER_USER,
    cwd: folder,
    stdio: "pipe",
  });
  return folder;
}

export async function startServer({
  settings = {},
  data = RUN_SERVER?.data,
  replicaOf,
}: ServerOptions = {}): Promise<Server> {
  const folder = data === undefined ? await createDataFolder() : copyFolder(data);
  if (replicaOf !== undefined) writeFileSync(join(folder, "data", "standby.signal"), "");
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(folder, { ...FAST, ...SMALL, ...replicationSettings(replicaOf), ...settings });
    } catch (error) {
      // Between finding a free port and taking it, another may take it.
      if (attempt === 3 || !String(error).includes("could not bind")) throw error;
    }
  }
}

function copyFolder(data: string): string {
  const folder = createFolder();
  cpSync(data, folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  // Copying keeps no modes of folders, and the server refuses one that others may read.
  chmodSync(join(folder, "data"), 0o700);
  const { uid, gid } = SERVER_USER;
  if (uid !== undefined) execFileSync("chown", ["-R", `${uid}:${gid}`, folder]);
  return folder;
}

function replicationSettings(primary: Server | undefined): Record<string, string> {
  if (primary === undefined) return { wal_keep_size: "256MB" };
  return {
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${USER} password='${PASSWORD}'`,
    wal_retrieve_retry_interval: "100ms",
    // No fewer than the folder was made for.
    max_connections: "100",
  };
}

/** Does what each line says, and ends everything when there are no more lines. */
const WATCH = `serve() {
  "$0" "$@" &
  server=$!
  echo "pid $server"
}
end() {
  kill "-$1" "$server" 2>/dev/null
  wait "$server"
}
serve "$@"
while read -r word; do
  case "$word" in
    resume) serve "$@" ;;
    halt) end INT ;;
  esac
  echo done
done
kill -CONT "$server" 2>/dev/null
end QUIT
cd / && rm -rf "$FOLDER"`;

async function start(folder: string, settings: Record<string, string>): Promise<Server> {
  const { postgres } = await findBinaries(folder);
  const port = await freePort();
  const all = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "", ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const shell = spawn("sh", ["-c", WATCH, postgres, "-D", join(folder, "data"), ...flags], {
    ...SERVER_USER,
    cwd: folder,
    env: { ...process.env, FOLDER: folder },
    stdio: ["pipe", "pipe", "pipe"],
    // A group of its own: an interrupt from the keyboard reaches the test, and the test's end reaches the server.
    detached: true,
  });
  const pid = await waitUntilReady(shell.stdout as Socket, shell.stderr as Socket).catch((error: unknown) => {
    // The folder is used again.
    shell.kill("SIGKILL");
    throw error;
  });
  // Neither the shell nor its pipes keep the test process alive.
  shell.unref();
  for (const pipe of [shell.stdin, shell.stdout, shell.stderr]) (pipe as Socket).unref();
  const tell = async (word: string): Promise<void> => {
    const done = waitForOutput(shell.stdout as Socket, /^done$/m);
    shell.stdin.write(`${word}\n`);
    await done;
  };
  const server: Server = {
    port,
    pid,
    folder,
    url: (database) => urlOf(port, database),
    async halt() {
      // Stopped processes do not notice that they are to end.
      signalAll(server.pid, "SIGCONT");
      await tell("halt");
    },
    async resume() {
      const [pidOfNext] = await Promise.all([
        waitUntilReady(shell.stdout as Socket, shell.stderr as Socket),
        tell("resume"),
      ]);
      server.pid = pidOfNext;
    },
    freeze: async () => signalAll(server.pid, "SIGSTOP"),
    thaw: async () => signalAll(server.pid, "SIGCONT"),
    async stop() {
      shell.ref();
      shell.stdin.end();
      if (shell.exitCode === null) await once(shell, "exit");
    },
  };
  return server;
}

/** The server and its processes for connections and upkeep. */
function signalAll(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  signal(pid, name);
  for (const child of listProcesses()) if (child.parent === pid) signal(child.pid, name);
}

/** The server's process id, once it takes connections; what it said when it ends before. */
async function waitUntilReady(output: Socket, errors: Socket): Promise<number> {
  const [pid, state] = await Promise.all([
    waitForOutput(output, /pid (\d+)\n/),
    // Refusing those who connect too early, and not finding the primary, ends nothing.
    waitForOutput(errors, /ready to accept|(FATAL: (?!.*(?:starting up|not yet accepting|primary)).*\n)/),
  ]);
  if (state[1] !== undefined) throw new Error(`PostgreSQL ended: ${state.input}`);
  return Number(pid[1]);
}

/** What matches in what is said from now on. */
function waitForOutput(pipe: Socket, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let said = "";
    const end = () => {
      pipe.off("data", hear).off("end", miss);
      // What nobody listens to must not stand in the pipe, nor keep the test process alive.
      pipe.resume().unref();
    };
    const miss = () => {
      end();
      reject(new Error(`PostgreSQL ended: ${said}`));
    };
    const hear = (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4000);
      const match = pattern.exec(said);
      if (match === null) return;
      end();
      resolve(match);
    };
    pipe.ref().on("data", hear).on("end", miss);
  });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
