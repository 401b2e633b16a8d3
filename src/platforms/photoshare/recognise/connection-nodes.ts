/** The nodes of a GraphQL connection (`{edges: [{node}]}`); undefined without a list of edges. */
import { type Fields, isFields, readList, readObjectAt } from "#import/capture/field-readers.ts";

export function readNodes(connection: unknown): Fields[] | undefined {
  return readList(readObjectAt(connection)["edges"])
    ?.map((edge) => readObjectAt(edge)["node"])
    .filter(isFields);
}
