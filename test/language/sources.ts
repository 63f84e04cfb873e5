import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATEGORIES } from '../../src/analysis/categories.ts';
import { SETTINGS, type Setting } from '../../src/settings/settings.ts';
import { TABLES } from '../analysis/shown/index.ts';
import { CONTRACT_TEXTS } from './contracts.ts';
import { passagesOf } from './prose.ts';

// The texts that a person reads. Another source, such as the help of commands, is one more entry.

const ROOT = join(import.meta.dir, '../..');
const filesLike = (pattern: string) => [...new Bun.Glob(pattern).scanSync({ cwd: ROOT, dot: true })].sort();
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');

/** A text and its place. */
export interface Text {
  readonly place: string;
  readonly text: string;
}

export interface Source {
  readonly name: string;
  readonly texts: () => Text[];
}

const ofSettings = (): Text[] =>
  Object.values<Setting>(SETTINGS).map(({ env, help }) => ({ place: env, text: help }));

const ofAnalysis = (): Text[] => [
  ...Object.entries(CATEGORIES).map(([place, { meaning }]) => ({ place, text: meaning })),
  ...TABLES.flatMap(({ name, signals }) =>
    Object.values(signals)
      .flat()
      .map(({ what }) => ({ place: name, text: what })),
  ),
];

/** Tables of the handbook repeat these: they are counted where they are written. */
const repeated = new Set([...ofSettings(), ...ofAnalysis()].map(({ text }) => text));

const ofDocument = (place: string): Text[] =>
  passagesOf(read(place))
    .filter(({ text }) => !repeated.has(text))
    .map(({ text }) => ({ place, text }));

const wholeFiles = (...patterns: string[]): Text[] =>
  patterns.flatMap(filesLike).map((place) => ({ place, text: read(place) }));

const COMMENT = /(?:^|\s)\/\/ .*|^\s*\/?\*.*/gm;
const TEST_NAME = /\b(?:test|describe)(?:\.\w+(?:\([^()]*\))?)*\(\s*(['"`])(.+?)\1/g;

const matchesIn = (pattern: string, words: RegExp): Text[] =>
  wholeFiles(pattern).flatMap(({ place, text }) =>
    [...text.matchAll(words)].map((match) => ({ place, text: match.at(-1) ?? '' })),
  );

/** These contain no phrase except the allowed ones. */
export const CLEAN: readonly Source[] = [
  {
    name: 'documents',
    texts: () =>
      ['test/evaluation/SOURCES.md', ...filesLike('*.md'), ...filesLike('docs/**/*.md')].flatMap(ofDocument),
  },
  { name: 'units', texts: () => wholeFiles('systemd/*') },
  {
    name: 'clients and samples',
    texts: () => wholeFiles('docs/clients/*', 'docs/integrations/**/*.*', 'docs/scaling/*'),
  },
  {
    name: 'what comes with a release',
    texts: () => wholeFiles('tools/release/*.txt', 'tools/release/debian/*'),
  },
  { name: 'help of settings', texts: ofSettings },
  { name: 'reasons of the analysis', texts: ofAnalysis },
  { name: 'OpenAPI documents', texts: () => [...CONTRACT_TEXTS] },
  { name: 'comments in src', texts: () => matchesIn('src/**/*.{ts,tsx}', COMMENT) },
  { name: 'comments in test', texts: () => matchesIn('test/**/*.ts', COMMENT) },
  { name: 'names of tests', texts: () => matchesIn('test/**/*.test.ts', TEST_NAME) },
];

/** The sentences of these are limited in length. */
export const HANDBOOK: readonly string[] = filesLike('docs/**/*.md');
export const passagesOfPage = (page: string): string[] =>
  passagesOf(read(page)).flatMap(({ text, isCode }) => (isCode || repeated.has(text) ? [] : [text]));
