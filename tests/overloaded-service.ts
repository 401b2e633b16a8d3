import { operationNamed, sendRequest } from "./http-client.ts";

const detail = operationNamed("shortvideo/post/detail");
export const LOOKUP = `${detail.path}?videoId=${detail.endpoint.example["videoId"]}`;

/** A sample of `/metrics` by its name and labels. */
export async function readMetric(url: string, sample: string): Promise<number> {
  const { text } = await sendRequest(url, { path: "/metrics" });
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${sample} `));
  return Number(line?.slice(sample.length) ?? 0);
}
