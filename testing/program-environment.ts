/** The environment of a program that a test starts: settings of the person who runs the tests do not leak in. */

/** Where programs are found, where temporary files go, and what lets Node load the sources faster. */
const PASSED_ON = ["PATH", "TMPDIR", "NODE_COMPILE_CACHE", "NODE_OPTIONS"];

export function programEnvironment(settings: Record<string, string> = {}): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  // A service would build the console first, and start threads for searches that few tests send.
  return { ...Object.fromEntries(passed), CONSOLE: "off", SEARCH_THREADS: "0", ...settings };
}
