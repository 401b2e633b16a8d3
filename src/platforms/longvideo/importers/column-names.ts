/**
 * Finds the columns that a row has by their names. Every record of every platform is looked at, and few of the names are
 * in any one of them.
 */

export function indexByName<Column>(names: ReadonlyMap<Column, readonly string[]>): Map<string, Column[]> {
  const columns = new Map<string, Column[]>();
  for (const [column, ofColumn] of names)
    for (const name of ofColumn) columns.set(name, [...(columns.get(name) ?? []), column]);
  return columns;
}

export function listColumns<Column>(
  row: ReadonlyMap<string, unknown>,
  columnsByName: ReadonlyMap<string, readonly Column[]>,
): Set<Column> {
  const columns = new Set<Column>();
  for (const name of row.keys()) for (const column of columnsByName.get(name) ?? []) columns.add(column);
  return columns;
}
