/** The nodes of a connection: `{edges: [{node}]}`, until 2018 `{nodes: []}`. Undefined without such a list. */
import { type Fields, isFields, readList, readObjectAt } from "#import/capture/field-readers.ts";

export function readNodes(connection: unknown): Fields[] | undefined {
  const { edges, nodes } = readObjectAt(connection);
  const listed = readList(edges)?.map((edge) => readObjectAt(edge)["node"]) ?? readList(nodes);
  return listed?.filter(isFields);
}
