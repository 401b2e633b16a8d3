/**
 * Load by autocannon, in a process of its own: told what to do by its argument, it prints the figures. Its histogram
 * counts whole milliseconds, which is as long as many answers take, so times are taken from its events.
 */
import autocannon from "autocannon";
import { isRight, type LoadFigures, type LoadOrder, percentiles, readRequests } from "./load-requests.ts";

const MOST_REQUESTS = 100_000;
const order = JSON.parse(process.argv[2] ?? "") as LoadOrder;
const requests = readRequests(order, MOST_REQUESTS).map(({ path, etag, body }) => ({
  method: order.method,
  path,
  ...(body === undefined ? {} : { body }),
  headers: { ...order.headers, ...(etag === undefined ? {} : { "If-None-Match": etag }) },
}));
const own = Math.ceil(requests.length / order.connections);
let clients = 0;
let bytes = 0;
let wrong = 0;
const times: number[] = [];
let began = 0;
let ended = 0;
const options: autocannon.Options = {
  url: order.address,
  connections: order.connections,
  duration: order.seconds,
  // Left to themselves all connections would walk the same list in step.
  setupClient(client) {
    const begin = (clients++ * own) % requests.length;
    client.setRequests(requests.slice(begin, begin + own));
  },
};
const { errors, timeouts } = await new Promise<autocannon.Result>((resolve, reject) => {
  const firing = autocannon(options, (error: unknown, result) => (error ? reject(error) : resolve(result)));
  // Its own clock runs while requests are still being made ready.
  firing.on("start", () => (began = performance.now()));
  firing.on("response", (_client, status, size, time) => {
    ended = performance.now();
    times.push(time);
    bytes += size;
    if (!isRight(status)) wrong++;
  });
});
const seconds = (ended - began) / 1000;
const figures: LoadFigures = {
  perSecond: times.length / seconds,
  answered: times.length,
  ...percentiles(Float64Array.from(times)),
  errors: wrong + errors + timeouts,
  bytes,
  seconds,
};
process.stdout.write(JSON.stringify(figures));
