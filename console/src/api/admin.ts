/** Routes below /admin/. Their parameters and responses have generated types; their errors are those of the public API. */
import { TriptychError, type Problem } from "../../../client/triptych.ts";
import type { AdminRoutes } from "./admin-routes.ts";
import { sessionFetch } from "./client.ts";

export type AdminInput<Name extends keyof AdminRoutes> = Required<AdminRoutes[Name]>["input"];
export type AdminOutput<Name extends keyof AdminRoutes> = AdminRoutes[Name]["output"];

export async function adminRequest<Name extends keyof AdminRoutes>(
  name: Name,
  ...[input]: AdminRoutes[Name] extends { input: unknown } ? [input: AdminInput<Name>] : [input?: AdminInput<Name>]
): Promise<AdminOutput<Name>> {
  const [method = "", template = ""] = name.split(" ");
  const others = new Map(Object.entries<unknown>(input ?? {}));
  const path = template.replaceAll(/\{(\w+)\}/g, (_place, parameter: string) => {
    const value = String(others.get(parameter));
    others.delete(parameter);
    return encodeURIComponent(value);
  });
  if (method === "POST" || method === "PUT") {
    const headers = { "content-type": "application/json" };
    return readBody(await sessionFetch(path, { method, headers, body: JSON.stringify(Object.fromEntries(others)) }));
  }
  const query = new URLSearchParams(
    [...others].map(([parameter, value]): [string, string] => [parameter, String(value)]),
  );
  return readBody(await sessionFetch(query.size === 0 ? path : `${path}?${query.toString()}`, { method }));
}

export async function readBody<Body>(response: Response): Promise<Body> {
  const body = parse(await response.text());
  if (!response.ok) throw new TriptychError(response, body as Problem | null);
  return body as Body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export type Overview = AdminOutput<"GET /admin/overview">;
export type Job = AdminOutput<"GET /admin/jobs/{id}">;
export type JobSummary = Job["job"];

/** Whether a process works on it, or will without being asked. */
export const isUnderWay = ({ state }: JobSummary): boolean => state === "running" || state === "waiting";
