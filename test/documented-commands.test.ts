import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Marked } from 'marked';
import packageJson from '../package.json';
import { describedProgram } from '../tools/release/described-program.ts';
import { adminContract } from './support/admin.ts';
import { contract } from './support/conformance.ts';

// Documents name commands, options and routes that exist.

const ROOT = join(import.meta.dir, '..');
const DOCUMENTS = ['*.md', 'docs/**/*.md'].flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(ROOT)]);

/** Code in documents, by document: lines of blocks, and code within sentences. */
const CODE = DOCUMENTS.flatMap((name) => {
  const found: string[] = [];
  const marked = new Marked();
  marked.walkTokens(marked.lexer(readFileSync(join(ROOT, name), 'utf8')), (token) => {
    if (token.type === 'code' && token.lang === 'sh')
      found.push(...token.text.replaceAll('\\\n', ' ').split('\n'));
    if (token.type === 'codespan') found.push(token.text);
  });
  return found.map((line) => [name, line.replace(/\s#\s.*/, '')] as const);
});

/** A part of a command line that runs one program: its name and arguments. */
const programsIn = (line: string): string[][] =>
  line
    .split(/&&|\|\||[|;()]|\$\(/)
    .map((part) => [...part.matchAll(/"[^"]*"|'[^']*'|\S+/g)].map(([word]) => word))
    .map((words) => words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word))))
    .filter((words) => words.length > 1);

const root = await describedProgram();
const REDOUBT = /^(?:.*\/)?redoubt(?:\.previous)?$/;

/** The named command, and the words after its name. */
function commandOf(command: Command, [first, ...others]: readonly string[]): [Command, readonly string[]] {
  const next = command.commands.find((child) => child.name() === first);
  return next ? commandOf(next, others) : [command, first === undefined ? [] : [first, ...others]];
}

const documented = CODE.flatMap(([name, line]) =>
  programsIn(line).flatMap(([program = '', ...words]) =>
    REDOUBT.test(program) ? [[name, words] as const] : [],
  ),
);

/** The problem with the arguments of a command; undefined without one. */
function wrongIn(words: readonly string[]): string | undefined {
  const [command, rest] = commandOf(root, words);
  const isGroup = command.commands.length > 0;
  const unknown = isGroup && rest.find((word) => /^[a-z]/.test(word));
  if (unknown) return `no command ${unknown}`;
  for (const [at, word] of rest.entries()) {
    if (word === '--') return undefined;
    if (!/^--[a-z]/.test(word) || word === '--help') continue;
    const [flag, inline] = word.split('=');
    const option = command.options.find(({ long }) => long === flag);
    if (option === undefined) return `no option ${flag}`;
    const value = inline ?? rest[at + 1];
    if (option.argChoices && value && /^[a-z]+$/.test(value) && !option.argChoices.includes(value))
      return `no value ${value} of ${flag}`;
  }
  return undefined;
}

test('every redoubt command in a document exists, with its options and their values', () => {
  expect(documented.length).toBeGreaterThan(150);
  const wrong = documented.flatMap(([name, words]) => {
    // Bun's option, and a name in the process list.
    if (words[0] === '-e' || words[0] === 'analysis-process') return [];
    const why = wrongIn(words);
    return why === undefined ? [] : [`${name}: redoubt ${words.join(' ')}: ${why}`];
  });
  expect(wrong).toEqual([]);
});

test('every script and file that Bun runs in a document exists', () => {
  const run = CODE.flatMap(([name, line]) =>
    [...line.matchAll(/\bbun(?:@[\d.]+)? (?:run )?([\w./:-]+)/g)].map(
      ([, what = '']) => [name, what] as const,
    ),
  ).filter(([, what]) => !['install', 'test', 'run'].includes(what));
  expect(run.length).toBeGreaterThan(20);
  const exists = (what: string) => what in packageJson.scripts || existsSync(join(ROOT, what));
  expect(run.filter(([, what]) => !exists(what))).toEqual([]);
});

/** Routes without a contract. */
const OUTSIDE = [
  ...['/healthz', '/readyz', '/metrics', '/docs', '/webhooks/stripe', '/trust/{}', '/openapi'],
  ...['/status-lists/{}', '/.well-known/jwks.json', '/.well-known/redoubt-keys', '/.well-known/security.txt'],
];
const VARIABLE = /(?<=\/)(?:\{[^}]+\}|\$\w+|lic_\d+|\d+)(?=\/|$)/g;
const templateOf = (path: string) =>
  path
    .replace(/^\/(?:api|admin)\/v1/, '')
    .replace(/\?.*|\/$/, '')
    .replace(VARIABLE, '{}');
const ROUTES = new Set([
  ...[...Object.keys(contract.paths), ...Object.keys(adminContract.paths)].map(templateOf),
  ...OUTSIDE,
]);
/** A common prefix of several routes, such as `/licenses/{id}/…`. */
const isKnown = (route: string) =>
  ROUTES.has(route) || [...ROUTES].some((known) => known.startsWith(`${route}/`));

test('every route in a document exists', () => {
  const routes = CODE.flatMap(([name, line]) =>
    [...line.matchAll(/(?:\b(?:GET|POST) |\/api\/v1)(\/[\w{}$/.?=&-]+)/g)].map(
      ([, path = '']) => [name, path] as const,
    ),
  );
  expect(routes.length).toBeGreaterThan(80);
  expect(routes.filter(([, path]) => templateOf(path) !== '/{}' && !isKnown(templateOf(path)))).toEqual([]);
});
