import { describe, expect, test } from 'bun:test';
import { ALL_UNDECIDED } from '../../../src/domain/vulnerability/record.ts';
import type { FeedFact } from '../../../src/mirror/facts.ts';
import { osvRecord, read, refusalOf } from '../../support/feeds.ts';

const recordIn = ([fact]: readonly FeedFact[]) => (fact?.kind === 'vulnerability' ? fact.record : undefined);
const onlyRecord = async (fields: Readonly<Record<string, unknown>>) =>
  recordIn((await read(osvRecord(fields))).facts);

const npm = (name: string, fields = {}) => ({
  package: { ecosystem: 'npm', name },
  ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }],
  ...fields,
});

describe('a record of OSV', () => {
  test('is stored without description, names of people or markup', async () => {
    const { facts, summary } = await read(osvRecord());
    expect(facts).toEqual([
      {
        kind: 'vulnerability',
        record: {
          source: 'osv:npm',
          id: 'GHSA-aaaa-bbbb-cccc',
          aliases: ['CVE-2026-1000'],
          upstream: [],
          title: 'Path traversal in left-pad & friends',
          severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' }],
          cwe: ['CWE-22'],
          publishedAt: Date.parse('2026-09-01T00:00:00Z'),
          modifiedAt: Date.parse('2026-10-01T10:00:00.500Z'),
          references: ['https://example.org/advisory'],
          hasPublicExploit: false,
          affected: [
            {
              ecosystem: 'npm',
              name: 'left-pad',
              versions: ['1.3.0-rc.1'],
              ranges: [{ from: null, fromInclusive: true, to: '1.3.1', toInclusive: false, fixed: '1.3.1' }],
            },
          ],
        },
      },
    ]);
    expect(summary).toMatchObject({
      format: 'osv',
      records: 1,
      publishedAt: Date.parse('2026-10-01T10:00:00.500Z'),
    });
    expect(JSON.stringify(facts)).not.toMatch(/Researcher|alert|Impact/);
  });

  test('of a distribution names its CVE upstream, and has its title in its details', async () => {
    const record = await onlyRecord({
      id: 'DEBIAN-CVE-2026-1',
      summary: undefined,
      aliases: null,
      upstream: ['CVE-2026-1'],
      details: '\nA flaw in libfoo.\nMore.',
      affected: [
        {
          package: { ecosystem: 'Debian:12', name: 'libfoo' },
          ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '1:2.0-3+deb12u1' }] }],
        },
      ],
    });
    expect(record).toMatchObject({
      source: 'osv:debian',
      title: 'A flaw in libfoo.',
      aliases: [],
      upstream: ['CVE-2026-1'],
      affected: [{ ecosystem: 'debian:12', ranges: [{ fixed: '1:2.0-3+deb12u1' }] }],
    });
  });

  test('shows a public exploit by a reference of type EVIDENCE', async () => {
    const references = [{ type: 'EVIDENCE', url: 'https://example.org/poc' }];
    expect((await onlyRecord({ references }))?.hasPublicExploit).toBe(true);
  });

  test('keeps the severity of a package, and no words instead of a vector', async () => {
    const severity = [
      { type: 'CVSS_V4', score: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N' },
    ];
    const affected = [npm('a', { severity })];
    const record = await onlyRecord({ affected, severity: [{ type: 'Ubuntu', score: 'medium' }] });
    expect(record?.severity.map(({ type }) => type)).toEqual(['CVSS_V4']);
  });

  test('skips packages that no client can query, and leaves ranges of commits undecided', async () => {
    const affected = [
      npm('*'),
      { package: { ecosystem: 'Go', name: 'x/y' }, versions: ['1.0.0'] },
      {
        package: { ecosystem: 'npm', name: 'commits' },
        ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }],
      },
      { package: { ecosystem: 'WordPress:Plugin', name: 'Contact-Us' }, versions: ['1.0'] },
    ];
    expect((await onlyRecord({ affected }))?.affected).toEqual([
      {
        ecosystem: 'npm',
        name: 'commits',
        versions: [],
        ranges: [expect.objectContaining({ undecided: true })],
      },
      { ecosystem: 'wordpress-plugin', name: 'contact-us', versions: ['1.0'], ranges: [] },
    ]);
  });

  test('keeps ten references with https, none with credentials', async () => {
    const urls = [
      'javascript:alert(1)',
      'https://user:pw@example.org/',
      'https://example.org/é',
      'no url',
      7,
    ];
    const many = Array.from({ length: 20 }, (_, at) => `https://example.org/${at}`);
    const references = [...urls, ...many].map((url) => ({ type: 'WEB', url }));
    const kept = (await onlyRecord({ references }))?.references;
    expect(kept).toHaveLength(10);
    expect(kept?.[0]).toBe('https://example.org/%C3%A9');
  });

  test('of a later minor version of the schema is read', async () => {
    expect(await onlyRecord({ schema_version: '1.99.0', novelty: { deep: [1] } })).toBeDefined();
  });
});

test('a record without the versions of a package leaves all of them undecided', async () => {
  const silent = [{ package: { ecosystem: 'npm', name: 'a' } }, npm('b', { ranges: [], versions: [] })];
  for (const { versions, ranges } of (await onlyRecord({ affected: silent }))?.affected ?? [])
    expect([versions, ranges]).toEqual([[], [ALL_UNDECIDED]]);
});

test('a bound that means a line of versions leaves all of them undecided', async () => {
  const events = [{ introduced: '0' }, { last_affected: '2.x' }];
  const affected = [
    { package: { ecosystem: 'WordPress:Plugin', name: 'a' }, ranges: [{ type: 'ECOSYSTEM', events }] },
  ];
  expect((await onlyRecord({ affected }))?.affected[0]?.ranges).toEqual([ALL_UNDECIDED]);
});

test('the type of a range is read in any case', async () => {
  const ranges = [{ type: 'semver', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }];
  expect((await onlyRecord({ affected: [npm('a', { ranges })] }))?.affected[0]?.ranges).toMatchObject([
    { to: '2.0.0', fixed: '2.0.0' },
  ]);
});

test('a withdrawn record is reported as such, and an irrelevant one skipped, also when it is withdrawn', async () => {
  const withdrawn = { withdrawn: '2026-01-01T00:00:00Z' };
  const foreign = { affected: [{ package: { ecosystem: 'Go', name: 'x' }, versions: ['1'] }] };
  const { facts, summary } = await read([
    osvRecord({ id: 'GHSA-old', ...withdrawn }),
    osvRecord({ id: 'GHSA-bare', ...withdrawn, affected: [] }),
    osvRecord({ id: 'GO-1', ...foreign }),
    osvRecord({ id: 'GO-2', ...foreign, ...withdrawn }),
  ]);
  expect(facts).toEqual([
    {
      kind: 'withdrawn',
      source: 'osv:npm',
      id: 'GHSA-old',
      modifiedAt: Date.parse('2026-10-01T10:00:00.5Z'),
    },
    {
      kind: 'withdrawn',
      source: 'osv:npm',
      id: 'GHSA-bare',
      modifiedAt: Date.parse('2026-10-01T10:00:00.5Z'),
    },
  ]);
  expect(summary).toMatchObject({ records: 0, withdrawn: 2, skipped: 2, refused: 0 });
  expect((await refusalOf(osvRecord({ ...foreign, ...withdrawn })))[0]).toBe('nothing_usable');
});

test('the source is the ecosystem of most of the first records, unless it is given', async () => {
  const record = (id: number, ...names: string[]) =>
    osvRecord({
      id: `X-${id}`,
      affected: names.map((ecosystem) => ({ package: { ecosystem, name: 'a' }, versions: ['1.0.0'] })),
    });
  const both = [record(1, 'PyPI', 'npm'), record(2, 'npm'), record(3, 'npm', 'PyPI'), record(4, 'PyPI')];
  expect((await read(both)).summary.source).toBe('osv:npm');
  expect((await read([...both, record(5, 'PyPI')])).summary.source).toBe('osv:pypi');
  const given = await read([record(6, 'Ubuntu:22.04:LTS')], { source: 'mine' });
  expect([given.summary.source, recordIn(given.facts)?.source]).toEqual(['mine', 'mine']);

  const many = Array.from({ length: 1_200 }, (_, at) => record(at, at < 500 ? 'npm' : 'PyPI'));
  const { facts, summary } = await read(many.map((some) => JSON.stringify(some)).join('\n'));
  expect(new Set(facts.map((fact) => fact.kind === 'vulnerability' && fact.record.source))).toEqual(
    new Set(['osv:npm']),
  );
  expect(summary.records).toBe(1_200);
});

describe('an invalid record is refused alone, with its reason', () => {
  const event = (events: unknown) => ({ affected: [npm('a', { ranges: [{ type: 'SEMVER', events }] })] });
  const versions = (list: unknown) => ({ affected: [npm('a', { versions: list })] });
  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['has no usable id', { id: 'a b' }],
    ['has no usable id', { id: 7 }],
    ['has no modification date', { modified: 'yesterday' }],
    ['has events that are not a list', event('0')],
    ['has an event without exactly one known kind', event([{ begun: '1' }])],
    ['has an event without exactly one known kind', event([{ introduced: '1', fixed: '2' }])],
    ['has affected packages that are not objects', { affected: [npm('a'), 'npm/a'] }],
    ['has a version that is not a text of valid length', event([{ introduced: 1 }])],
    ['has a version that is not a text of valid length', versions(['1'.repeat(129)])],
    ['has a version that is not a text of valid length', versions(['1.0\u0000'])],
    ['has versions that are not a list', versions({ length: 1e9 })],
    ['has affected packages that are not a list', { affected: npm('a') }],
    ['has ranges that are not a list', { affected: [npm('a', { ranges: { type: 'SEMVER', events: [] } })] }],
    ['has ranges that are not objects', { affected: [npm('a', { ranges: ['SEMVER'] })] }],
    ['has a range of unknown type', { affected: [npm('a', { ranges: [{ type: 'SEM' }] })] }],
    ['has a range without a start', event([])],
    ['has a range without a start', event([{ fixed: '1.0.0' }])],
    ['has no valid withdrawal date', { withdrawn: 'no' }],
    ['is dated in the future, according to the clock of this host', { withdrawn: '2099-01-01T00:00:00Z' }],
    ['is dated in the future, according to the clock of this host', { modified: '2026-11-24T04:00:01Z' }],
    ['has more than 20000 versions of a package', versions(Array.from({ length: 20_001 }, String))],
    ['has more than 5000 affected packages', { affected: Array.from({ length: 5_001 }, () => npm('a')) }],
    ['has more than 2000 other names', { aliases: Array.from({ length: 2_001 }, (_, at) => `X-${at}`) }],
  ])('%s', async (reason, fields) => {
    const { summary } = await read([osvRecord(), osvRecord({ id: 'GHSA-bad', ...fields })]);
    expect(summary).toMatchObject({ records: 1, refused: 1, refusals: [{ reason }] });
  });

  test('fields of other types, and names of prototypes, cause no error', async () => {
    const hostile = `{"id":"X-1","modified":"2026-01-01","__proto__":{"withdrawn":"x"},"aliases":{"length":9},"references":"x",
      "severity":[null,7],"affected":[{"package":{"ecosystem":"npm","name":"__proto__"},"versions":["1.0.0"]}],
      "constructor":1,"summary":["x"],"details":null,"database_specific":{"cwe_ids":[1,"CWE-x"]}}`;
    expect(recordIn((await read(hostile)).facts)).toMatchObject({
      id: 'X-1',
      aliases: [],
      title: 'X-1',
      cwe: [],
    });
    expect(Object.hasOwn(Object.prototype, 'withdrawn')).toBe(false);
  });

  test('when no record is left, the file is refused', async () => {
    const [why, words] = await refusalOf([osvRecord({ id: '' })]);
    expect(why).toBe('nothing_usable');
    expect(words).toContain('the first has no usable id');
  });
});
