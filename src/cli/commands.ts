/** All commands. Only the requested one is loaded, and none for the version; help and completion load them all. */
import type { Command } from "commander";
import type { Terminal } from "./terminal.ts";

type Register = (program: Command, terminal: Terminal) => void;

const COMMANDS: Record<string, () => Promise<Register>> = {
  serve: async () => (await import("./commands/serve.ts")).registerServe,
  token: async () => (await import("./commands/token.ts")).registerToken,
  usage: async () => (await import("./commands/usage.ts")).registerUsage,
  import: async () => (await import("./commands/import.ts")).registerImport,
  capture: async () => (await import("./commands/capture.ts")).registerCapture,
  watch: async () => (await import("./commands/watch.ts")).registerWatch,
  jobs: async () => (await import("./commands/jobs.ts")).registerJobs,
  undo: async () => (await import("./commands/undo.ts")).registerUndo,
  demo: async () => (await import("./commands/demo.ts")).registerDemo,
  erase: async () => (await import("./commands/erase.ts")).registerErase,
  subject: async () => (await import("./commands/subject.ts")).registerSubject,
  retention: async () => (await import("./commands/retention.ts")).registerRetention,
  audit: async () => (await import("./commands/audit.ts")).registerAudit,
  get: async () => (await import("./commands/get.ts")).registerGet,
  sources: async () => (await import("./commands/sources.ts")).registerSources,
  mcp: async () => (await import("./commands/mcp.ts")).registerMcp,
  export: async () => (await import("./commands/export.ts")).registerExport,
  backup: async () => (await import("./commands/backup.ts")).registerBackup,
  restore: async () => (await import("./commands/restore.ts")).registerRestore,
  copy: async () => (await import("./commands/copy.ts")).registerCopy,
  compact: async () => (await import("./commands/compact.ts")).registerCompact,
  migrate: async () => (await import("./commands/migrate.ts")).registerMigrate,
  doctor: async () => (await import("./commands/doctor.ts")).registerDoctor,
  completion: async () => (await import("./commands/completion.ts")).registerCompletion,
};

export async function loadCommands(name: string | undefined): Promise<Register[]> {
  if (name === "--version" || name === "-v") return [];
  const isOne = name !== undefined && name !== "completion" && Object.hasOwn(COMMANDS, name);
  const requested = isOne ? COMMANDS[name] : undefined;
  return Promise.all((requested === undefined ? Object.values(COMMANDS) : [requested]).map((load) => load()));
}
