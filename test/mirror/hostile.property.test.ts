import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { VulnerabilityRecord } from '../../src/domain/vulnerability/record.ts';
import { JUSTIFICATIONS } from '../../src/domain/vulnerability/vex.ts';
import type { VexFact } from '../../src/mirror/facts.ts';
import {
  cisaContainer,
  csafVex,
  cveRecord,
  enisaEntry,
  kevCatalogue,
  openVex,
  osvRecord,
  read,
  refusalOf,
  wordfenceFeed,
  wordfenceRecord,
} from '../support/feeds.ts';

/** Feeds of two records, of which the first stays as it is. */
const FEEDS: Readonly<Record<string, (second: object) => unknown>> = {
  osv: (second) => [osvRecord(), second],
  wordfence: (second) => wordfenceFeed(wordfenceRecord(), { id: 'second', ...second }),
  cve: (second) => [cveRecord(), second],
  cisa: (second) => kevCatalogue([...(kevCatalogue().vulnerabilities as []), second as never]),
  enisa: (second) => [enisaEntry(), second],
  csaf: (second) => [csafVex(), second],
  openvex: (second) => [openVex(), second],
};
const RECORDS: Readonly<Record<string, object>> = {
  osv: osvRecord({ id: 'X-2' }),
  wordfence: wordfenceRecord({ id: 'second' }),
  cve: cveRecord({ adp: [cisaContainer({ other: { type: 'kev', content: { dateAdded: '2026-01-01' } } })] }),
  cisa: (kevCatalogue().vulnerabilities as object[])[0] ?? {},
  enisa: enisaEntry(),
  csaf: csafVex({ tracking: { id: 'X-2' } }),
  openvex: openVex({ '@id': 'urn:2' }),
};

/** How many values stand in a value, itself included. */
const count = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, inner) => sum + count(inner), 1)
    : 1;

/** The value with the one of this number, counted from outside, in another's place. */
function replaced(value: unknown, at: number, other: unknown): unknown {
  if (at === 0) return other;
  let left = at - 1;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  for (const key of Object.keys(copy)) {
    const inside = count(copy[key]);
    if (left >= 0 && left < inside) copy[key] = replaced(copy[key], left, other);
    left -= inside;
  }
  return copy;
}

const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    null,
    '',
    [],
    {},
    [null],
    [[]],
    -1,
    1e300,
    '9999-12-31',
    'x'.repeat(5_000),
    '__proto__',
    '*',
  ),
  fc.constant(JSON.parse('{"__proto__": {"id": "x"}, "constructor": null}')),
);

function assertBounds({ id, title, references, severity, affected, source }: VulnerabilityRecord): void {
  expect([typeof source, id.length > 0 && id.length <= 128]).toEqual(['string', true]);
  expect(title.length > 0 && title.length <= 300).toBe(true);
  expect(references.length).toBeLessThanOrEqual(10);
  for (const reference of references) expect(reference).toStartWith('https://');
  for (const { score } of severity) expect(score).toMatch(/^(?:CVSS:|AV:)/);
  expect(affected.length).toBeGreaterThan(0);
  for (const { versions, ranges } of affected)
    for (const version of [...versions, ...ranges.flatMap(({ from, to, fixed }) => [from, to, fixed])])
      expect(version === null || (typeof version === 'string' && version.length <= 128)).toBe(true);
}

function assertStatement({ cve, document, name, version, impact, statedAt, justification }: VexFact): void {
  expect([cve.length <= 128, document.length <= 512, name.length <= 128]).toEqual([true, true, true]);
  expect(version === null || (typeof version === 'string' && version.length <= 128)).toBe(true);
  expect([impact.length <= 300, Number.isFinite(statedAt)]).toEqual([true, true]);
  expect(justification).toBeOneOf([null, ...JUSTIFICATIONS]);
}

describe.each(Object.keys(FEEDS))('a feed of %s', (name) => {
  const record = RECORDS[name] as object;
  const feedOf = FEEDS[name] as (second: object) => unknown;

  test('with any value in the place of any other is read but for that record, within all bounds', async () => {
    const change = fc.tuple(fc.nat(count(record) - 1), anyValue);
    await fc.assert(
      fc.asyncProperty(change, async ([at, other]) => {
        const { facts, summary } = await read(feedOf(replaced(record, at, other) as object));
        const { records, refused, skipped, withdrawn } = summary;
        expect(records + refused + skipped + withdrawn).toBe(2);
        expect(records).toBeGreaterThanOrEqual(1);
        for (const fact of facts)
          if (fact.kind === 'vulnerability') assertBounds(fact.record);
          else if (fact.kind === 'vex') assertStatement(fact);
      }),
      { numRuns: 80 },
    );
  });

  test('with any bytes changed is read or refused, and never anything else', async () => {
    const content = Buffer.from(
      typeof feedOf(record) === 'string' ? String(feedOf(record)) : JSON.stringify(feedOf(record)),
    );
    const change = fc.tuple(fc.nat(content.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const changed = Uint8Array.from(content);
        for (const [at, byte] of changes) changed[at] = byte;
        const [why, words] = await refusalOf(changed);
        expect(why === 'taken' || words.length > 0).toBe(true);
      }),
      { numRuns: 80 },
    );
  });
});
