import { beforeEach, describe, expect, test } from 'bun:test';
import { nameHash } from '../../../src/domain/vulnerability/ecosystem.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';
import type { SourceChange } from '../../../src/storage/mirror/snapshot-changes.ts';
import {
  cisaContainer,
  cveRecord,
  enisaEntry,
  epssFile,
  FEEDS_NOW,
  kevCatalogue,
  kevEntry,
  osvRecord,
  wordfenceFeed,
  wordfenceRecord,
} from '../../support/feeds.ts';
import { knownAs, type MadeSnapshot, makeSnapshot } from '../../support/snapshots.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});
const make = (contents: readonly unknown[], options?: Parameters<typeof makeSnapshot>[2]) =>
  makeSnapshot(directory, contents, options);
const titleOf = (snapshot: MadeSnapshot, name: string) => knownAs(snapshot, name)?.title;
const recordsOf = ({ sources }: MadeSnapshot) => sources.map(({ name, records }) => [name, records]);
const kev = (...cves: string[]) => kevCatalogue(cves.map((cveID) => kevEntry({ cveID })));
const scores = ['CVE-2026-1000,0.4,0.9', 'CVE-2026-7,0.1,0.2', 'CVE-2026-8,0.2,0.5', 'CVE-2026-9,0.3,0.7'];

describe('a snapshot', () => {
  test('contains the records of its feeds about components, by the hashes of their names, and about CVEs', async () => {
    const cvePoints = scores.map((row) => row.replace(/-(\d),/, '-000$1,'));
    const snapshot = await make([
      osvRecord(),
      wordfenceFeed(wordfenceRecord()),
      cveRecord(),
      kev('CVE-2026-2000'),
      epssFile(cvePoints),
    ]);
    expect(recordsOf(snapshot)).toEqual([
      ['cve', 1],
      ['epss', 4],
      ['kev:cisa', 1],
      ['osv:npm', 1],
      ['wordfence', 1],
    ]);
    expect(snapshot.sources[1]).toMatchObject({ epssMedian: 0.2, epssModelVersion: 'v2026.06.15' });
    expect(['npm', 'pypi'].map((each) => snapshot.hasDataOf(each as 'npm'))).toEqual([true, false]);

    const [found, ...others] = snapshot.recordsOf(nameHash('npm', 'left-pad'));
    expect([others, found?.records.map(({ name }) => name)]).toEqual([[], ['left-pad']]);
    expect(snapshot.get(found?.vulnerability ?? 0)).toMatchObject({
      id: 'CVE-2026-1000',
      aliases: ['GHSA-aaaa-bbbb-cccc'],
      title: 'Path traversal in left-pad & friends',
      sources: ['osv:npm'],
      cwe: ['CWE-22'],
      knownSince: FEEDS_NOW,
      facts: {
        cvssVectors: ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N'],
        epss: { probability: 0.4, percentile: 0.9, modelVersion: 'v2026.06.15' },
        epssMedian: 0.2,
        knownExploited: [],
        ssvc: null,
      },
    });
    expect(knownAs(snapshot, 'CVE-2026-2000')).toMatchObject({
      sources: ['wordfence'],
      facts: {
        epss: null,
        knownExploited: [{ catalogue: 'cisa', since: Date.parse('2026-11-03'), ransomware: true }],
      },
      limits: { open: [FEEDS_NOW, FEEDS_NOW, FEEDS_NOW], closed: [null, FEEDS_NOW, FEEDS_NOW] },
    });
    expect(knownAs(snapshot, 'CVE-2026-3000')?.facts.ssvc).toEqual({
      exploitation: 'active',
      automatable: 'yes',
      technicalImpact: 'total',
    });
    for (const unknown of ['cve-2026-2000', 'CVE-2026-1', '', "'"])
      expect(snapshot.find(unknown)).toBeUndefined();
    expect(snapshot.recordsOf(nameHash('npm', 'left'))).toEqual([]);
  });

  test('finds the packages of a release also by the distribution alone', async () => {
    const affected = (ecosystem: string) => ({
      package: { ecosystem, name: 'curl' },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }] }],
    });
    const snapshot = await make([osvRecord({ affected: [affected('Debian:12'), affected('Debian:13')] })]);
    const found = (ecosystem: 'debian' | `debian:${number}`) =>
      snapshot.recordsOf(nameHash(ecosystem, 'curl')).flatMap(({ records }) => records.length);
    expect([found('debian'), found('debian:12'), found('debian:11')]).toEqual([[2], [1], []]);
    expect([snapshot.hasDataOf('debian'), snapshot.hasDataOf('debian:11')]).toEqual([true, false]);
  });

  test('has one vulnerability where several sources describe one CVE', async () => {
    const snapshot = await make([
      osvRecord({ aliases: ['CVE-2026-2000'] }),
      wordfenceFeed(wordfenceRecord()),
      cveRecord({ meta: { cveId: 'CVE-2026-2000' } }),
    ]);
    const numbers = new Set(
      ['CVE-2026-2000', 'GHSA-aaaa-bbbb-cccc', String(wordfenceRecord().id)].map(snapshot.find),
    );
    expect(numbers.size).toBe(1);
    expect(knownAs(snapshot, 'CVE-2026-2000')?.sources).toEqual(['cve', 'osv:npm', 'wordfence']);
    expect(
      snapshot.affectedBy(snapshot.find('CVE-2026-2000') ?? 0, 9).map(({ ecosystem }) => ecosystem),
    ).toEqual(['wordpress-plugin', 'npm', 'wordpress-plugin']);
  });
});

describe('of several files of one source', () => {
  const older = osvRecord({ summary: 'older' });
  const newer = osvRecord({ summary: 'newer', modified: '2026-11-01T00:00:00Z' });
  const other = osvRecord({ id: 'GHSA-other', aliases: ['CVE-2026-1002'] });

  test('the newest record of each id is used, in any order, and counted once', async () => {
    for (const files of [
      [[older, other], newer],
      [newer, [older, other]],
    ]) {
      const snapshot = await make(files);
      expect([titleOf(snapshot, 'CVE-2026-1000'), recordsOf(snapshot)]).toEqual(['newer', [['osv:npm', 2]]]);
      expect(snapshot.sources[0]?.publishedAt).toBe(Date.parse('2026-11-01T00:00:00Z'));
    }
  });

  test('the newest enrichment of a CVE is used, and counted once', async () => {
    const said = (exploitation: string, dateUpdated: string) =>
      cveRecord({
        cna: { affected: [] },
        adp: [JSON.parse(JSON.stringify(cisaContainer()).replace('active', exploitation))],
        meta: { cveId: 'CVE-2026-2000', dateUpdated },
      });
    const files = [said('active', '2026-10-01T00:00:00Z'), said('none', '2026-10-02T00:00:00Z')];
    for (const order of [files, files.toReversed()]) {
      const snapshot = await make([wordfenceFeed(wordfenceRecord()), ...order]);
      const exploitation = knownAs(snapshot, 'CVE-2026-2000')?.facts.ssvc?.exploitation;
      expect([exploitation, recordsOf(snapshot)[0]]).toEqual(['none', ['cve', 1]]);
    }
  });

  test('a withdrawn record is removed, also an enrichment', async () => {
    const withdrawn = osvRecord({ withdrawn: '2026-11-02T00:00:00Z' });
    const snapshot = await make([[older, other], withdrawn]);
    expect([snapshot.find('CVE-2026-1000'), recordsOf(snapshot)]).toEqual([undefined, [['osv:npm', 1]]]);
    expect(snapshot.recordsOf(nameHash('npm', 'left-pad'))).toHaveLength(1);

    const rejected = cveRecord({ meta: { cveId: 'CVE-2026-2000', state: 'REJECTED' } });
    const said = cveRecord({ meta: { cveId: 'CVE-2026-2000' } });
    const second = await make([wordfenceFeed(wordfenceRecord()), said, rejected]);
    expect(knownAs(second, 'CVE-2026-2000')).toMatchObject({ sources: ['wordfence'], facts: { ssvc: null } });
  });
});

describe('a record that a source withdraws', () => {
  const at = (day: string) => ({ modified: `2026-11-${day}T00:00:00Z` });
  const withdrawn = { withdrawn: '2026-11-02T00:00:00Z', ...at('02') };

  test.each([
    ['01', undefined],
    ['02', undefined],
    ['03', ['GHSA-aaaa-bbbb-cccc']],
  ] as const)('on 2 November hides its record of %s November unless that is newer: %p', async (day, left) => {
    const files = [osvRecord({ aliases: [], ...at(day) }), osvRecord({ aliases: [], ...withdrawn })];
    for (const order of [files, files.toReversed()])
      for (const contents of [order, [order]]) {
        const snapshot = await make(contents);
        const known = knownAs(snapshot, 'GHSA-aaaa-bbbb-cccc');
        expect(known && [known.id]).toEqual(left && [...left]);
      }
  });

  test('and publishes again with an enrichment is enriched', async () => {
    const meta = { cveId: 'CVE-2026-2000' };
    const rejected = cveRecord({ meta: { ...meta, state: 'REJECTED', dateUpdated: '2026-04-20T00:00:00Z' } });
    const kevMetric = { other: { type: 'kev', content: { dateAdded: '2026-05-01' } } };
    const snapshot = await make([cveRecord({ adp: [cisaContainer(kevMetric)], meta }), rejected]);
    expect(knownAs(snapshot, 'CVE-2026-2000')?.facts).toMatchObject({
      ssvc: { exploitation: 'active' },
      knownExploited: [{ catalogue: 'cisa' }],
    });
  });
});

describe('an import over another snapshot', () => {
  test('retains sources outside the import exactly', async () => {
    const feeds = [osvRecord(), wordfenceFeed(wordfenceRecord()), cveRecord(), epssFile(scores)];
    const base = await make([...feeds, kev('CVE-2026-2000')]);
    const next = await make([kev('CVE-2026-3000')], { base: base.id, nowMs: FEEDS_NOW + DAY_MS });
    const untouched = ({ sources }: MadeSnapshot) => sources.filter(({ format }) => format !== 'kev');
    expect(untouched(next)).toEqual(untouched(base));
    expect(untouched(next)).toHaveLength(4);
    expect(knownAs(next, 'CVE-2026-1000')).toEqual(knownAs(base, 'CVE-2026-1000'));
    expect(knownAs(next, 'CVE-2026-2000')?.facts.knownExploited).toEqual([]);
    expect(knownAs(next, 'CVE-2026-3000')?.facts.knownExploited).toHaveLength(1);
  });

  test('retains when a vulnerability and its short deadline were first known, also by another name', async () => {
    const [first, second, third] = [FEEDS_NOW, FEEDS_NOW + DAY_MS, FEEDS_NOW + 2 * DAY_MS];
    const nameless = await make([osvRecord({ aliases: [] })]);
    const named = await make([osvRecord()], { base: nameless.id, nowMs: second });
    expect([knownAs(nameless, 'GHSA-aaaa-bbbb-cccc')?.id, knownAs(named, 'CVE-2026-1000')]).toEqual([
      'GHSA-aaaa-bbbb-cccc',
      expect.objectContaining({
        id: 'CVE-2026-1000',
        knownSince: first,
        limits: { open: [null, first, first], closed: [null, null, first] },
        limitsIfExploited: { open: [first, first, first], closed: [null, first, first] },
      }),
    ]);

    const listed = await make([kev('CVE-2026-1000')], { base: named.id, nowMs: third });
    expect(knownAs(listed, 'CVE-2026-1000')).toMatchObject({
      knownSince: first,
      limits: { open: [third, first, first], closed: [null, third, first] },
      limitsIfExploited: { open: [first, first, first], closed: [null, first, first] },
    });
    const calm = await make([kev('CVE-2026-1001')], {
      base: listed.id,
      nowMs: third + DAY_MS,
    });
    expect(knownAs(calm, 'CVE-2026-1000')).toMatchObject({
      knownSince: first,
      limits: { open: [null, first, first], closed: [null, null, first] },
    });
  });

  test('retains both moments of a vulnerability that is missing for less than thirty days', async () => {
    const other = osvRecord({ id: 'GHSA-other', aliases: ['CVE-2026-1002'] });
    const base = await make([[osvRecord(), other]]);
    const without = (days: number) => make([other], { base: base.id, nowMs: FEEDS_NOW + days * DAY_MS });
    const again = async (missing: MadeSnapshot, days: number) => {
      const feeds = [[osvRecord(), other]];
      const next = await make(feeds, { base: missing.id, nowMs: FEEDS_NOW + days * DAY_MS });
      const { knownSince, limits } = knownAs(next, 'CVE-2026-1000') ?? {};
      return [knownSince, limits?.open].flat();
    };
    const gone = await without(2);
    expect(gone.find('CVE-2026-1000')).toBeUndefined();
    expect(await again(gone, 31)).toEqual([FEEDS_NOW, null, FEEDS_NOW, FEEDS_NOW]);
    const longer = await make([other], { base: gone.id, nowMs: FEEDS_NOW + 20 * DAY_MS });
    expect(await again(longer, 31)).toEqual([FEEDS_NOW, null, FEEDS_NOW, FEEDS_NOW]);
    const anew = FEEDS_NOW + 32 * DAY_MS;
    expect(await again(longer, 32)).toEqual([anew, null, anew, anew]);
  });

  test('retains its record of one that is malformed now, until that is valid again or removed', async () => {
    const kept = osvRecord();
    const other = osvRecord({ id: 'GHSA-other', aliases: ['CVE-2026-1002'] });
    const broken = osvRecord({ modified: 'yesterday' });
    const base = await make([[kept, other], kev('CVE-2026-1000', 'CVE-2026-1002')]);
    const refused = ({ sources }: MadeSnapshot) => sources.map((one) => [one.name, one.records, one.refused]);
    const half = await make(
      [
        [broken, other],
        kevCatalogue([kevEntry({ cveID: 'CVE-2026-1002' }), enisaEntry({ cveID: 'CVE-2026-1000' })]),
      ],
      { base: base.id, nowMs: FEEDS_NOW + DAY_MS },
    );
    expect(refused(half)).toEqual([
      ['kev:cisa', 2, 1],
      ['osv:npm', 2, 1],
    ]);
    expect(knownAs(half, 'CVE-2026-1000')).toEqual(knownAs(base, 'CVE-2026-1000'));
    expect(half.recordsOf(nameHash('npm', 'left-pad'))).toHaveLength(2);
    expect(half.changes.map(({ added, changed, gone }) => [added, changed, gone])).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);

    const sound = await make([[osvRecord({ summary: 'sound' }), other], kev('CVE-2026-1002')], {
      base: half.id,
    });
    expect([titleOf(sound, 'CVE-2026-1000'), ...refused(sound)]).toEqual([
      'sound',
      ['kev:cisa', 1, 0],
      ['osv:npm', 2, 0],
    ]);
    const gone = await make([other], { base: half.id });
    expect(gone.find('CVE-2026-1000')).toBeUndefined();
    const both = await make([[broken, other], osvRecord({ withdrawn: '2026-11-02T00:00:00Z' })], {
      base: base.id,
    });
    expect(both.find('CVE-2026-1000')).toBeUndefined();
  });

  test('reports for each source, in any format, added, changed and removed records', async () => {
    const records = (...titles: string[]) =>
      titles.map((summary, at) => osvRecord({ id: `GHSA-${at}`, aliases: [], summary }));
    const listed = (ransomware: string, ...cves: string[]) =>
      kevCatalogue(cves.map((cveID) => kevEntry({ cveID, knownRansomwareCampaignUse: ransomware })));
    const said = (...cves: string[]) => cves.map((cveId) => cveRecord({ meta: { cveId } }));
    const base = await make([
      records('a', 'b', 'c'),
      listed('Known', 'CVE-2026-0001', 'CVE-2026-0002'),
      epssFile(['CVE-2026-0001,0.1,0.1', 'CVE-2026-0002,0.1,0.1']),
      said('CVE-2026-0001', 'CVE-2026-0002'),
    ]);
    const { changes } = await make(
      [
        records('a', 'changed'),
        listed('Unknown', 'CVE-2026-0002', 'CVE-2026-0003'),
        epssFile(['CVE-2026-0001,0.1,0.1', 'CVE-2026-0003,0.2,0.1']),
        said('CVE-2026-0002', 'CVE-2026-0003', 'CVE-2026-0004'),
      ],
      { base: base.id },
    );
    const counts = ({ before, after, added, changed, gone }: SourceChange) =>
      [after.name, before?.records, after.records, added, changed, gone].join(' ');
    expect(changes.map(counts)).toEqual([
      'cve 2 3 2 0 1',
      'epss 2 2 1 0 1',
      'kev:cisa 2 2 1 1 1',
      'osv:npm 3 2 0 1 1',
    ]);
    expect(base.changes.map(counts)).toEqual([
      'cve  2 2 0 0',
      'epss  2 2 0 0',
      'kev:cisa  2 2 0 0',
      'osv:npm  3 3 0 0',
    ]);
  });
});
