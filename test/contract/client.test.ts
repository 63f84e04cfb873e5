import { expect, mock, test } from 'bun:test';
import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { OpenAPI3 } from 'openapi-typescript';
import typescript5 from 'typescript-5';
import { describeContract } from '../../src/server/describe-contract.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// The generator needs the compiler's API, which TypeScript 7 does not have.
mock.module('typescript', () => ({ ...typescript5, default: typescript5 }));
const { astToString, default: generate } = await import('openapi-typescript');

interface Content {
  readonly schema: { readonly $ref: string; readonly allOf: readonly { readonly $ref: string }[] };
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Holder {
  readonly content: { readonly 'application/json': Content };
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
  }[];
  readonly requestBody?: Holder;
  /** 200, or 202 instead. */
  readonly responses: Readonly<Record<200 | 202 | 500 | 503, Holder>>;
}

const MODULES = join(import.meta.dir, '../../node_modules');
const OPTIONS = '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --module nodenext'.split(' ');
const PLACES: Readonly<Record<string, string | number>> = {
  siteId: '68c5a220221e2db6a03a51c2',
  vulnerabilityId: 'CVE-1998-0001',
  scanId: '3rkBqXoG0hZtYc8VnJd1Wf',
  trustId: '5kQ2vXo8ZtRb1LmN7yWcHd',
  index: 0,
  targetId: 'tgt_7Hq2mVx9KcTz4LbWd8RsYn',
  credentialId: '6f1c1d0e-8a57-4b1c-9a53-0d8f5c1f7a42',
};

/** The required parameters of an operation. */
function parametersOf(path: string, { parameters = [] }: Operation) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const params = {
    ...(names.length > 0 ? { path: Object.fromEntries(names.map((name) => [name, PLACES[name]])) } : {}),
    ...(needed.length > 0 ? { query: Object.fromEntries(needed.map(({ name }) => [name, 0])) } : {}),
  };
  return Object.keys(params).length === 0 ? {} : { params };
}

const typeOf = ($ref = '') => `components['schemas']['${$ref.split('/').at(-1)}']`;
const jsonOf = ({ content }: Holder) => content['application/json'];

/** Calls an operation with each of its examples, and stores answers under the names of their fields. */
function callOf(path: string, method: string, operation: Operation): string {
  const { operationId, requestBody, responses } = operation;
  const { example, examples } = requestBody ? jsonOf(requestBody) : {};
  const bodies = examples ? Object.values(examples).map(({ value }) => value) : [example];
  const success = jsonOf(responses[200] ?? responses[202]);
  // Among flat bodies, that of an unavailable store has the fewest fields.
  const refusals = ([500, 503] as const).map((status) =>
    typeOf(jsonOf(responses[status]).schema.allOf[0]?.$ref),
  );
  const isText = success === undefined;
  const [answerType, answer] = isText ? ['string', ''] : [typeOf(success.schema.$ref), success.example];
  const calls = bodies.map((body) => {
    const options = JSON.stringify({
      ...parametersOf(path, operation),
      body,
      ...(isText ? { parseAs: 'text' } : {}),
    });
    return `{ const { data, error } = await client.${method.toUpperCase()}('${path}', ${options});
      answer = data ?? answer; refusal = error; }`;
  });
  return `export async function ${operationId}() {
    let answer: ${answerType} = ${JSON.stringify(answer)};
    let refusal: ${refusals.join(' | ')} | ${isText ? 'string | ' : ''}undefined;
    ${calls.join('\n')}
    return { answer, refusal };
  }`;
}

/** Code that must not compile, so that no type is merely `any`. */
const MISTAKES = [
  `await client.POST('/api/v1/license/verify', { body: { domain: 7 } });`,
  `await client.POST('/api/v1/scan', { body: { site_url: 'shop.example', scan_type: 'deep' } });`,
  `await client.GET('/api/v1/nothing');`,
  `(await client.GET('/api/v1/me')).data?.data.nothing;`,
  `(await client.GET('/api/v1/me')).error?.error.code === 'PLAN_REQUIRED';`,
  `export const code: components['schemas']['RefusalCode'] = 'NOTHING';`,
];

test('a typed client can be generated from the contract, and calls every operation with its example', async () => {
  const contract = (await describeContract(loadConfig({}))) as OpenAPI3;
  const calls = Object.entries(contract.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => callOf(path, method, operation as Operation)),
  );
  const directory = temporaryDirectory();
  symlinkSync(MODULES, join(directory, 'node_modules'));
  writeFileSync(join(directory, 'contract.mts'), astToString(await generate(contract)));
  const program = [
    `import createClient from 'openapi-fetch';`,
    `import type { components, paths } from './contract.mjs';`,
    `const client = createClient<paths>({ baseUrl: 'http://127.0.0.1' });`,
    ...calls,
    ...MISTAKES.map((mistake) => `// @ts-expect-error\n${mistake}`),
  ];
  writeFileSync(join(directory, 'calls.mts'), program.join('\n'));

  const compile = promisify(execFile)(join(MODULES, '.bin/tsc'), [...OPTIONS, 'calls.mts'], {
    cwd: directory,
  });
  expect((await compile.catch((failed) => failed)).stdout).toBe('');
  expect(calls.length).toBeGreaterThan(20);
});
