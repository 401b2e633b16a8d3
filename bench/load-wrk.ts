/** Load by wrk: written in C, it leaves the processor to who is measured. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";
import type { LoadFigures, LoadOrder } from "./load-requests.ts";

/** Each connection sends the next request of the one sequence, so no two walk in step. */
const SCRIPT = `
local requests, place = {}, 0

function init(args)
  for line in io.lines(args[1]) do
    local path, etag, body = line:match("^([^\\t]*)\\t([^\\t]*)\\t([^\\t]*)$")
    if etag ~= "" then wrk.headers["If-None-Match"] = etag end
    if body == "" then body = nil end
    requests[#requests + 1] = wrk.format(nil, path, nil, body)
  end
  place = tonumber(args[2]) % #requests
  -- From here on nothing new is made, and looking for what could be freed would only take time.
  collectgarbage("stop")
end

function request()
  place = place % #requests + 1
  return requests[place]
end

function done(summary, latency, rates)
  local errors = summary.errors
  local wrong = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("figures %d %d %d %d %d %d\\n", summary.requests, summary.duration, summary.bytes, wrong,
    latency:percentile(50), latency:percentile(99)))
end
`;

export async function hasWrk(): Promise<boolean> {
  // It says its version with a code of its own; only a missing program has none.
  return promisify(execFile)("wrk", ["-v"]).then(
    () => true,
    (error: { code?: unknown }) => error.code !== "ENOENT",
  );
}

export async function fireWrk(order: LoadOrder): Promise<LoadFigures> {
  const script = `${order.file}.lua`;
  const fixed = Object.entries(order.headers).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}\n`,
  );
  writeFileSync(script, `wrk.method = "${order.method}"\n${fixed.join("")}${SCRIPT}`);
  const { stdout } = await promisify(execFile)("wrk", [
    "--threads=1",
    `--connections=${order.connections}`,
    `--duration=${order.seconds}s`,
    `--script=${script}`,
    order.address,
    "--",
    order.file,
    String(order.start),
  ]);
  const said = /^figures (.*)$/m.exec(stdout)?.[1];
  if (said === undefined) throw new Error(`wrk said no figures: ${stdout}`);
  const [answered = 0, microseconds = 1, bytes = 0, errors = 0, p50 = 0, p99 = 0] = said.split(" ").map(Number);
  const seconds = microseconds / 1e6;
  return { perSecond: answered / seconds, answered, p50: p50 / 1000, p99: p99 / 1000, errors, bytes, seconds };
}
