import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dir, '../src');
const files = [...new Bun.Glob('**/*.ts').scanSync(SRC)].filter((file) => !file.endsWith('.d.ts'));
const sourceOf = (file: string) => readFileSync(join(SRC, file), 'utf8');
const floorOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : 'roof');

/** The floors that a file imports values from; types may come from anywhere. */
const importsOf = (file: string) =>
  [...sourceOf(file).matchAll(/^import (?!type )[^;]*? from '(\.[^']+\.ts)'/gms)].map(([, specifier]) =>
    floorOf(join(file, '..', specifier as string)),
  );

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  lib: ['lib'],
  domain: ['lib', 'domain'],
  operator: ['lib', 'domain', 'storage', 'operator'],
  payments: ['lib', 'domain', 'payments'],
  storage: ['lib', 'domain', 'storage'],
  outside: ['lib', 'domain', 'outside'],
  http: ['lib', 'domain', 'http'],
  routes: ['lib', 'domain', 'http', 'routes'],
  signals: ['lib', 'domain', 'http', 'signals'],
};

test.each(Object.keys(MAY_IMPORT))('%s imports only from the floors below it', (floor) => {
  const own = files.filter((file) => floorOf(file) === floor);
  expect(own.length).toBeGreaterThan(0);
  for (const file of own)
    for (const imported of importsOf(file))
      expect([file, MAY_IMPORT[floor]?.includes(imported)]).toEqual([file, true]);
});

test('cli imports neither http nor routes, and nobody below imports cli', () => {
  for (const file of files) {
    const imported = importsOf(file);
    if (floorOf(file) === 'cli')
      expect(imported.filter((floor) => ['http', 'routes'].includes(floor))).toEqual([]);
    else if (floorOf(file) !== 'roof') expect(imported).not.toContain('cli');
  }
});

test('only what listens knows which runtime it runs on', () => {
  for (const file of files) {
    if (floorOf(file) !== 'listen')
      expect([file, /\b(?:Bun|Deno)\./.test(sourceOf(file))]).toEqual([file, false]);
  }
});
