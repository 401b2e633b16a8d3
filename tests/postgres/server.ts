/**
 * A real PostgreSQL for tests: on a free loopback port, in a temporary folder, also for root. It lives as long as the
 * process that started it: a shell beside it waits on a pipe that the system closes with the process, however it ends,
 * and then stops the server and removes the folder.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBinaries } from "./binaries.ts";

export const USER = "triptych";
export const PASSWORD = "loopback only";

/** PostgreSQL refuses to run as root; every Unix has this user. */
const NOBODY = 65534;
const AS_NOBODY = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** For tests that do not pull the plug: nothing is lost but what a power cut would take. */
const FAST = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" };
const MODEST = { shared_buffers: "32MB", max_connections: "80", autovacuum: "off", lc_messages: "C" };

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

export interface ServerOptions {
  /** Beside those for tests. */
  settings?: Record<string, string>;
  /** A folder of `initFolder` to begin with: copying it before its first start makes replicas. */
  data?: string;
  /** Follows this one; both begin with the same folder. */
  replicaOf?: Server;
}

/** A folder of its own that the server's user may use. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "triptych-postgres-"));
  if (AS_NOBODY.uid !== undefined) chownSync(folder, NOBODY, NOBODY);
  return folder;
}

/**
 * A new data folder. Its texts are sorted as English people do, so that a column which must be sorted by bytes and
 * does not say so is found out.
 */
export async function initFolder(): Promise<string> {
  const { initdb } = await findBinaries();
  const folder = makeFolder();
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, PASSWORD);
  if (AS_NOBODY.uid !== undefined) chownSync(passwordFile, NOBODY, NOBODY);
  const language = ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en"];
  // A password that costs nothing to prove: tests connect often.
  const access = [`--username=${USER}`, `--pwfile=${passwordFile}`, "--auth=scram-sha-256", "--set=scram_iterations=1"];
  execFileSync(initdb, [`--pgdata=${join(folder, "data")}`, "--no-sync", ...language, ...access], {
    ...AS_NOBODY,
    cwd: folder,
    stdio: "pipe",
  });
  return folder;
}

export async function startServer({ settings = {}, data, replicaOf }: ServerOptions = {}): Promise<Server> {
  const folder = data === undefined ? await initFolder() : copyOf(data);
  if (replicaOf !== undefined) writeFileSync(join(folder, "data", "standby.signal"), "");
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(folder, { ...FAST, ...MODEST, ...following(replicaOf), ...settings });
    } catch (error) {
      // Between finding a free port and taking it, another may take it.
      if (attempt === 3 || !String(error).includes("could not bind")) throw error;
    }
  }
}

function copyOf(data: string): string {
  const folder = makeFolder();
  cpSync(data, folder, { recursive: true, preserveTimestamps: true });
  // Copying keeps no modes of folders, and the server refuses one that others may read.
  chmodSync(join(folder, "data"), 0o700);
  if (AS_NOBODY.uid !== undefined) execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, folder]);
  return folder;
}

function following(primary: Server | undefined): Record<string, string> {
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
signal() {
  kill "-$1" "$server"
  kill "-$1" $(ps -A -o pid= -o ppid= | awk -v parent="$server" '$2 == parent { print $1 }')
} 2>/dev/null
halt() {
  signal CONT
  kill -INT "$server" 2>/dev/null
  wait "$server"
}
serve "$@"
while read -r word; do
  case "$word" in
    resume) serve "$@" ;;
    halt) halt ;;
    freeze) signal STOP ;;
    thaw) signal CONT ;;
  esac
  echo done
done
halt
cd / && rm -rf "$FOLDER"`;

async function start(folder: string, settings: Record<string, string>): Promise<Server> {
  const { postgres } = await findBinaries();
  const port = await freePort();
  const all = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "", ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const shell = spawn("sh", ["-c", WATCH, postgres, "-D", join(folder, "data"), ...flags], {
    ...AS_NOBODY,
    cwd: folder,
    env: { ...process.env, FOLDER: folder },
    stdio: ["pipe", "pipe", "pipe"],
    // A group of its own: an interrupt from the keyboard reaches the test, and the test's end reaches the server.
    detached: true,
  });
  const pid = await ready(shell.stdout as Socket, shell.stderr as Socket).catch((error: unknown) => {
    // The folder is used again.
    shell.kill("SIGKILL");
    throw error;
  });
  // Neither the shell nor its pipes keep the test process alive.
  shell.unref();
  for (const pipe of [shell.stdin, shell.stdout, shell.stderr]) (pipe as Socket).unref();
  const tell = async (word: string): Promise<void> => {
    const done = seen(shell.stdout as Socket, /^done$/m);
    shell.stdin.write(`${word}\n`);
    await done;
  };
  const server: Server = {
    port,
    pid,
    folder,
    url: (database) => `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`,
    halt: () => tell("halt"),
    async resume() {
      const [pidOfNext] = await Promise.all([ready(shell.stdout as Socket, shell.stderr as Socket), tell("resume")]);
      server.pid = pidOfNext;
    },
    freeze: () => tell("freeze"),
    thaw: () => tell("thaw"),
    async stop() {
      shell.ref();
      shell.stdin.end();
      if (shell.exitCode === null) await once(shell, "exit");
    },
  };
  return server;
}

/** The server's process id, once it takes connections; what it said when it ends before. */
async function ready(output: Socket, errors: Socket): Promise<number> {
  const [pid, state] = await Promise.all([
    seen(output, /pid (\d+)\n/),
    // Refusing those who connect too early, and not finding the primary, ends nothing.
    seen(errors, /ready to accept|(FATAL: (?!.*(?:starting up|not yet accepting|primary)).*\n)/),
  ]);
  if (state[1] !== undefined) throw new Error(`PostgreSQL ended: ${state.input}`);
  return Number(pid[1]);
}

/** What matches in what is said from now on. */
function seen(pipe: Socket, pattern: RegExp): Promise<RegExpExecArray> {
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
