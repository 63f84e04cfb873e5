import { describe, expect, test } from 'bun:test';
import { ALL_UNDECIDED, type VulnerabilityRecord } from '../../../src/domain/vulnerability/record.ts';
import {
  read,
  scannerRecord,
  WORDFENCE_ID,
  wordfenceFeed,
  wordfenceRecord,
  wordfenceSoftware,
} from '../../support/feeds.ts';

type Fields = Readonly<Record<string, unknown>>;

async function recordOf(record: Fields): Promise<VulnerabilityRecord | undefined> {
  const [fact] = (await read(wordfenceFeed(record))).facts;
  return fact?.kind === 'vulnerability' ? fact.record : undefined;
}

const run = (from: string, to: string, toInclusive = true) => ({
  from_version: from,
  from_inclusive: true,
  to_version: to,
  to_inclusive: toInclusive,
});

async function rangesOf(software: Fields) {
  const record = await recordOf(wordfenceRecord({ software: [wordfenceSoftware(software)] }));
  return record?.affected[0]?.ranges.map(({ from, to, toInclusive, fixed }) => [
    from,
    to,
    toInclusive,
    fixed,
  ]);
}

describe('a record of Wordfence Intelligence', () => {
  test('of the production feed is converted for storage; its dates are UTC', async () => {
    expect(await recordOf(wordfenceRecord())).toEqual({
      source: 'wordfence',
      id: WORDFENCE_ID,
      aliases: ['CVE-2026-2000'],
      upstream: [],
      title: 'Contact Us <= 1.2.3 - Missing Authorization',
      severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N' }],
      cwe: ['CWE-862'],
      publishedAt: Date.parse('2026-10-10T00:00:00Z'),
      modifiedAt: Date.parse('2026-10-12T13:14:15Z'),
      references: [
        `https://www.wordfence.com/threat-intel/vulnerabilities/id/${WORDFENCE_ID}?source=api-prod`,
      ],
      hasPublicExploit: false,
      affected: [
        {
          ecosystem: 'wordpress-plugin',
          name: 'contact-us',
          versions: [],
          ranges: [{ from: null, fromInclusive: true, to: '1.2.3', toInclusive: true, fixed: '1.2.4' }],
        },
      ],
    });
  });

  test('of the scanner feed has an unknown severity and no CVE', async () => {
    const record = await recordOf(scannerRecord());
    expect(record).toMatchObject({
      severity: [],
      aliases: [],
      cwe: [],
      modifiedAt: Date.parse('2026-10-10T00:00:00Z'),
    });
  });

  test('gives each range the lowest patch after it', async () => {
    const patched_versions = ['6.4.3', '6.10', '6.3.3', '5.9'];
    const affected_versions = {
      a: run('6.3', '6.3.2'),
      b: run('6.4', '6.4.3', false),
      c: run('6.5', '6.9.9'),
    };
    expect(await rangesOf({ affected_versions, patched_versions })).toEqual([
      ['6.3', '6.3.2', true, '6.3.3'],
      ['6.4', '6.4.3', false, '6.4.3'],
      ['6.5', '6.9.9', true, '6.10'],
    ]);
  });

  test('without a patch, or without an end, has no fix', async () => {
    expect(await rangesOf({ patched: false, patched_versions: [] })).toEqual([[null, '1.2.3', true, null]]);
    expect(await rangesOf({ affected_versions: { all: run('*', '*') } })).toEqual([
      [null, null, false, null],
    ]);
  });

  test('that is only informational is not a finding', async () => {
    const informational = wordfenceRecord({ id: 'other', informational: true });
    const { summary } = await read(wordfenceFeed(wordfenceRecord(), informational));
    expect(summary).toMatchObject({ records: 1, skipped: 1 });
  });
});

test('the summary returns the notices to display, the first of each holder', async () => {
  const first = scannerRecord({ id: 'a', copyrights: {} });
  const { summary } = await read(wordfenceFeed(first, wordfenceRecord(), wordfenceRecord({ id: 'c' })));
  expect(summary.attribution).toBe(
    'Copyright 2012-2026 Defiant Inc.\nCopyright 1999-2026 The MITRE Corporation',
  );
  expect(summary.license).toContain('https://www.wordfence.com/wordfence-intelligence-terms-and-conditions/');
  expect((await read(wordfenceFeed(first))).summary.attribution).toBe('Wordfence Intelligence, Defiant Inc.');
});

describe('an invalid record is refused alone, with its reason', () => {
  const software = (fields: Fields) => ({ software: [wordfenceSoftware(fields)] });
  const range = (fields: Fields) => software({ affected_versions: { x: { ...run('*', '1.0'), ...fields } } });
  test.each<[string, Fields]>([
    ['has no title', { title: '<p></p>' }],
    ['names no software that can be matched', { software: [] }],
    ['has pieces of software that are not objects', { software: [wordfenceSoftware(), 'contact-us'] }],
    ['names no software that can be matched', software({ type: 'library' })],
    ['names no software that can be matched', software({ slug: 'a b' })],
    ['does not specify affected versions', software({ affected_versions: null })],
    ['does not specify affected versions', software({ affected_versions: {} })],
    ['is dated in the future, according to the clock of this host', { updated: '2026-11-24 04:00:01' }],
    ['has a range that is not an object', software({ affected_versions: { x: '1' } })],
    ['has a range without a bound', range({ to_version: '' })],
    ['has a version that is not a text of valid length', range({ to_version: 1 })],
    ['does not specify whether the bounds of a range are inclusive', range({ to_inclusive: 'false' })],
  ])('%s', async (reason, fields) => {
    const { summary } = await read(
      wordfenceFeed(wordfenceRecord(), wordfenceRecord({ id: 'bad', ...fields })),
    );
    expect(summary).toMatchObject({ records: 1, refused: 1, refusals: [{ id: 'bad', reason }] });
  });
});

test('a range without a version, or that ends at a line of versions, leaves all of them undecided', async () => {
  const ranges = [run('2.0', '1.0'), run('1.0', '1.0', false), run('*', '1.x')];
  for (const range of ranges) {
    const software = [wordfenceSoftware({ affected_versions: { range } })];
    expect((await recordOf(wordfenceRecord({ software })))?.affected[0]?.ranges).toEqual([ALL_UNDECIDED]);
  }
});

test('the type of a software is read in any case', async () => {
  const software = [wordfenceSoftware({ type: 'Plugin' })];
  expect((await recordOf(wordfenceRecord({ software })))?.affected).toHaveLength(1);
});
