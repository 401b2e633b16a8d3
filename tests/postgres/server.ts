/**
 * A real PostgreSQL for tests, on a free loopback port and in a temporary folder; works for root too. It stops with the
 * process that started it, however that ends: a shell waits on a pipe from it, then stops the server and removes the
 * folder.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, mkdtempSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { probePort } from "#serve/probe-port.ts";
import { listProcesses, signal } from "#testing/processes.ts";
import { findBinaries, SERVER_USER, serverTemporaryFolder } from "./binaries.ts";
import { RUN_SERVER } from "./run-server.ts";

export const USER = "triptych";
export const PASSWORD = "loopback only";

/** Durability only matters after a power failure, which no test simulates. */
const FAST = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" };
const SMALL = { shared_buffers: "32MB", max_connections: "80", autovacuum: "off", lc_messages: "C" };

export interface Server {
  port: number;
  pid: number;
  folder: string;
  url: (database: string) => string;
  /** Stops it as an operator would; `resume` starts it again. */
  halt: () => Promise<void>;
  resume: () => Promise<void>;
  /** Ends all its processes at once (SIGKILL), as a crash does; `resume` starts it again. */
  kill: () => Promise<void>;
  /** Stops all its processes (SIGSTOP): connections stay open and nothing responds. */
  freeze: () => Promise<void>;
  thaw: () => Promise<void>;
  /** Stops it and removes its folder. */
  stop: () => Promise<void>;
}

export function urlOf(port: number, database: string): string {
  return `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;
}

export interface ServerOptions {
  /** Override those for tests. */
  settings?: Record<string, string>;
  /** A folder of `createDataFolder` to copy. A replica needs the same one as its primary. */
  data?: string;
  /** The primary to replicate. */
  replicaOf?: Server;
}

/** A temporary folder for the server's user. */
function createFolder(): string {
  const folder = mkdtempSync(join(serverTemporaryFolder(), "triptych-postgres-"));
  giveToServer(folder);
  return folder;
}

function giveToServer(path: string): void {
  const { uid, gid } = SERVER_USER;
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/** Runs initdb. The default collation is English, so that tests find columns that lack COLLATE "C". */
export async function createDataFolder(): Promise<string> {
  const folder = createFolder();
  const { initdb } = await findBinaries(folder);
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, PASSWORD);
  giveToServer(passwordFile);
  const language = ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en"];
  // One SCRAM iteration: tests connect often.
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
      // Another process may have taken the free port meanwhile.
      if (attempt === 3 || !String(error).includes("could not bind")) throw error;
    }
  }
}

function copyFolder(data: string): string {
  const folder = createFolder();
  cpSync(data, folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  // cpSync does not keep folder modes, and the server refuses a folder that others may read.
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
    // A standby needs at least as many as its primary.
    max_connections: "100",
  };
}

/** Runs the command of each input line; at the end of input it stops the server and removes the folder. */
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
while read -r command; do
  case "$command" in
    resume) serve "$@" ;;
    halt) end INT ;;
    kill) end KILL ;;
  esac
  echo done
done
kill -CONT "$server" 2>/dev/null
end QUIT
cd / && rm -rf "$FOLDER"`;

async function start(folder: string, settings: Record<string, string>): Promise<Server> {
  const { postgres } = await findBinaries(folder);
  const port = await probePort("127.0.0.1", 0);
  const all = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "", ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const shell = spawn("sh", ["-c", WATCH, postgres, "-D", join(folder, "data"), ...flags], {
    ...SERVER_USER,
    cwd: folder,
    env: { ...process.env, FOLDER: folder },
    stdio: ["pipe", "pipe", "pipe"],
    // Its own process group: Ctrl-C reaches the test, whose end stops the server.
    detached: true,
  });
  const pid = await waitUntilReady(shell.stdout as Socket, shell.stderr as Socket).catch((error: unknown) => {
    // The folder is reused.
    shell.kill("SIGKILL");
    throw error;
  });
  // Neither the shell nor its pipes keep the test process alive.
  shell.unref();
  for (const pipe of [shell.stdin, shell.stdout, shell.stderr]) (pipe as Socket).unref();
  const send = async (command: string): Promise<void> => {
    const done = waitForOutput(shell.stdout as Socket, /^done$/m);
    shell.stdin.write(`${command}\n`);
    await done;
  };
  const server: Server = {
    port,
    pid,
    folder,
    url: (database) => urlOf(port, database),
    async halt() {
      // Frozen processes do not handle other signals.
      signalAll(server.pid, "SIGCONT");
      await send("halt");
    },
    async resume() {
      const [newPid] = await Promise.all([
        waitUntilReady(shell.stdout as Socket, shell.stderr as Socket),
        send("resume"),
      ]);
      server.pid = newPid;
    },
    async kill() {
      const children = childrenOf(server.pid);
      await send("kill");
      for (const child of children) signal(child, "SIGKILL");
      // A new server refuses the memory that an old process still uses.
      while (listProcesses().some((process) => children.includes(process.pid))) await sleep(20);
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

/** Signals the server and its child processes. */
function signalAll(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  signal(pid, name);
  for (const child of childrenOf(pid)) signal(child, name);
}

function childrenOf(parent: number): number[] {
  return listProcesses()
    .filter((process) => process.parent === parent)
    .map(({ pid }) => pid);
}

/** Resolves with the process id once the server accepts connections; rejects with its output if it exits before. */
async function waitUntilReady(output: Socket, errors: Socket): Promise<number> {
  const [pid, state] = await Promise.all([
    waitForOutput(output, /pid (\d+)\n/),
    // Rejecting early connections and not finding the primary are not fatal to the server.
    waitForOutput(errors, /ready to accept|(FATAL: (?!.*(?:starting up|not yet accepting|primary)).*\n)/),
  ]);
  if (state[1] !== undefined) throw new Error(`PostgreSQL exited: ${state.input}`);
  return Number(pid[1]);
}

/** Resolves with the first match in the output from now on. */
function waitForOutput(pipe: Socket, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let output = "";
    const end = () => {
      pipe.off("data", onData).off("end", onEnd);
      // Drain the pipe, and do not keep the test process alive.
      pipe.resume().unref();
    };
    const onEnd = () => {
      end();
      reject(new Error(`PostgreSQL exited: ${output}`));
    };
    const onData = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000);
      const match = pattern.exec(output);
      if (match === null) return;
      end();
      resolve(match);
    };
    pipe.ref().on("data", onData).on("end", onEnd);
  });
}
