/** `triptych get <operation> --help`: what an operation takes and returns, from its schemas. */
import { PROGRAM } from "#config";
import { requiredParameters } from "#api/input.ts";
import type { Operation } from "#api/platform.ts";
import type { SchemaNode } from "#api/schema.ts";
import { formatTable } from "./table.ts";

export interface Parameter {
  name: string;
  isRequired: boolean;
  schema: SchemaNode;
}

export function parametersOf({ endpoint }: Operation): Parameter[] {
  const required = requiredParameters(endpoint.input);
  return Object.entries<SchemaNode>(endpoint.input.properties).map(([name, schema]) => ({
    name,
    isRequired: required.includes(name),
    schema,
  }));
}

export function operationHelp(operation: Operation, bold: (text: string) => string): string {
  const { endpoint, name } = operation;
  const parameters = parametersOf(operation);
  const needed = parameters.filter(({ isRequired }) => isRequired).map((parameter) => ` ${parameter.name}=…`);
  const rows = parameters.map((parameter) => [`  ${parameter.name}`, describeParameter(parameter)]);
  const output: SchemaNode = endpoint.output;
  return [
    `${bold("Usage:")} triptych get ${name}${needed.join("")} [options]\n`,
    `${endpoint.summary}. ${plain(endpoint.description)}\n`,
    `${bold("Parameters:")}\n${formatTable(rows)}`,
    ...(output.properties === undefined
      ? []
      : [`${bold("Returns:")}\n  ${Object.keys(output.properties).join(", ")}\n`]),
    `${bold("Example:")}\n  $ ${PROGRAM} get ${name}${exampleArguments(operation)}\n`,
    `"${PROGRAM} get --help" lists the options${endpoint.pages === undefined ? "" : "; --paginate follows the pages"}.\n`,
  ].join("\n");
}

function describeParameter({ isRequired, schema }: Parameter): string {
  const facts = [
    ...(isRequired ? ["required"] : []),
    ...(schema.const === undefined ? [] : [`exactly ${schema.const}`]),
    ...(schema.enum === undefined ? [] : [`one of ${schema.enum.join(", ")}`]),
    ...(schema.type === "integer" ? [integerRange(schema)] : []),
    ...(schema.default === undefined ? [] : [`default ${schema.default}`]),
  ];
  const note = facts.length === 0 ? "" : ` [${facts.join("; ")}]`;
  return `${plain(schema.description ?? "")}${note}`.trim();
}

function integerRange({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: SchemaNode): string {
  return maximum === Number.MAX_SAFE_INTEGER ? `integer from ${minimum}` : `integer ${minimum} to ${maximum}`;
}

/** Descriptions are Markdown. */
function plain(markdown: string): string {
  return markdown.replaceAll("`", "");
}

function exampleArguments({ endpoint }: Operation): string {
  return Object.entries(endpoint.example)
    .map(([name, value]) => ` ${/^[\w.@:/-]*$/.test(value) ? `${name}=${value}` : `${name}=${JSON.stringify(value)}`}`)
    .join("");
}
