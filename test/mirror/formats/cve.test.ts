import { describe, expect, test } from 'bun:test';
import { type ComponentMatch, matchComponent } from '../../../src/domain/vulnerability/match.ts';
import type { EnrichmentFact, FeedFact } from '../../../src/mirror/facts.ts';
import { cisaContainer, cveProduct, cveRecord, read } from '../../support/feeds.ts';

type Outcome = ComponentMatch['outcome'];

const factsOf = async (record: unknown): Promise<readonly FeedFact[]> => (await read(record)).facts;
const enrichmentOf = async (record: unknown) =>
  (await factsOf(record)).find((fact): fact is EnrichmentFact => fact.kind === 'enrichment');

async function affectedBy(...affected: readonly Readonly<Record<string, unknown>>[]) {
  const fact = (await factsOf(cveRecord({ cna: { affected } }))).find(({ kind }) => kind === 'vulnerability');
  return fact?.kind === 'vulnerability' ? fact.record.affected : undefined;
}

async function rangeOf(version: Readonly<Record<string, unknown>>) {
  const affected = await affectedBy(cveProduct({ versions: [{ status: 'affected', ...version }] }));
  const range = affected?.[0]?.ranges[0];
  return range && [range.from, range.to, range.toInclusive, range.fixed];
}

test('a CVE of a WordPress plugin contains the vulnerability and its enrichment', async () => {
  const severity = [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H' }];
  expect(await factsOf(cveRecord())).toEqual([
    {
      kind: 'vulnerability',
      record: {
        source: 'cve',
        id: 'CVE-2026-3000',
        aliases: [],
        upstream: [],
        title: 'WordPress Vite Coupon plugin <= 1.0.9 - CSRF vulnerability',
        severity,
        cwe: ['CWE-352'],
        publishedAt: Date.parse('2026-04-09T16:09:22.376Z'),
        modifiedAt: Date.parse('2026-04-28T16:12:26.824Z'),
        references: ['https://patchstack.com/database/x?_s_id=cve'],
        hasPublicExploit: false,
        affected: [
          {
            ecosystem: 'wordpress-plugin',
            name: 'vite-coupon',
            versions: [],
            ranges: [{ from: null, fromInclusive: true, to: '1.0.9', toInclusive: true, fixed: '1.0.10' }],
          },
        ],
      },
    },
    {
      kind: 'enrichment',
      modifiedAt: Date.parse('2026-04-28T16:12:26.824Z'),
      cve: 'CVE-2026-3000',
      severity,
      ssvc: { exploitation: 'active', automatable: 'yes', technicalImpact: 'total' },
      knownExploited: null,
    },
  ]);
});

describe('the enrichment of a CVE', () => {
  const kev = {
    other: { type: 'kev', content: { dateAdded: '2026-05-01', reference: 'https://www.cisa.gov/x' } },
  };
  const cvss = {
    cvssV4_0: { vectorString: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N' },
  };

  test("includes CISA's additions: a vector, and exploitation", async () => {
    const fact = await enrichmentOf(cveRecord({ cna: { affected: [] }, adp: [cisaContainer(kev, cvss)] }));
    expect(fact?.knownExploited).toEqual({ since: Date.parse('2026-05-01T00:00:00Z') });
    expect(fact?.severity.map(({ type }) => type)).toEqual(['CVSS_V4', 'CVSS_V3']);
  });

  test('includes nothing that another container claims for CISA', async () => {
    const stranger = { ...cisaContainer(kev), providerMetadata: { orgId: 'x', shortName: 'CISA-ADP' } };
    expect(await enrichmentOf(cveRecord({ adp: [stranger] }))).toMatchObject({
      ssvc: null,
      knownExploited: null,
    });
    expect(await enrichmentOf(cveRecord({ adp: [], cna: { metrics: [kev, cvss] } }))).toMatchObject({
      knownExploited: null,
    });
  });

  test('is unknown where the answer is unknown', async () => {
    const other = {
      type: 'ssvc',
      content: { options: [{ Exploitation: 'PoC' }, { Automatable: 'perhaps' }, 7] },
    };
    const container = { ...cisaContainer(), metrics: [{ other }] };
    expect((await enrichmentOf(cveRecord({ adp: [container] })))?.ssvc).toEqual({
      exploitation: 'poc',
      automatable: null,
      technicalImpact: null,
    });
  });
});

describe('the WordPress components of a CVE', () => {
  test('are plugins, themes and WordPress itself; a product without slug is none', async () => {
    const theme = cveProduct({ packageName: 'Bricks', collectionURL: 'https://wordpress.org/themes/' });
    const core = cveProduct({
      vendor: 'WordPress',
      product: 'WordPress',
      packageName: undefined,
      collectionURL: undefined,
    });
    const unnamed = cveProduct({ packageName: undefined });
    const foreign = cveProduct({ collectionURL: 'https://wordpress.org.example/plugins' });
    const affected = await affectedBy(theme, core, unnamed, foreign);
    expect(affected?.map(({ ecosystem, name }) => [ecosystem, name])).toEqual([
      ['wordpress-theme', 'bricks'],
      ['wordpress-core', 'wordpress'],
    ]);
  });

  test('have the ranges that the CVE defines', async () => {
    expect(await rangeOf({ version: '2.0', lessThan: '2.5' })).toEqual(['2.0', '2.5', false, '2.5']);
    expect(await rangeOf({ version: '0', lessThanOrEqual: '1.9.6' })).toEqual([null, '1.9.6', true, null]);
    expect(await rangeOf({ version: '1.0', lessThanOrEqual: '*' })).toEqual(['1.0', null, false, null]);
    const changes = [{ at: '3.2', status: 'unaffected' }];
    expect(await rangeOf({ version: '3.0', lessThan: '*', changes })).toEqual(['3.0', '3.2', false, '3.2']);
    expect(await rangeOf({ version: '3.0', lessThan: '4.0', changes })).toEqual(['3.0', '3.2', false, '3.2']);
  });

  test('are affected in exactly the listed versions', async () => {
    const versions = [
      { version: '1.0', status: 'affected' },
      { version: '1.1', status: 'unaffected' },
    ];
    expect(await affectedBy(cveProduct({ versions }))).toMatchObject([{ versions: ['1.0'], ranges: [] }]);
  });

  test("have the default status without an entry, and keep the CVE's enrichment", async () => {
    const versions = [{ version: '2.0', lessThan: '*', status: 'unaffected' }];
    const product = cveProduct({ defaultStatus: 'affected', versions });
    expect(await affectedBy(product)).toMatchObject([{ ranges: [{ from: null, to: '2.0', fixed: '2.0' }] }]);
    const kinds = (await factsOf(cveRecord({ cna: { affected: [product] } }))).map(({ kind }) => kind);
    expect(kinds).toEqual(['vulnerability', 'enrichment']);
  });
});

describe('a version of a CVE is', () => {
  const outcome = async (fields: Readonly<Record<string, unknown>>, version: string) => {
    const records = (await affectedBy(cveProduct(fields))) ?? [];
    return matchComponent('wordpress-plugin', version, [{ vulnerability: 1, records }]).outcome;
  };
  const [HIT, NONE, OPEN] = ['vulnerable', 'no_known', 'unknown_version'] as const;

  test.each<[string, string, Outcome]>([
    ['<= 1.0.9', '1.0.9', HIT],
    ['<= 1.0.9', '1.0.10', NONE],
    ['< 2.0', '2.0', NONE],
    ['< 2.0', '1.9', HIT],
    ['>= 1.0, < 1.5', '0.9', NONE],
    ['>= 1.0, < 1.5', '1.0', HIT],
    ['>= 1.0, < 1.5', '1.5.0', NONE],
    ['1.0 - 1.5', '1.5', HIT],
    ['1.0 - 1.5', '1.6', NONE],
    ['1.x', '1.0-beta', HIT],
    ['1.x', '1.99', HIT],
    ['1.x', '2.0-beta', NONE],
    ['1.0.*', '1.0', HIT],
    ['1.0.*', '1.1', NONE],
    ['1.9.x', '1.10', NONE],
    ['1.0.9 and earlier', '0.1', HIT],
    ['1.0.9 and prior versions', '1.0.10', NONE],
    ['before v2.0', '1.9', HIT],
    ['before 2.0', '2.0', NONE],
    ['from 1.0 through 1.5', '1.5', HIT],
    ['from n/a through 1.5', '0.1', HIT],
    ['up to, and including, 1.5', '1.5', HIT],
    ['1.2 and later', '1.1', NONE],
    ['n/a', '7.7', HIT],
    ['*', 'trunk', HIT],
    ['All versions', '7.7', HIT],
    ['unspecified', '7.7', HIT],
    ['version 1.2', '1.2.0', HIT],
    ['= 1.2', '1.3', NONE],
    ['trunk', 'trunk', HIT],
    ['trunk', '1.0', OPEN],
    ['0', '1.0', OPEN],
    ['1.0-1.5', '1.2', OPEN],
    ['2.0, < 1.0', '1.2', OPEN],
    ['>= 2.0, < 1.0', '1.2', OPEN],
    ['1.0 (some builds)', '1.2', OPEN],
  ])('by "%s", %s: %s', async (written, version, expected) => {
    expect(await outcome({ versions: [{ version: written, status: 'affected' }] }, version)).toBe(expected);
  });

  const from1 = { version: '1.0', status: 'affected' };
  test.each<[string, Readonly<Record<string, unknown>>, string, Outcome]>([
    ['1.0 to 1.*', { versions: [{ ...from1, lessThan: '1.*' }] }, '1.99', HIT],
    ['1.0 to 1.*', { versions: [{ ...from1, lessThan: '1.*' }] }, '2.0', NONE],
    ['an unclear end', { versions: [{ ...from1, lessThan: 'the fix' }] }, '0.9', NONE],
    ['an unclear end', { versions: [{ ...from1, lessThan: 'the fix' }] }, '1.1', OPEN],
    ['an end before the beginning', { versions: [{ ...from1, lessThan: '0.5' }] }, '0.1', OPEN],
    ['hashes of commits', { versions: [{ ...from1, lessThan: '2a', versionType: 'git' }] }, '1.1', OPEN],
    ['status unknown', { versions: [{ ...from1, lessThan: '2', status: 'unknown' }] }, '1.1', OPEN],
    ['status unknown', { versions: [{ ...from1, lessThan: '2', status: 'unknown' }] }, '2.1', NONE],
    ['no versions, affected by default', { versions: [], defaultStatus: 'affected' }, '1.1', HIT],
    ['no versions, and no default', { versions: [], defaultStatus: undefined }, '1.1', OPEN],
    ['an unknown default', { versions: [from1], defaultStatus: 'unknown' }, '1.1', OPEN],
    ['no default next to affected entries', { versions: [from1], defaultStatus: undefined }, '1.1', NONE],
    [
      'a default with an unclear exception',
      { versions: [{ version: 'pro', status: 'unaffected' }], defaultStatus: 'affected' },
      '1.1',
      OPEN,
    ],
    [
      'an unclear entry next to a clear one',
      {
        versions: [
          { version: 'trunk', status: 'unaffected' },
          { ...from1, lessThan: '2' },
        ],
      },
      '1.1',
      HIT,
    ],
    [
      'unordered changes',
      {
        versions: [
          {
            ...from1,
            lessThan: '4.0',
            changes: [
              { at: '3.0', status: 'affected' },
              { at: '2.0', status: 'unaffected' },
            ],
          },
        ],
      },
      '3.5',
      HIT,
    ],
    [
      'an unclear change of an unaffected range',
      {
        versions: [
          { version: '0', lessThan: '*', status: 'unaffected', changes: [{ at: '1.x', status: 'affected' }] },
        ],
      },
      '1.5',
      OPEN,
    ],
  ])('by %s', async (_, fields, version, expected) => {
    const product = { defaultStatus: 'unaffected', ...fields };
    expect(await outcome(product, version)).toBe(expected);
  });

  test('affected again where a later change sets that', async () => {
    const changes = [
      { at: '1.2', status: 'unaffected' },
      { at: '2.0', status: 'affected' },
      { at: '2.3', status: 'unaffected' },
    ];
    const versions = [{ version: '1.0', lessThan: '3.0', status: 'affected', changes }];
    const [product] = (await affectedBy(cveProduct({ versions }))) ?? [];
    expect(product?.ranges.map(({ from, to, fixed }) => [from, to, fixed])).toEqual([
      ['1.0', '1.2', '1.2'],
      ['2.0', '2.3', '2.3'],
    ]);
  });

  test('fixed in a version, never in a whole line', async () => {
    expect(await rangeOf({ version: '1.0', lessThan: '2.*' })).toEqual(['1.0', '3.x', false, null]);
  });

  test('refused with its record when it is not a string, or not a list', async () => {
    const bad = [
      { versions: { version: '1.0' } },
      { versions: ['1.0'] },
      { versions: [{ version: 1, status: 'affected' }] },
      { versions: [{ ...from1, changes: {} }] },
    ].map((fields) => cveRecord({ cna: { affected: [cveProduct(fields)] } }));
    const products = [cveProduct(), [cveProduct(), 'a plugin']];
    const records = products.map((affected) => cveRecord({ cna: { affected } }));
    const { summary } = await read([cveRecord(), ...bad, ...records]);
    expect(summary).toMatchObject({ records: 1, refused: 6 });
  });
});

test('a weakness that appears only in its description is found there', async () => {
  const problemTypes = [{ descriptions: [{ description: 'CWE-89 SQL Injection' }, { description: 'n/a' }] }];
  const [fact] = await factsOf(cveRecord({ cna: { problemTypes } }));
  expect(fact?.kind === 'vulnerability' && fact.record.cwe).toEqual(['CWE-89']);
});

test('a rejected CVE is withdrawn, an irrelevant one skipped, any other state refused', async () => {
  const plain = cveRecord({ cna: { affected: [], metrics: [] }, adp: [], meta: { cveId: 'CVE-2026-3002' } });
  const { facts, summary } = await read([
    cveRecord(),
    cveRecord({ meta: { cveId: 'CVE-2026-3001', state: 'REJECTED' } }),
    plain,
    cveRecord({ meta: { state: 'RESERVED' } }),
    cveRecord({ meta: { cveId: 'CVE-1' } }),
  ]);
  const modifiedAt = Date.parse('2026-04-28T16:12:26.824Z');
  expect(facts).toContainEqual({ kind: 'withdrawn', source: 'cve', id: 'CVE-2026-3001', modifiedAt });
  expect(summary).toMatchObject({ records: 1, withdrawn: 1, skipped: 1, refused: 2 });
});
