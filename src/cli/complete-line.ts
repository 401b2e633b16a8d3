/** What could complete a command line: commands, options, operations and their parameters. */
import type { Command } from "commander";
import { OPERATIONS } from "#platforms/registry.ts";
import { parametersOf } from "./format/operation-help.ts";

export interface Completion {
  word: string;
  description: string;
}

/** `line` is what was typed up to the cursor, the name of the program included. No completions mean a file or a value. */
export function completeLine(line: string, program: Command): Completion[] {
  const [, ...words] = line.trimStart().split(/\s+/);
  const current = words.pop() ?? "";
  const { command, rest } = findCommand(program, words);
  const option = command.options.find(({ long, required }) => required && long === words.at(-1));
  const completions =
    option === undefined ? completionsOf(command, rest, current) : (option.argChoices ?? []).map(bare);
  return completions.filter(({ word }) => word.startsWith(current));
}

function completionsOf(command: Command, rest: readonly string[], current: string): Completion[] {
  return [
    ...(current.startsWith("-") ? optionsOf(command) : []),
    ...command.commands.map((child) => ({ word: child.name(), description: child.description() })),
    ...(command.name() === "get" ? operationWords(rest) : []),
    ...(command.name() === "completion" && rest.length === 0 ? ["bash", "zsh", "fish"].map(bare) : []),
  ];
}

function findCommand(program: Command, words: readonly string[]): { command: Command; rest: string[] } {
  let command = program;
  const rest: string[] = [];
  for (const word of words.filter((text) => !text.startsWith("-"))) {
    const child = command.commands.find((candidate) => candidate.name() === word);
    // `help token create` completes as `token create` does.
    if (child?.name() === "help") continue;
    if (child === undefined) rest.push(word);
    else command = child;
  }
  return { command, rest };
}

function optionsOf(command: Command): Completion[] {
  const all = [...command.options, ...(command.parent?.options ?? [])];
  const own = all.flatMap(({ long, description }) => (long ? [{ word: long, description }] : []));
  return own.some(({ word }) => word === "--help") ? own : [...own, { word: "--help", description: "print help" }];
}

function operationWords([name]: readonly string[]): Completion[] {
  if (name === undefined)
    return OPERATIONS.map((operation) => ({ word: operation.name, description: operation.endpoint.summary }));
  const operation = OPERATIONS.find((candidate) => candidate.name === name);
  if (operation === undefined) return [];
  return parametersOf(operation).flatMap(({ name: parameter, schema }) => {
    const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
    return values.length === 0 ? [bare(`${parameter}=`)] : values.map((value) => bare(`${parameter}=${value}`));
  });
}

function bare(word: string): Completion {
  return { word, description: "" };
}
