/** The PostgreSQL that all files of a run share, as testing/runner/run-tests.ts hands it to the processes that it starts. */
export const RUN_SERVER_VARIABLE = "TRIPTYCH_TEST_POSTGRES";

export interface RunServer {
  /** Folder of the programs, for servers that a test starts beside it. */
  programs: string;
  /** A data folder that no server has started on, to copy instead of making another. */
  data: string;
  port: number;
}

/** Null in a file that runs by itself: it starts its own server at need. */
export const RUN_SERVER: RunServer | null = readRunServer(process.env[RUN_SERVER_VARIABLE]);

function readRunServer(text: string | undefined): RunServer | null {
  return text === undefined ? null : (JSON.parse(text) as RunServer);
}
