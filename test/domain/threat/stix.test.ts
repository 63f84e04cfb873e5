import { expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { ATTACK_TYPES, severityOfAttack } from '../../../src/domain/threat/attack-type.ts';
import type { FeedEntry } from '../../../src/domain/threat/feed.ts';
import {
  bundleComment,
  bundleIn,
  type FeedBundle,
  installationOf,
} from '../../../src/domain/threat/feed-bundle.ts';
import { fingerprintOf } from '../../../src/domain/threat/fingerprint.ts';
import { indicatorUuid, stixText } from '../../../src/domain/threat/stix.ts';
import { uuid5 } from '../../../src/lib/uuid5.ts';
import { readThreats } from '../../../src/operator/feed-exchange/read-threats.ts';
import oasis from './stix-2.1-schemas.json' with { type: 'json' };

const NOW = Date.UTC(2026, 10, 27);
const bundle: FeedBundle = {
  installation: '3f9a1c2e00000000',
  serial: 7,
  epoch: 7,
  expiresAt: NOW + 86_400_000,
};

const entry: fc.Arbitrary<FeedEntry> = fc
  .tuple(fc.constantFrom(...ATTACK_TYPES), fc.string(), fc.integer({ min: 1, max: 1_000_000 }))
  .map(([attack_type, payloadHash, corroboration_count]) => ({
    fingerprint: fingerprintOf({ attackType: attack_type, behaviorClass: '', payloadHash }),
    attack_type,
    severity: severityOfAttack(attack_type),
    corroboration_count,
  }));
const feed = fc.uniqueArray(entry, { maxLength: 8, selector: ({ fingerprint }) => fingerprint });

/** What OASIS' schemas find wrong with a bundle, and with each of its objects by the schema of its type. */
function isStix() {
  // Their expressions are not Unicode's.
  const ajv = new Ajv2020({ strict: false, unicodeRegExp: false, logger: false });
  addFormats(ajv);
  for (const schema of oasis.schemas) ajv.addSchema(schema);
  const named = (name: string) =>
    ajv.getSchema(oasis.schemas.find(({ $id }) => $id.endsWith(`/${name}.json`))?.$id ?? '');
  return (text: string): unknown => {
    const told = JSON.parse(text);
    const whole = named('bundle');
    // OASIS' schema of bundles does not list definitions of extensions, which its schema of these takes.
    const listed = told.objects.filter(({ type }: { type: string }) => type !== 'extension-definition');
    if (!whole?.({ ...told, objects: listed })) return whole?.errors;
    for (const object of told.objects) {
      const own = named(object.type);
      if (!own?.(object)) return [object.type, own?.errors];
    }
    return [];
  };
}

test("every feed is a bundle of STIX 2.1 by OASIS' schemas, which find what is wrong with others", () => {
  const faultsOf = isStix();
  fc.assert(
    fc.property(feed, (entries) => {
      expect(faultsOf(stixText(entries, bundle, NOW))).toEqual([]);
    }),
    { numRuns: 50 },
  );
  const one = stixText(fc.sample(feed, 50).find(({ length }) => length > 0) ?? [], bundle, NOW);
  for (const [what, by] of [
    ['"pattern_type":"stix",', ''],
    ['"type":"indicator"', '"type":"Indicator"'],
    ['.000Z', 'Z'],
    ['"created_by_ref":"identity--', '"created_by_ref":"identity-'],
  ] as const)
    expect([what, faultsOf(one.replace(what, by))]).not.toEqual([what, []]);
});

/** What an import reads, or why it refuses it. */
const threatsIn = (text: string) => readThreats(gzipSync(text)).catch(({ why }) => why);

test('what is read from a bundle is what was written, and the same feed is the same text', async () => {
  await fc.assert(
    fc.asyncProperty(feed, async (entries) => {
      const text = stixText(entries, bundle, NOW);
      expect(stixText(structuredClone(entries), { ...bundle }, NOW)).toBe(text);
      expect(await threatsIn(text)).toEqual(
        entries.map(({ fingerprint, attack_type }) => ({ fingerprint, attackType: attack_type })),
      );
    }),
    { numRuns: 50 },
  );
});

test("an indicator's id depends on the fingerprint alone, in bundles and in the API", () => {
  const own = [
    ...new Map(
      fc
        .sample(feed, 20)
        .flat()
        .map((each) => [each.fingerprint, each]),
    ).values(),
  ];
  const idsOf = (entries: FeedEntry[], other: Partial<FeedBundle>, at: number): string[] =>
    JSON.parse(stixText(entries, { ...bundle, ...other }, at)).objects.flatMap(
      ({ type, id }: { type: string; id: string }) => (type === 'indicator' ? [id] : []),
    );
  const ids = idsOf(own, {}, NOW);
  expect(new Set(ids).size).toBe(own.length);
  const changed = own.map((each) => ({ ...each, attack_type: 'other' as const, corroboration_count: 9 }));
  expect(idsOf(changed, { installation: '0'.repeat(16), serial: 8 }, NOW + 1)).toEqual(ids);
  expect(own.map(({ fingerprint }) => `indicator--${indicatorUuid(fingerprint)}`)).toEqual(ids);
});

test('a bundle with the older pattern is read, and one whose pattern names another fingerprint is refused', async () => {
  const [one] = fc.sample(entry, 1) as [FeedEntry];
  const text = stixText([one], bundle, NOW);
  const [, pattern = ''] = /"pattern":"([^"]+)"/.exec(text) ?? [];
  expect(pattern).toBe(`[x-redoubt-fingerprint:value = '${one.fingerprint}']`);
  const withPattern = (other: string) => threatsIn(text.replace(pattern, other));
  const read = [{ fingerprint: one.fingerprint, attackType: one.attack_type }];
  expect(await withPattern(`[x-redoubt-threat:fingerprint = '${one.fingerprint}']`)).toEqual(read);
  expect(await withPattern(pattern.replace(one.fingerprint, 'x'))).toBe('malformed');
  expect(await withPattern(pattern.replace('value', 'name'))).toBe('malformed');
});

test.each(
  Object.entries({
    nothing: ['', 'truncated'],
    null: ['null', 'malformed'],
    'a list': ['[]', 'malformed'],
    'one without objects': ['{"type":"bundle"}', 'malformed'],
    'one with no object': ['{"type":"bundle","objects":[]}', 'malformed'],
    'one whose objects are none': ['{"type":"bundle","objects":7}', 'malformed'],
    'one that does not say what it is': ['{"objects":[{}]}', 'malformed'],
    'another kind': ['{"type":"report","objects":[{}]}', 'malformed'],
    'one that is cut off': ['{"type":"bundle","objects":[{"type":"indicator"', 'truncated'],
    'one that is deep': [`{"type":"bundle","objects":[${'['.repeat(100_000)}`, 'malformed'],
    'one with a huge object': [`{"type":"bundle","objects":["${'x'.repeat(65_536)}"]}`, 'too_large'],
    'one with a huge name': [`{"${'x'.repeat(65_536)}":"bundle"`, 'too_large'],
  }),
)('%s is no bundle', async (_, [text = '', why = '']) => {
  expect(await threatsIn(text)).toBe(why);
});

test('a bundle has at most a million objects of all kinds', async () => {
  const withObjects = (count: number) => `{"type":"bundle","objects":[{}${',{}'.repeat(count - 1)}]}`;
  expect(await threatsIn(withObjects(1_000_000))).toEqual([]);
  expect(await threatsIn(withObjects(1_000_001))).toBe('too_large');
});

test('an installation is named after its key, whichever half is at hand', () => {
  const [one, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  expect(installationOf(one.privateKey)).toBe(installationOf(one.publicKey));
  expect(installationOf(one.privateKey)).toMatch(/^[0-9a-f]{16}$/);
  expect(installationOf(one.publicKey)).not.toBe(installationOf(other.publicKey));
});

test('a bundle with a threat that is malformed is none, and one with other objects is one without them', async () => {
  const good = stixText(fc.sample(entry, 1), bundle, NOW);
  expect(await threatsIn(good.replace(/"fingerprint":"[^"]+"/, '"fingerprint":"x"'))).toBe('malformed');
  expect(await threatsIn(good.replace(/"attack_type":"[^"]+"/, '"attack_type":7'))).toBe('malformed');
  expect(
    await threatsIn('{"type":"bundle","objects":[null,7,{"type":"malware"},{"type":"indicator"}]}'),
  ).toEqual([]);
});

test('a comment is read in its one form and no other', () => {
  expect(bundleIn(bundleComment(bundle))).toEqual(bundle);
  fc.assert(
    fc.property(fc.nat(200), fc.string({ maxLength: 2 }), (at, by) => {
      const comment = bundleComment(bundle);
      const other = comment.slice(0, at) + by + comment.slice(at + 1);
      const read = bundleIn(other);
      if (read) expect(bundleComment(read)).toBe(other);
    }),
  );
  expect(bundleIn(bundleComment(bundle).replace('format:1', 'format:2'))).toBeUndefined();
});

test("a name's UUID is that of RFC 9562, appendix A.4", () => {
  expect(uuid5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
    '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  );
});
