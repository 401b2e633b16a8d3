/** Asks the service as a client would and reads the ids out of its answers, best first. */
import { query as queryString, type TestServer } from "../test-server.ts";
import type { JudgedQuery } from "./judged-query.ts";
import { DEPTH } from "./measure.ts";

export interface Answer {
  ids: string[];
  /** What was searched instead of what was typed; null when nothing was changed. */
  corrected: string | null;
}

export type Asked = Pick<JudgedQuery, "ask" | "text" | "parameters">;

export async function ask(server: TestServer, { ask: operation, text, parameters = {} }: Asked): Promise<Answer> {
  switch (operation) {
    case "shortvideo":
      return shortvideo(server, text);
    case "longvideo":
      return longvideo(server, text, parameters);
    case "photoshare":
      return photoshare(server, text);
    case "hashtag":
      return hashtag(server, text);
    case "everything":
      return everything(server, text, parameters);
  }
}

interface ShortVideoBody {
  data: { common: { doc_id_str: string } }[];
  cursor: number;
  has_more: number;
  log_pb: { impr_id: string };
}

/** Its pages are shorter than the depth that is judged. */
async function shortvideo(server: TestServer, keyword: string): Promise<Answer> {
  const path = "/api/shortvideo/search/general";
  const first = await read<ShortVideoBody>(await server.get(`${path}?${queryString({ keyword })}`));
  const ids = first.body.data.map(({ common }) => common.doc_id_str);
  let { cursor, has_more, log_pb } = first.body;
  while (has_more === 1 && ids.length < DEPTH) {
    const more = `${path}?${queryString({ keyword, cursor, search_id: log_pb.impr_id })}`;
    const page = await server.json<ShortVideoBody>(more);
    ids.push(...page.data.map(({ common }) => common.doc_id_str));
    ({ cursor, has_more, log_pb } = page);
  }
  return { ids, corrected: first.corrected };
}

async function longvideo(server: TestServer, query: string, parameters: Record<string, string>): Promise<Answer> {
  const { body, corrected } = await read<{ videos: { video_id: string }[] }>(
    await server.get(`/api/longvideo/search?${queryString({ query, ...parameters })}`),
  );
  return { ids: body.videos.map(({ video_id }) => video_id), corrected };
}

interface PhotoShareBody {
  users: { position: number; user: { pk: string } }[];
  hashtags: { position: number; hashtag: { name: string } }[];
  places: { position: number; place: { location: { pk: string } } }[];
}

/** Three lists that share one order: hashtags are named as people write them, others by id. */
async function photoshare(server: TestServer, search_query: string): Promise<Answer> {
  const { body, corrected } = await read<PhotoShareBody>(await server.post("/api/photoshare/search", { search_query }));
  const all = [
    ...body.users.map(({ position, user }) => ({ position, id: user.pk })),
    ...body.hashtags.map(({ position, hashtag: { name } }) => ({ position, id: `#${name}` })),
    ...body.places.map(({ position, place }) => ({ position, id: place.location.pk })),
  ];
  return { ids: all.toSorted((a, b) => a.position - b.position).map(({ id }) => id), corrected };
}

async function hashtag(server: TestServer, name: string): Promise<Answer> {
  const { body, corrected } = await read<{ posts: { edges: { node: { id: string } }[] } }>(
    await server.get(`/api/photoshare/search-hashtag?${queryString({ hashtag: name })}`),
  );
  return { ids: body.posts.edges.map(({ node }) => node.id), corrected };
}

interface FoundAnywhere {
  id: string | null;
  post_id: string | null;
  start_s: number | null;
}

async function everything(server: TestServer, q: string, parameters: Record<string, string>): Promise<Answer> {
  const { body, corrected } = await read<{ results: FoundAnywhere[] }>(
    await server.get(`/api/search?${queryString({ q, ...parameters })}`),
  );
  // A spoken line has no id of its own: it is known by its post and its second.
  return { ids: body.results.map(({ id, post_id, start_s }) => id ?? `${post_id}@${start_s}`), corrected };
}

/** The body is taken at its word: its shape is held by other tests. */
async function read<Body>(response: Response): Promise<Read<Body>> {
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  const corrected = response.headers.get("search-corrected");
  return { body: JSON.parse(text) as Body, corrected: corrected === null ? null : decodeURIComponent(corrected) };
}

interface Read<Body> {
  body: Body;
  corrected: string | null;
}
