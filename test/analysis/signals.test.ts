import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyze, findingsIn } from '../../src/analysis/analysis.ts';
import type { Signal } from '../../src/analysis/signal.ts';
import { OWN_CASES } from '../evaluation/cases/index.ts';
import { TABLES, type Table } from './shown/index.ts';

const ANALYSIS = join(import.meta.dir, '../../src/analysis');

/** An import of the function that creates signals. */
const MAKES_SIGNALS = /[{ ]signal[ ,][^;]*\/signal\.ts'/;

const SHOWN_BY_CASES: ReadonlySet<Signal> = new Set(
  OWN_CASES.flatMap(({ cases }) => cases.flatMap((each) => findingsIn(each).map(({ signal }) => signal))),
);
const isShownByCase = (signal: Signal | readonly Signal[]): boolean =>
  [signal].flat().some((each) => SHOWN_BY_CASES.has(each));

const advice = ({ name: table, file, pairsFile }: Table, name: string): string =>
  `${table}.${name} (src/analysis/${file}) is found in no content of the tests. Put a content in which it is found, and a clean one ` +
  `that comes near, into test/evaluation/cases/, or into test/analysis/shown/${pairsFile} what is too small for a case. Remove it ` +
  'if nothing can report it any more. CONTRIBUTING.md, "Teach the analysis something", has the steps.';

describe('every signal is shown by a content of the tests', () => {
  test.each(TABLES.map((table) => [table.name, table] as const))('%s', (_, table) => {
    const unshown = Object.entries(table.signals).filter(
      ([name, signal]) => table.pairs[name] === undefined && !isShownByCase(signal),
    );
    expect(unshown.map(([name]) => advice(table, name))).toEqual([]);
  });

  test('in every file of the engine that creates one', () => {
    const files = readdirSync(ANALYSIS, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && MAKES_SIGNALS.test(readFileSync(join(ANALYSIS, file), 'utf8')),
    );
    expect(TABLES.map(({ file }) => file).toSorted()).toEqual(files.toSorted());
  });
});

describe.each(TABLES.map((table) => [table.name, table] as const))('%s', (_, table) => {
  const { inputType, signals } = table;
  const pairs = Object.entries(table.pairs).flatMap(([name, pair]) => (pair ? [[name, pair] as const] : []));

  test.each(pairs)('%s is found, and not in similar content', (name, { shown, near, siteUrl }) => {
    const signal = signals[name];
    const has = (content: string) =>
      findingsIn({ inputType, content, siteUrl }).some((found) => found.signal === signal);
    expect([has(shown), has(near)]).toEqual([true, false]);
    const { verdict, reasons } = analyze({ inputType, content: near, siteUrl });
    expect([verdict, reasons]).toEqual(['clean', reasons]);
  });
});
