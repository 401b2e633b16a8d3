/** The problems of an import by reason, the most frequent first, each with the files that have it. */
import type { FileReport, JobFile } from "#domain/job.ts";

/** Without a state it was read to its end. */
type ReadReport = FileReport & { state?: JobFile["state"] };

export interface Problem {
  /** Refusal code; null for files in which nothing was recognised. */
  code: string | null;
  /** Records and files that were refused. */
  count: number;
  /** Number of files that have it. */
  files: number;
  /** Names of the first files, without the folder that all files are in. */
  names: string[];
}

/** Counts the files of an import one by one: it may have a hundred thousand. */
export class ProblemGroups {
  readonly #maxNamed: number;
  readonly #refused = new Map<string, Problem>();
  readonly #unrecognised: Problem = { code: null, count: 0, files: 0, names: [] };
  #folders: string[] | null = null;

  /** `maxNamed`: names kept for each reason. */
  constructor(maxNamed: number) {
    this.#maxNamed = maxNamed;
  }

  add(file: ReadReport & { name: string }): void {
    this.#narrowFolder(file.name);
    for (const [code, count] of Object.entries(file.refused)) {
      const problem = this.#refused.get(code) ?? { code, count: 0, files: 0, names: [] };
      this.#refused.set(code, problem);
      this.#count(problem, count, file.name);
    }
    if (isUnrecognised(file)) this.#count(this.#unrecognised, 1, file.name);
  }

  /** The folder that all files are in, with the slash at its end; empty if there is none. */
  get folder(): string {
    return (this.#folders ?? []).map((folder) => `${folder}/`).join("");
  }

  list(): Problem[] {
    const { length } = this.folder;
    const refused = [...this.#refused.values()].toSorted((one, other) => other.count - one.count);
    return [...refused, this.#unrecognised]
      .filter(({ count }) => count > 0)
      .map((problem) => ({ ...problem, names: problem.names.map((name) => name.slice(length)) }));
  }

  #count(problem: Problem, count: number, name: string): void {
    problem.count += count;
    problem.files++;
    if (problem.names.length < this.#maxNamed) problem.names.push(name);
  }

  #narrowFolder(name: string): void {
    const folders = name.split("/").slice(0, -1);
    const common = this.#folders ?? folders;
    const differs = common.findIndex((folder, at) => folders[at] !== folder);
    this.#folders = differs === -1 ? common : common.slice(0, differs);
  }
}

/** A file without records that was refused or skipped is counted with its reason. */
export function isUnrecognised({ state, formats, refused, skipped }: ReadReport): boolean {
  return state !== "running" && [formats, refused, skipped].every((counts) => Object.keys(counts).length === 0);
}
