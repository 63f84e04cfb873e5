import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ATTACK_TYPES } from '../../../src/domain/threat/attack-type.ts';
import type { FeedObject } from '../../../src/domain/threat/feed-object.ts';
import { fingerprintOf } from '../../../src/domain/threat/fingerprint.ts';
import { mispFiles } from '../../../src/domain/threat/misp.ts';
import { DAY_MS, utcDay } from '../../../src/lib/clock.ts';
import { writeMisp } from '../../../src/operator/feed-exchange/write-misp.ts';
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

test('a directory with other files is refused, and nothing is written', () => {
  const path = temporaryDirectory();
  writeFileSync(join(path, 'other'), '');
  expect(() => writeMisp(path, mispFiles([], 'one'))).toThrow('has other files');
  expect(readdirSync(path)).toEqual(['other']);
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
