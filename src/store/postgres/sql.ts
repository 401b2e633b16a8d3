import type { Value } from "./statement.ts";

/** Runs statements, on any connection or within one transaction. */
export interface Sql {
  all<Row>(text: string, ...values: Value[]): Promise<Row[]>;
  /** The same, planned for just these values instead of once for all. */
  allWithCustomPlan<Row>(text: string, ...values: Value[]): Promise<Row[]>;
  get<Row>(text: string, ...values: Value[]): Promise<Row | undefined>;
  /** The number of rows that were touched. */
  run(text: string, ...values: Value[]): Promise<number>;
  /** COPY … FROM STDIN of lines, made part by part as the server takes them; the number of rows. */
  copy(text: string, parts: Iterable<string>): Promise<number>;
}
