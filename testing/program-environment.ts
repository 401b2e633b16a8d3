/** The environment of a program that a test starts: settings of the person who runs the tests do not leak in. */

/** Where programs are found, where temporary files go, and compiled sources that one program leaves to the next. */
const PASSED_ON = ["PATH", "TMPDIR", "NODE_COMPILE_CACHE"];

export function programEnvironment(settings: Record<string, string> = {}): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  // A service would build the console first.
  return { ...Object.fromEntries(passed), CONSOLE: "off", ...settings };
}
