import { describe, expect, test } from 'bun:test';
import type { EnrichmentFact, FeedFact } from '../../../src/mirror/facts.ts';
import { cisaContainer, cveProduct, cveRecord, read } from '../../support/feeds.ts';

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

test('a CVE of a WordPress plugin gives the vulnerability and what enriches it', async () => {
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

describe('what enriches a CVE', () => {
  const kev = {
    other: { type: 'kev', content: { dateAdded: '2026-05-01', reference: 'https://www.cisa.gov/x' } },
  };
  const cvss = {
    cvssV4_0: { vectorString: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N' },
  };

  test('is also what CISA adds: a vector, and that it is exploited', async () => {
    const fact = await enrichmentOf(cveRecord({ cna: { affected: [] }, adp: [cisaContainer(kev, cvss)] }));
    expect(fact?.knownExploited).toEqual({ since: Date.parse('2026-05-01T00:00:00Z') });
    expect(fact?.severity.map(({ type }) => type)).toEqual(['CVSS_V4', 'CVSS_V3']);
  });

  test('is nothing that another container says in the name of CISA', async () => {
    const stranger = { ...cisaContainer(kev), providerMetadata: { orgId: 'x', shortName: 'CISA-ADP' } };
    expect(await enrichmentOf(cveRecord({ adp: [stranger] }))).toMatchObject({
      ssvc: null,
      knownExploited: null,
    });
    expect(await enrichmentOf(cveRecord({ adp: [], cna: { metrics: [kev, cvss] } }))).toMatchObject({
      knownExploited: null,
    });
  });

  test('is unknown where the answer is not known', async () => {
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

  test('have the ranges that CVE means', async () => {
    expect(await rangeOf({ version: '2.0', lessThan: '2.5' })).toEqual(['2.0', '2.5', false, '2.5']);
    expect(await rangeOf({ version: '0', lessThanOrEqual: '1.9.6' })).toEqual([null, '1.9.6', true, null]);
    expect(await rangeOf({ version: '1.0', lessThanOrEqual: '*' })).toEqual(['1.0', null, false, null]);
    const changes = [{ at: '3.2', status: 'unaffected' }];
    expect(await rangeOf({ version: '3.0', lessThan: '*', changes })).toEqual(['3.0', '3.2', false, '3.2']);
    expect(await rangeOf({ version: '3.0', lessThan: '4.0', changes })).toEqual(['3.0', '3.2', false, '3.2']);
  });

  test('are affected in the versions that are named alone', async () => {
    const versions = [
      { version: '1.0', status: 'affected' },
      { version: '1.1', status: 'unaffected' },
    ];
    expect(await affectedBy(cveProduct({ versions }))).toMatchObject([{ versions: ['1.0'], ranges: [] }]);
  });

  test('that are affected by default are refused: no range could say so', async () => {
    const product = cveProduct({ defaultStatus: 'affected' });
    const { summary } = await read([cveRecord(), cveRecord({ cna: { affected: [product] } })]);
    expect(summary).toMatchObject({ records: 1, refused: 1 });
  });
});

test('a weakness that stands in its description alone is found there', async () => {
  const problemTypes = [{ descriptions: [{ description: 'CWE-89 SQL Injection' }, { description: 'n/a' }] }];
  const [fact] = await factsOf(cveRecord({ cna: { problemTypes } }));
  expect(fact?.kind === 'vulnerability' && fact.record.cwe).toEqual(['CWE-89']);
});

test('a rejected CVE is told as withdrawn, one without meaning here passed over, any other state refused', async () => {
  const plain = cveRecord({ cna: { affected: [], metrics: [] }, adp: [], meta: { cveId: 'CVE-2026-3002' } });
  const { facts, summary } = await read([
    cveRecord(),
    cveRecord({ meta: { cveId: 'CVE-2026-3001', state: 'REJECTED' } }),
    plain,
    cveRecord({ meta: { state: 'RESERVED' } }),
    cveRecord({ meta: { cveId: 'CVE-1' } }),
  ]);
  expect(facts).toContainEqual({ kind: 'withdrawn', source: 'cve', id: 'CVE-2026-3001' });
  expect(summary).toMatchObject({ records: 1, withdrawn: 1, skipped: 1, refused: 2 });
});
