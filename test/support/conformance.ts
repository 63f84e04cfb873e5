import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { describeContract } from '../../src/server/describe-contract.ts';
import { loadConfig } from '../../src/settings/config.ts';

/** The part of an OpenAPI document that answers are checked against. */
export interface Contract {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: object;
}
interface Operation {
  readonly responses: Record<string, Answer>;
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: object;
  }[];
  readonly requestBody?: { readonly description?: string; readonly content: Record<string, Examples> };
}
interface Examples {
  readonly schema: object;
  readonly example?: object;
  readonly examples?: Record<string, { readonly value: object }>;
}
interface Answer {
  readonly headers: Record<string, { readonly required?: boolean }>;
  readonly content?: Record<string, { schema: object }>;
}

/** The contract of the API. */
export const contract = (await describeContract(loadConfig({}))) as Contract;
const ajv = new Ajv({ strict: false, inlineRefs: false, validateSchema: false });
addFormats.default(ajv);
const compiled = new Map<object, ValidateFunction>();
const ids = new Map<object, string>();
let known = 0;

/** Every path of the contract. */
export const paths: readonly string[] = Object.keys(contract.paths);

/** The name of every parameter in the contract. */
export const parameterNames: readonly string[] = Object.values(contract.paths)
  .flatMap((operations) => Object.values(operations))
  .flatMap(({ parameters = [] }) => parameters.map(({ name }) => name));

/** The valid example bodies of a contract, by path. */
export const bodyExamplesIn = ({ paths }: Contract): ReadonlyMap<string, readonly object[]> =>
  new Map(
    Object.entries(paths).flatMap(([path, { post }]) => {
      const { example, examples = {} } = post?.requestBody?.content['application/json'] ?? {};
      const bodies = [...(example ? [example] : []), ...Object.values(examples).map(({ value }) => value)];
      return bodies.length > 0 ? [[path, bodies] as const] : [];
    }),
  );
export const bodyExamples = bodyExamplesIn(contract);

export interface DocumentedRefusal {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
}

/** Every refusal that a contract documents. */
export const refusalsIn = ({ paths }: Contract): readonly DocumentedRefusal[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.entries(responses)
        .filter(([status]) => Number(status) >= 400)
        .flatMap(([status, { content }]) =>
          [...new Set(JSON.stringify(content).match(/"[A-Z][A-Z_]{4,}"/g))].map((code) => ({
            method: method.toUpperCase(),
            path,
            status: Number(status),
            code: JSON.parse(code),
          })),
        ),
    ),
  );
export const refusals = refusalsIn(contract);

/** Headers outside the contract. */
const TRANSPORT =
  /^(content-(type|length|encoding)|transfer-encoding|connection|keep-alive|date|vary|cache-control|x-content-type-options|strict-transport-security)$/;

/** The operations of a path; the contract has its variable parts in braces, and an exact path comes first. */
function operationsAt(path: string, { paths }: Contract) {
  const pattern = Object.keys(paths).find((known) =>
    new RegExp(`^${known.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  return paths[path] ?? (pattern === undefined ? undefined : paths[pattern]);
}

/**
 * The first violation of the contract in an answer: an undocumented status or header, a missing header, or a
 * body outside its schema. Undefined without one, and for paths and methods outside the contract.
 */
export function violation(
  method: string,
  url: string,
  { status, headers }: { readonly status: number; readonly headers: Headers },
  body: unknown,
  by = contract,
): string | undefined {
  const [path = ''] = url.split('?');
  const operation = operationsAt(path, by)?.[(method === 'HEAD' ? 'GET' : method).toLowerCase()];
  if (operation === undefined) return undefined;
  const answer = operation.responses[status];
  if (answer === undefined) return `${method} ${path} does not document status ${status}`;
  const documented = Object.keys(answer.headers).map((name) => name.toLowerCase());
  const unknown = [...headers.keys()].filter((name) => !documented.includes(name) && !TRANSPORT.test(name));
  const missing = Object.entries(answer.headers).filter(
    ([name, { required }]) => required && !headers.has(name),
  );
  if (unknown.length + missing.length > 0)
    return `${method} ${path} ${status}: headers ${unknown}, ${missing}`;
  const schema = answer.content?.['application/json']?.schema;
  if (schema === undefined || method === 'HEAD') return undefined;
  const problem = bodyProblem(schema, body, by);
  return problem && `${method} ${path} ${status}: ${problem}`;
}

/** The first violation of one of a contract's schemas in a body. */
export function bodyProblem(schema: object, body: unknown, { components } = contract): string | undefined {
  const check = compiled.get(schema) ?? compile(schema, components);
  compiled.set(schema, check);
  return check(body) ? undefined : ajv.errorsText(check.errors);
}

/** Components are compiled once, for all schemas that refer to them. */
function compile(schema: object, components: object): ValidateFunction {
  const id = ids.get(components) ?? `contract-${known++}`;
  if (!ids.has(components)) ajv.addSchema({ components }, id);
  ids.set(components, id);
  return ajv.compile(
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', `"${id}#/components/`)) as object,
  );
}
