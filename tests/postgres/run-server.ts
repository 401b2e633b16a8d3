/** The PostgreSQL shared by all files of a test run; testing/runner/run-tests.ts passes it in the environment. */
export const RUN_SERVER_VARIABLE = "TRIPTYCH_TEST_POSTGRES";

export interface RunServer {
  /** Folder of the binaries, for servers that a test starts itself. */
  programs: string;
  /** A data folder that was never started, to copy instead of running initdb. */
  data: string;
  port: number;
}

/** Null in a file that runs by itself, which starts its own server on demand. */
export const RUN_SERVER: RunServer | null = readRunServer(process.env[RUN_SERVER_VARIABLE]);

function readRunServer(text: string | undefined): RunServer | null {
  return text === undefined ? null : (JSON.parse(text) as RunServer);
}
