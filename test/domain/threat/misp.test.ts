import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ATTACK_TYPES } from '../../../src/domain/threat/attack-type.ts';
import type { FeedObject } from '../../../src/domain/threat/feed-object.ts';
import { fingerprintOf } from '../../../src/domain/threat/fingerprint.ts';
import { isOwnMispFile, mispFiles } from '../../../src/domain/threat/misp.ts';
import { DAY_MS, utcDay } from '../../../src/lib/clock.ts';
import { writeMisp as writeFiles } from '../../../src/operator/feed-exchange/write-misp.ts';
import { hasPythonTools, runPython } from '../../support/python-tools.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const NOW = Date.UTC(2026, 10, 30);

const object: fc.Arbitrary<FeedObject> = fc.record({
  fingerprint: fc
    .string()
    .map((payloadHash) => fingerprintOf({ attackType: '', behaviorClass: '', payloadHash })),
  uuid: fc.constant(''),
  attackType: fc.constantFrom(...ATTACK_TYPES),
  corroborationCount: fc.integer({ min: 1, max: 9 }),
  createdAt: fc.integer({ min: 0, max: 3 }).map((days) => NOW - days * DAY_MS),
  modifiedAt: fc.integer({ min: NOW, max: NOW + DAY_MS }),
  dateAdded: fc.nat(),
  isWithdrawn: fc.boolean(),
});
const objects = fc.uniqueArray(object, { maxLength: 12, selector: ({ fingerprint }) => fingerprint });
const directory = () => join(temporaryDirectory(), 'feed');
const writeMisp = (path: string, files: ReadonlyMap<string, string>) =>
  writeFiles(path, files, (name, text) => isOwnMispFile(name, text, 'one'));

test('the same threats are the same files, in whichever order, and those of another installation share no name with them', () => {
  fc.assert(
    fc.property(objects, (threats) => {
      const files = mispFiles(threats, 'one');
      expect(mispFiles(threats.toReversed(), 'one')).toEqual(files);
      const shared = [...mispFiles(threats, 'two').keys()].filter((name) => files.has(name));
      expect(shared).toEqual(['hashes.csv', 'manifest.json']);
      const days = new Set(threats.map(({ createdAt }) => utcDay(createdAt)));
      expect(files.size).toBe(days.size + 2);
    }),
  );
});

test('only files that change are written, and those of events that are gone are removed', () => {
  fc.assert(
    fc.property(objects, objects, (before, after) => {
      const path = directory();
      writeMisp(path, mispFiles(before, 'one'));
      const files = mispFiles(after, 'one');
      const old = new Map(readdirSync(path).map((name) => [name, statSync(join(path, name)).ino]));
      const was = new Map([...old.keys()].map((name) => [name, readFileSync(join(path, name), 'utf8')]));
      const { written, unchanged } = writeMisp(path, files);
      expect(readdirSync(path).toSorted()).toEqual([...files.keys()].toSorted());
      const same = [...files].filter(([name, text]) => was.get(name) === text).map(([name]) => name);
      expect([unchanged, written]).toEqual([same.length, files.size - same.length]);
      for (const name of same) expect(statSync(join(path, name)).ino).toBe(old.get(name) ?? 0);
      for (const [name, text] of files) expect(readFileSync(join(path, name), 'utf8')).toBe(text);
    }),
    { numRuns: 30 },
  );
});

const FOREIGN = '4f9b62a4-6a1b-4a70-8e04-bb0d10a46f17';
const threat: FeedObject = {
  fingerprint: 'f',
  uuid: '',
  attackType: 'xss',
  corroborationCount: 1,
  isWithdrawn: false,
  createdAt: NOW,
  modifiedAt: NOW,
  dateAdded: 1,
};
const contents = (path: string) =>
  readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'utf8')]);

test.each([
  ['other files', { other: '' }],
  ['the feed of another organisation', { 'manifest.json': `{"${FOREIGN}":{"date":"2026-11-30"}}` }],
  ['the events of one', { [`${FOREIGN}.json`]: '{"Event":{"date":"2026-11-30"}}' }],
  ['the feed of another installation', Object.fromEntries(mispFiles([threat], 'two'))],
  ['the manifest of a web application', { 'manifest.json': '{"name":"shop"}', 'index.html': '' }],
  ['a manifest that is no JSON', { 'manifest.json': '' }],
])('a directory with %s is refused, and nothing is written or removed', (_, files) => {
  const path = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  const before = contents(path);
  expect(() => writeMisp(path, mispFiles([threat], 'one'))).toThrow(/Use an empty directory/);
  expect(contents(path)).toEqual(before);
});

test('a new directory and its files are readable by a web server, with any umask', () => {
  const path = directory();
  const umask = process.umask(0o077);
  try {
    writeMisp(path, mispFiles([threat], 'one'));
  } finally {
    process.umask(umask);
  }
  const modes = [path, ...readdirSync(path).map((name) => join(path, name))].map(
    (each) => statSync(each).mode & 0o777,
  );
  expect(modes).toEqual([0o755, 0o644, 0o644, 0o644]);
});

test('an export that was interrupted at any file is completed by the next one', () => {
  const earlier = { ...threat, fingerprint: 'e', createdAt: NOW - DAY_MS };
  const [before, files] = [mispFiles([earlier], 'one'), mispFiles([threat], 'one')];
  for (const first of [new Map<string, string>(), before])
    for (let written = 0; written <= files.size; written++) {
      const path = temporaryDirectory();
      for (const [name, text] of [...first, ...[...files].slice(0, written)])
        writeFileSync(join(path, name), text);
      writeMisp(path, files);
      expect(contents(path).toSorted()).toEqual([...files].toSorted());
    }
});

test('a link in the place of a file is replaced, and its target is neither read nor changed', () => {
  const [path, target] = [directory(), join(temporaryDirectory(), 'target')];
  writeFileSync(target, 'theirs');
  writeMisp(path, mispFiles([threat], 'one'));
  for (const name of [...mispFiles([threat], 'one').keys()].filter((each) => each !== 'manifest.json')) {
    rmSync(join(path, name));
    symlinkSync(target, join(path, name));
  }
  writeMisp(path, mispFiles([threat], 'one'));
  expect(new Map(contents(path) as [string, string][])).toEqual(new Map(mispFiles([threat], 'one')));
  expect(readFileSync(target, 'utf8')).toBe('theirs');
});

test.each([
  [1, 'xss, medium, reported by 1 customer'],
  [2, 'xss, medium, reported by 2 customers'],
])('the number of customers who reported a threat is in correct English: %d', (corroborationCount, words) => {
  const [event = ''] = mispFiles([{ ...threat, corroborationCount }], 'one').values();
  expect(JSON.parse(event).Event.Attribute[0].comment).toBe(words);
});

test.skipIf(!hasPythonTools)(
  'PyMISP reads every event, and finds the manifest and the hashes right',
  async () => {
    const threats = fc.sample(objects, 20).find(({ length }) => length > 8) ?? [];
    const path = directory();
    writeMisp(path, mispFiles(threats, 'one'));
    const { events, strays } = await runPython('misp-feed.py', path);
    const valuesOf = (isWithdrawn: boolean) =>
      threats.flatMap((each) => (each.isWithdrawn === isWithdrawn ? each.fingerprint : [])).toSorted();
    const all = (name: string) => events.flatMap((event: Record<string, string[]>) => event[name]).toSorted();
    expect([all('values'), all('deleted'), strays]).toEqual([valuesOf(false), valuesOf(true), []]);
    expect(new Set(events.map(({ orgc }: { orgc: string }) => orgc))).toEqual(new Set(['Redoubt']));
  },
);
