/** Texts in the format of Prometheus read, added up and written again. What they count is not looked at. */

interface Family {
  /** Its lines of comment. */
  head: string[];
  /** Whether it only ever grows, so that it outlives whoever counted it. */
  counts: boolean;
  /** By name and labels, in the order they came. */
  samples: Map<string, number>;
}

/** By name, in the order they came. */
export type Samples = Map<string, Family>;

const COMMENT = /^# (?:HELP|TYPE) (\S+)(?: (.*))?$/;

export function parseSamples(text: string): Samples {
  const numbers: Samples = new Map();
  let family: Family | null = null;
  for (const line of text.split("\n")) {
    const [, name, rest] = COMMENT.exec(line) ?? [];
    if (name !== undefined) {
      family = numbers.get(name) ?? { head: [], counts: false, samples: new Map() };
      numbers.set(name, family);
      family.head.push(line);
      if (line.startsWith("# TYPE ")) family.counts = rest === "counter" || rest === "histogram";
    } else if (line !== "") {
      const end = line.lastIndexOf(" ");
      family?.samples.set(line.slice(0, end), Number(line.slice(end + 1)));
    }
  }
  return numbers;
}

/** When it began is left as it is; all else is a sum. */
export function addSamples(sum: Samples, part: Samples): void {
  for (const [name, { head, counts, samples }] of part) {
    let family = sum.get(name);
    if (family === undefined) sum.set(name, (family = { head, counts, samples: new Map() }));
    for (const [sample, value] of samples) {
      const known = family.samples.get(sample);
      if (known === undefined) family.samples.set(sample, value);
      else if (!name.endsWith("_start_time_seconds")) family.samples.set(sample, known + value);
    }
  }
}

/** What is left of a process that is gone. */
export function countersOf(numbers: Samples): Samples {
  return new Map([...numbers].filter(([, { counts }]) => counts));
}

export function renderSamples(numbers: Samples): string {
  const lines = [...numbers.values()].flatMap(({ head, samples }) => [
    ...head,
    ...Array.from(samples, ([sample, value]) => `${sample} ${Number(value.toFixed(6))}`),
  ]);
  return `${lines.join("\n")}\n`;
}
