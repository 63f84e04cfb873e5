import { describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import type { FeedFormat } from '../../src/mirror/facts.ts';
import { FEED_LIMITS } from '../../src/mirror/limits.ts';
import { type FeedProgress, readFeed } from '../../src/mirror/read-feed.ts';
import {
  csafVex,
  cveRecord,
  enisaEntry,
  epssFile,
  FEEDS_NOW,
  feedFile,
  kevCatalogue,
  openVex,
  osvRecord,
  read,
  refusalOf,
  scannerRecord,
  wordfenceFeed,
  wordfenceRecord,
} from '../support/feeds.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const json = (value: unknown) => JSON.stringify(value);

const FEEDS: readonly (readonly [name: string, format: FeedFormat, content: string])[] = [
  ['one record of OSV', 'osv', json(osvRecord())],
  ['an array of OSV', 'osv', json([osvRecord(), osvRecord({ id: 'X-2' })])],
  ['NDJSON of OSV', 'osv', `${json(osvRecord())}\n${json(osvRecord({ id: 'X-2' }))}\n`],
  [
    'OSV with its id last',
    'osv',
    json({ affected: osvRecord().affected, modified: '2026-01-01', id: 'X-3' }),
  ],
  ['Wordfence, production', 'wordfence', wordfenceFeed(wordfenceRecord())],
  ['Wordfence, scanner', 'wordfence', wordfenceFeed(scannerRecord())],
  ['one record of CVE', 'cve', json(cveRecord())],
  ['an array of CVE', 'cve', json([cveRecord()])],
  ['the catalogue of CISA', 'kev', json(kevCatalogue())],
  ['the list of ENISA', 'kev', json([enisaEntry()])],
  ['one document of CSAF', 'csaf', json(csafVex())],
  ['an array of CSAF', 'csaf', json([csafVex(), csafVex({ tracking: { id: 'X-2' } })])],
  ['one document of OpenVEX', 'openvex', json(openVex())],
  ['NDJSON of OpenVEX', 'openvex', `${json(openVex())}\n${json(openVex({ '@id': 'urn:2' }))}\n`],
  ['EPSS', 'epss', epssFile(['CVE-2026-0001,0.5,0.9'])],
];

describe.each(FEEDS)('%s', (_, format, content) => {
  test('is recognised by its content, and gives the same facts plain, indented, packed or with its format given', async () => {
    const { facts, summary } = await read(content);
    expect(summary).toMatchObject({ format, refused: 0 });
    expect(facts.length).toBeGreaterThan(0);
    for (const packed of [
      `\ufeff${format === 'epss' ? '' : ' \n'}${content}`,
      gzipSync(content),
      zipSync({ 'x.txt': bytesOf(content) }),
    ])
      expect((await read(packed)).facts).toEqual(facts);
    expect((await read(content, { format })).facts).toEqual(facts);
  });

  test('is refused as truncated wherever it is cut before its last line', async () => {
    const end = content.trimEnd().length - 1;
    for (let length = 1; length < end; length += Math.ceil(end / 40)) {
      const [why] = await refusalOf(content.slice(0, length));
      const isLine = content.slice(0, length + 1).endsWith('\n') || content[length - 1] === '\n';
      if (!isLine)
        expect([length, why]).toEqual([
          length,
          format === 'epss' && length < 15 ? 'unrecognised' : 'truncated',
        ]);
    }
  });
});

describe('an archive', () => {
  const record = (id: string) => bytesOf(json(osvRecord({ id })));

  test('of many records gives them all, in its order', async () => {
    const members = Object.fromEntries(
      Array.from({ length: 1_500 }, (_, at) => [`X-${at}.json`, record(`X-${at}`)]),
    );
    const { facts, summary } = await read(zipSync(members, { level: 1 }));
    expect(facts.map((fact) => fact.kind === 'vulnerability' && fact.record.id)).toEqual(
      Array.from({ length: 1_500 }, (_, at) => `X-${at}`),
    );
    expect(summary).toMatchObject({ records: 1_500, skipped: 0, refused: 0 });
  });

  test('may hold what is no feed, as those of repositories do; only records of one format are taken', async () => {
    const zip = zipSync({
      'README.md': bytesOf('# Vulnrichment'),
      '.github/empty': bytesOf(''),
      'settings.json': bytesOf('{"a":{"b":1}}'),
      'list.json': bytesOf('[]'),
      '1.json': bytesOf(json(cveRecord())),
      LICENSE: bytesOf('CC0'),
      'delta.json': bytesOf('{"fetchTime":"2026-11-22","new":[]}'),
    });
    const { summary } = await read(zip);
    expect(summary).toMatchObject({ format: 'cve', records: 1, skipped: 5, refused: 1 });
    expect(summary.refusals).toEqual([{ id: 'record 2', reason: 'has no CVE id' }]);
  });

  test('of several formats is refused, in any order and with any stated format', async () => {
    const members: readonly (readonly [string, string])[] = [
      ['kev.json', json(kevCatalogue())],
      ['1.json', json(osvRecord())],
      ['2.json', json([osvRecord({ id: 'X-2' })])],
      ['wordfence.json', wordfenceFeed(wordfenceRecord())],
      ['epss.csv', epssFile(['CVE-2026-0001,0.5,0.9'])],
      ['cve.json', json(cveRecord())],
      ['csaf.json', json(csafVex())],
      ['openvex.json', json(openVex())],
    ];
    for (const [first, content] of members)
      for (const [second, other] of members.filter(([name]) => name !== first)) {
        const isMixed = ![first, second].every((name) => /^[12]/.test(name));
        const zip = zipSync({ [first]: bytesOf(content), [`z-${second}`]: bytesOf(other) });
        const [why, words] = await refusalOf(zip);
        expect([first, second, why]).toEqual([first, second, isMixed ? 'malformed' : 'taken']);
        if (isMixed) expect(words).toContain('Import each from its own file.');
      }
    const zip = zipSync({ 'kev.json': bytesOf(json(kevCatalogue())), '1.json': record('X-1') });
    expect((await refusalOf(zip, { format: 'kev' }))[0]).toBe('malformed');
  });

  test('inside of an archive is to be unpacked first', async () => {
    const inner = zipSync({ 'X-1.json': record('X-1') });
    for (const outer of [zipSync({ 'cves.zip': inner }), gzipSync(inner), gzipSync(gzipSync('{}'))]) {
      const [why, words] = await refusalOf(outer);
      expect([why, words]).toEqual(['unrecognised', expect.stringContaining('Unpack it first')]);
    }
  });
});

describe('the summary', () => {
  test('tells bytes, digest and expanded bytes of the file as it is', async () => {
    const [plain, packed] = [json(osvRecord()), gzipSync(json(osvRecord()))];
    const { summary } = await read(packed);
    const sha256 = new Bun.CryptoHasher('sha256').update(packed).digest('hex');
    expect(summary).toMatchObject({ sha256, bytes: packed.length, expandedBytes: plain.length });
    expect((await read(packed, { sha256: sha256.toUpperCase() })).summary.records).toBe(1);
    expect((await refusalOf(packed, { sha256: '0'.repeat(64) }))[0]).toBe('other_content');
  });

  test('is not newer for a record that is dated far ahead of the clock, which is refused', async () => {
    const { summary } = await read([osvRecord(), osvRecord({ id: 'X-2', modified: '9999-01-01T00:00:00Z' })]);
    const publishedAt = Date.parse('2026-10-01T10:00:00.5Z');
    expect(summary).toMatchObject({ records: 1, refused: 1, publishedAt });
  });

  test('shows the first 20 of the records that were refused, and counts them all', async () => {
    const bad = Array.from({ length: 30 }, (_, at) => osvRecord({ id: `X-${at}`, modified: 0 }));
    const { summary } = await read([osvRecord(), 7, { id: `\u001b${'x'.repeat(200)}` }, ...bad]);
    expect([summary.refused, summary.refusals.length]).toEqual([32, 20]);
    expect(summary.refusals[0]).toEqual({ id: 'record 2', reason: 'is not an object' });
    expect(summary.refusals[1]?.id).toMatch(/^\\u001bx{58}$/);
  });

  test('comes after progress, which ends with all that was read', async () => {
    const told: FeedProgress[] = [];
    const { summary } = await read([osvRecord(), 7], { onProgress: (progress) => told.push(progress) });
    expect(told.at(-1)).toEqual({ phase: 'reading', bytes: summary.expandedBytes, records: 1, refused: 1 });
  });
});

describe('refused as a whole', () => {
  test.each<[string, string, unknown]>([
    ['unrecognised', 'a page of the web', '<!doctype html><title>503</title>'],
    ['unrecognised', "an API's error", '{"error":{"message":"Unauthorized"}}'],
    ['unrecognised', 'an empty object', '{}'],
    ['unrecognised', 'an empty list', '[]'],
    ['unrecognised', 'white space', ' \n '],
    [
      'unrecognised',
      'a feed of NVD',
      '{"resultsPerPage":1,"format":"NVD_CVE","vulnerabilities":[{"cve":{}}]}',
    ],
    ['unrecognised', 'xz', new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])],
    [
      'unrecognised',
      'an object of very many entries',
      `{${Array.from({ length: 100 }, (_, at) => `"${at}":"${'x'.repeat(100_000)}"`).join()}}`,
    ],
    ['malformed', 'UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0])],
    ['malformed', 'what is no UTF-8', Buffer.from(json(osvRecord({ summary: 'é' })), 'latin1')],
    ['malformed', 'JSON with a mistake', `${json(osvRecord())},`],
    ['malformed', 'a record with a mistake', json([osvRecord()]).replace('"npm"', 'npm')],
    ['malformed', 'a record that is nested without end', `[{"id":${'['.repeat(1_000)}`],
    ['nothing_usable', 'a feed of ecosystems that are not read', osvRecord({ affected: [] })],
  ])('%s: %s', async (why, _, content) => {
    const [given, words] = await refusalOf(content);
    expect(given).toBe(why);
    expect(words).toMatch(/(?:Download|Check|Unpack|Save) /);
  });

  test('a record over 4 MiB, with any content; one just below is read', async () => {
    const sized = (bytes: number) => {
      const record = json(osvRecord({ details: '' }));
      return json([osvRecord({ details: 'x'.repeat(bytes - record.length) })]);
    };
    expect((await read(sized(4 * 1_024 * 1_024))).summary.records).toBe(1);
    const [why, words] = await refusalOf(sized(4 * 1_024 * 1_024 + 1));
    expect([why, words]).toEqual(['too_large', expect.stringContaining('4194304')]);
  });

  test('more records than the limit', async () => {
    const rows = ['CVE-2026-0001,0.5,0.5', 'CVE-2026-0002,0.5,0.5', 'CVE-2026-0003,0.5,0.5'];
    const limits = { ...FEED_LIMITS, members: 2 };
    expect((await refusalOf(epssFile(rows.slice(1)), { limits }))[0]).toBe('taken');
    expect((await refusalOf(epssFile(rows), { limits }))[0]).toBe('too_large');
  });

  test('a feed given as another format', async () => {
    expect((await refusalOf(wordfenceFeed(wordfenceRecord()), { format: 'osv' }))[0]).toBe('nothing_usable');
    expect((await refusalOf(json(osvRecord()), { format: 'epss' }))[0]).toBe('nothing_usable');
    expect(await refusalOf(json(osvRecord()), { format: 'kev' })).toEqual([
      'nothing_usable',
      'This looks like OSV, not a catalogue of exploited vulnerabilities (KEV). Omit --format.',
    ]);
  });

  test('a feed without a usable record, in the number of its records', async () => {
    const bad = osvRecord({ id: '' });
    const foreign = osvRecord({ affected: [] });
    expect((await refusalOf([bad, foreign]))[1]).toContain(
      ': 1 record was refused (the first has no usable id), 1 names no known',
    );
    expect((await refusalOf([bad, bad]))[1]).toContain(': 2 records were refused (');
  });
});

test('an error of the caller that uses the facts is passed through', async () => {
  const use = () => Promise.reject(new Error('disk full'));
  await expect(readFeed(feedFile(osvRecord()), use, { nowMs: FEEDS_NOW })).rejects.toThrow('disk full');
});
