import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { loadConfig } from '../../src/config.ts';
import { describeContract } from '../../src/contract.ts';

interface Contract {
  readonly paths: Record<string, Record<string, Operation>>;
}
interface Operation {
  readonly responses: Record<string, Answer>;
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: Record<string, Examples> };
}
interface Examples {
  readonly example?: object;
  readonly examples?: Record<string, { readonly value: object }>;
}
interface Answer {
  readonly content?: Record<string, { schema: object }>;
}

const contract = (await describeContract(loadConfig({}))) as Contract;
const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
const compiled = new Map<object, ValidateFunction>();

/** Every path of the contract. */
export const paths: readonly string[] = Object.keys(contract.paths);

/** The name of every parameter in the contract. */
export const parameterNames: readonly string[] = Object.values(contract.paths)
  .flatMap((operations) => Object.values(operations))
  .flatMap(({ parameters = [] }) => parameters.map(({ name }) => name));

/** The good bodies that the contract shows, by the path that takes them. */
export const bodyExamples: ReadonlyMap<string, readonly object[]> = new Map(
  Object.entries(contract.paths).flatMap(([path, { post }]) => {
    const { example, examples = {} } = post?.requestBody?.content['application/json'] ?? {};
    const bodies = [...(example ? [example] : []), ...Object.values(examples).map(({ value }) => value)];
    return bodies.length > 0 ? [[path, bodies] as const] : [];
  }),
);
/** The operations of a path, whose variable pieces stand in braces in the contract. */
function operationsAt(path: string) {
  const pattern = Object.keys(contract.paths).find((known) =>
    new RegExp(`^${known.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  return pattern === undefined ? undefined : contract.paths[pattern];
}

/**
 * What is wrong with an answer by the contract: a status that it does not document, or a body that is
 * not of its schema. Undefined when nothing is, and for paths and methods outside the contract.
 */
export function violation(method: string, url: string, status: number, body: unknown): string | undefined {
  const [path = ''] = url.split('?');
  const operation = operationsAt(path)?.[(method === 'HEAD' ? 'GET' : method).toLowerCase()];
  if (operation === undefined) return undefined;
  const answer = operation.responses[status];
  if (answer === undefined) return `${method} ${path} does not document status ${status}`;
  const schema = answer.content?.['application/json']?.schema;
  if (schema === undefined || method === 'HEAD') return undefined;
  const check = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, check);
  return check(body) ? undefined : `${method} ${path} ${status}: ${ajv.errorsText(check.errors)}`;
}
