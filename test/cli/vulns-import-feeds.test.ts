import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { importFeeds, type WantedImport } from '../../src/cli/vulns-import-feeds.ts';
import { nameHash } from '../../src/domain/vulnerability/ecosystem.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { DataDirectoryUnusable } from '../../src/storage/engine/data-directory.ts';
import { disconnect } from '../../src/storage/engine/database.ts';
import type { SqliteDatabase } from '../../src/storage/engine/sqlite/client.ts';
import { connect } from '../../src/storage/engine/sqlite/database.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { snapshotPath } from '../../src/storage/mirror/snapshot-files.ts';
import { readMirrorState } from '../../src/storage/vulnerabilities/mirror-state.ts';
import { CommandRefused } from '../../src/terminal/output.ts';
import { type Store, storeOf } from '../../src/terminal/store.ts';
import { addTwoTenants, newDatabase } from '../support/database.ts';
import {
  epssFile,
  FEEDS_NOW,
  feedFile,
  kevCatalogue,
  kevEntry,
  osvRecord,
  wordfenceFeed,
  wordfenceRecord,
  wordfenceSoftware,
} from '../support/feeds.ts';
import { addTarget } from '../support/notifications.ts';

let directory: string;
let db: SqliteDatabase;
let store: Store;
let nowMs: number;
beforeEach(() => {
  const path = newDatabase();
  directory = dirname(path);
  db = connect(path);
  store = storeOf(db);
  nowMs = FEEDS_NOW;
});
afterEach(() => disconnect(db));

type Options = Partial<Pick<WantedImport, 'force' | 'dryRun'>> & { source?: string; sha256?: string };
const importing = (
  contents: readonly unknown[],
  { source, sha256, ...options }: Options = {},
  on = store,
) => {
  nowMs += HOUR_MS;
  const feeds = contents.map((content) => ({ path: feedFile(content), source, sha256 }));
  const act = { actor: 'cli:alice', now: nowMs } as const;
  return importFeeds(on, { directory, feeds, force: false, dryRun: false, act, ...options });
};
/** Everything that an import may change. */
const left = async () => [readdirSync(directory).sort(), await readMirrorState(db)(), audited()];
const audited = () => db.$client.prepare('select action, before, after from audit_log').all();
const records = (count: number, modified = '2026-10-01T00:00:00Z') =>
  Array.from({ length: count }, (_, at) => osvRecord({ id: `GHSA-${at}`, aliases: [], modified }));
const refusalOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'taken',
    (error) => (error instanceof CommandRefused ? error.message : Promise.reject(error)),
  );
const current = async () => (await readMirrorState(db)()).current ?? '';

const OTHER_VERSIONS = [{ package: { ecosystem: 'npm', name: 'left-pad' }, versions: ['0.0.1'] }];
const OTHER_COMPONENT = [{ package: { ecosystem: 'npm', name: 'right-pad' }, versions: ['1.0.0'] }];

describe('a doubtful import', () => {
  const DOUBTS: readonly [string, unknown, Options, string][] = [
    [
      'more than 20 % fewer records',
      records(7),
      {},
      'osv:npm lacks 3 of its 10 records and alters 0, in total more than 20 %',
    ],
    [
      'as many records, of which 3 are others',
      records(13).slice(3),
      {},
      'osv:npm lacks 3 of its 10 records and alters 0',
    ],
    [
      'twice as many records, of which 3 are gone',
      records(23).slice(3),
      {},
      'osv:npm lacks 3 of its 10 records and alters 0',
    ],
    [
      'as many records, of which 3 affect nothing any more',
      [
        ...records(7),
        ...records(10)
          .slice(7)
          .map((record) => ({ ...record, affected: OTHER_VERSIONS })),
      ],
      {},
      'osv:npm lacks 0 of its 10 records and alters 3',
    ],
    [
      'as many records, of which 2 are of another component and 1 is withdrawn',
      [
        ...records(7),
        ...records(9)
          .slice(7)
          .map((record) => ({ ...record, affected: OTHER_COMPONENT })),
        { ...records(10)[9], withdrawn: '2026-10-02T00:00:00Z', modified: '2026-10-02T00:00:00Z' },
      ],
      {},
      'osv:npm lacks 1 of its 10 records and alters 2',
    ],
    [
      'an older date',
      records(10, '2026-09-30T23:59:59Z'),
      {},
      'osv:npm is from 2026-09-30 23:59, older than',
    ],
    [
      'another format',
      kevCatalogue(),
      { source: 'osv:npm', force: false },
      'has the format osv, but this file has kev',
    ],
  ];
  test.each(DOUBTS)(
    'with %s is refused and stores nothing, but accepted with --force',
    async (_, feed, options, words) => {
      await importing([records(10)]);
      const before = await left();
      const refused = await refusalOf(importing([feed], options));
      expect(refused).toContain(words);
      expect(refused).toEndWith('repeat the command with --force.');
      expect(await left()).toEqual(before);
      const { changes } = await importing([feed], { ...options, force: true });
      expect(changes).toHaveLength(1);
    },
  );

  test('starts above that limit: 20 % fewer records of the same date are accepted, and so is an equal number after them', async () => {
    await importing([records(10)]);
    const { changes } = await importing([records(8)]);
    expect(changes).toMatchObject([{ added: 0, changed: 0, gone: 2 }]);
    expect((await importing([records(8)])).changes).toMatchObject([{ added: 0, changed: 0, gone: 0 }]);
    expect((await readMirrorState(db)()).kept).toHaveLength(2);
  });
});

describe('a harmless change', () => {
  test('other dates, words and references of every record', async () => {
    await importing([records(10)]);
    const later = records(10, '2026-10-05T00:00:00Z').map((record) => ({
      ...record,
      summary: 'other words',
      references: [],
      aliases: ['CVE-2026-1'],
    }));
    expect((await importing([later])).changes).toMatchObject([{ changed: 10, altered: 0, gone: 0 }]);
  });

  test('other scores of EPSS for every CVE, as each day has', async () => {
    const scores = (probability: number, date: string) =>
      epssFile(
        Array.from({ length: 10 }, (_, at) => `CVE-2026-100${at},${probability},0.9`),
        `${date}T12:00:00Z`,
      );
    await importing([scores(0.1, '2026-11-20')]);
    expect((await importing([scores(0.2, '2026-11-21')])).changes).toMatchObject([
      { changed: 10, altered: 0, gone: 0 },
    ]);
  });

  test('unlike CVEs missing from EPSS or a catalogue of exploited ones', async () => {
    const scores = (count: number) =>
      epssFile(Array.from({ length: 10 }, (_, at) => `CVE-2026-100${(at + count) % 20},0.1,0.9`));
    await importing([scores(0)]);
    expect(await refusalOf(importing([scores(3)]))).toContain('lacks 3 of its 10 records');
    const catalogue = (from: number) =>
      kevCatalogue(
        Array.from({ length: 10 }, (_, at) => kevEntry({ cveID: `CVE-2026-20${at + from + 10}` })),
      );
    await importing([catalogue(0)]);
    expect(await refusalOf(importing([catalogue(3)]))).toContain('lacks 3 of its 10 records');
  });
});

describe('an import without news', () => {
  const keptIds = async () => (await readMirrorState(db)()).kept.map(({ id }) => id);

  test('of the same files changes nothing at all', async () => {
    const feeds = [records(3), kevCatalogue(), epssFile(['CVE-2026-1000,0.4,0.9'])];
    await importing([records(2)]);
    const { snapshot } = await importing(feeds);
    const before = await left();
    expect((await importing(feeds)).snapshot).toBe(snapshot);
    expect((await importing([records(3)])).snapshot).toBe(snapshot);
    expect(await left()).toEqual(before);
  });

  test('of a newer date is current by it, and replaces no snapshot that can be rolled back to', async () => {
    await importing([records(2)]);
    const catalogue = (dateReleased: string) => kevCatalogue([kevEntry()], { dateReleased });
    await importing([catalogue('2026-11-19T00:00:00Z')]);
    const [old, first] = await keptIds();
    const { snapshot, changes } = await importing([catalogue('2026-11-20T00:00:00Z')]);
    expect(changes[0]?.after.publishedAt).toBe(Date.parse('2026-11-20T00:00:00Z'));
    expect(await keptIds()).toEqual([String(snapshot), String(first)]);
    expect(old).not.toBe(String(snapshot));
    expect(readdirSync(directory)).not.toContain(basename(snapshotPath(directory, String(old))));
  });
});

describe('an impossible import', () => {
  const feed = wordfenceFeed(wordfenceRecord());
  const scores = epssFile(['CVE-2026-1000,0.1,0.2']);
  const FAULTY: readonly [string, readonly unknown[], Options, string][] = [
    ['a feed that ends too early', [records(1), feed.slice(0, -5)], {}, 'Download it again'],
    ['a file that is no feed', ['{"a": 1}'], {}, 'Unknown feed format'],
    ['an empty file', [''], {}, 'The file is empty'],
    ['another file than expected', [feed], { sha256: '0'.repeat(64) }, 'The SHA-256 of the file differs'],
    ['the same file twice', [feed, feed], {}, 'named twice'],
    ['two formats under one name', [feed, kevCatalogue()], { source: 'mine' }, 'another format'],
    ['two lists of scores', [scores, scores.replace('0.1', '0.3')], {}, 'Name the newest only'],
  ];
  test.each(FAULTY)('of %s is refused in words, and stores nothing', async (_, contents, options, words) => {
    await importing([records(3)]);
    const before = await left();
    expect(await refusalOf(importing(contents, options))).toContain(words);
    expect(await left()).toEqual(before);
  });

  test('does not start while another one runs, and does not disturb it', async () => {
    const first = importing([records(3)]);
    await expect(importing([feed])).rejects.toThrow(
      new DataDirectoryUnusable('another command is changing the vulnerability data. Wait until it is done'),
    );
    expect((await first).snapshot).toBe(await current());
    expect((await importing([feed])).snapshot).toBe(await current());
  });

  test('because of a change of the mirror meanwhile, deletes its file', async () => {
    await importing([records(3)]);
    const before = readdirSync(directory).sort();
    const { kept } = await readMirrorState(db)();
    const overtaken: Store = {
      ...store,
      async act(plan) {
        await prepareJobs(db).switchMirror({ from: await current(), current: null, kept });
        return store.act(plan);
      },
    };
    await expect(importing([feed], {}, overtaken)).rejects.toThrow('Run this again');
    expect(readdirSync(directory).sort()).toEqual(before);
  });
});

describe('a snapshot in use that is damaged', () => {
  test.each([
    ['cut off', (path: string) => truncateSync(path, 9_000)],
    ['missing', (path: string) => rmSync(path)],
    ['no database', (path: string) => writeFileSync(path, 'nothing')],
  ])('or %s, is not a base: with --force an import starts from scratch and reports it', async (_, damage) => {
    await importing([records(3)]);
    damage(snapshotPath(directory, await current()));
    const before = await left();
    expect(await refusalOf(importing([kevCatalogue()]))).toEndWith(
      'Import the feeds again. Roll back (redoubt vulns rollback), or import all feeds with --force, which starts without that file.',
    );
    expect(await left()).toEqual(before);
    const dry = await importing([kevCatalogue()], { force: true, dryRun: true });
    expect(dry.concerned).toEqual({ worse: 0, moreUrgent: 0, better: 0, sites: 0 });
    const { notices, snapshot } = await importing([kevCatalogue()], { force: true });
    expect([notices, snapshot]).toEqual([
      [expect.stringContaining('Only the sources of these files are available now')],
      await current(),
    ]);
  });
});

const inventory = (licenseId: number, name: string, version: string) =>
  prepareJobs(db).replaceInventory({
    licenseId,
    siteId: licenseId,
    receivedAt: 1,
    gone: [],
    components: [
      {
        ecosystem: 'wordpress-plugin',
        name: null,
        nameHash: nameHash('wordpress-plugin', name),
        version,
        status: 'active',
        since: 1,
        activeSince: 1,
        firstSeen: {},
      },
    ],
  });

describe('a dry run', () => {
  test('changes nothing and counts the affected components', async () => {
    await addTwoTenants(db);
    await inventory(1, 'contact-us', '1.2.3');
    await inventory(2, 'contact-us', '1.2.4');
    await importing([records(3)]);
    const before = await left();
    const bytes = readFileSync(snapshotPath(directory, await current()));
    const dry = await importing([wordfenceFeed(wordfenceRecord())], { dryRun: true });
    expect(dry).toMatchObject({
      snapshot: null,
      concerned: { worse: 1, moreUrgent: 0, better: 0, sites: 1 },
    });
    expect(dry.changes).toMatchObject([{ before: null, added: 1, changed: 0, gone: 0 }]);
    expect(await left()).toEqual(before);
    expect(readFileSync(snapshotPath(directory, await current()))).toEqual(bytes);

    expect((await importing([wordfenceFeed(wordfenceRecord())])).concerned).toBeNull();
    const other = wordfenceFeed(wordfenceRecord({ id: 'other', cve: null, software: [] }), wordfenceRecord());
    const same = await importing([other], { dryRun: true });
    expect(same).toMatchObject({
      concerned: { worse: 0, moreUrgent: 0, better: 0, sites: 0 },
      summaries: [{ records: 1, refused: 1 }],
    });
    const moved = wordfenceRecord({ id: 'moved', cve: 'CVE-2026-9999', updated: '2026-11-12 00:00:00' });
    const changed = await importing([wordfenceFeed(moved)], { dryRun: true, force: true });
    expect(changed.concerned).toEqual({ worse: 1, moreUrgent: 0, better: 0, sites: 1 });
  });

  test('counts the components whose vulnerabilities only become more urgent, by a catalogue or by EPSS', async () => {
    await addTwoTenants(db);
    await inventory(1, 'contact-us', '1.2.3');
    await inventory(2, 'contact-us', '1.2.3');
    await importing([wordfenceFeed(wordfenceRecord()), epssFile(['CVE-2026-2000,0.01,0.5'])]);
    const dry = async (feed: unknown) => (await importing([feed], { dryRun: true, force: true })).concerned;
    const likely = (probability: string) => epssFile([`CVE-2026-2000,${probability},0.5`]);
    const urgent = { worse: 0, moreUrgent: 2, better: 0, sites: 2 };
    expect(await dry(kevCatalogue([kevEntry({ cveID: 'CVE-2026-2000' })]))).toEqual(urgent);
    expect(await dry(likely('0.9'))).toEqual(urgent);
    expect(await dry(likely('0.001'))).toEqual({ ...urgent, moreUrgent: 0, sites: 0 });
  });
});

test('an import is audited with its sources, and the newest three are kept', async () => {
  const ids: (string | null)[] = [];
  for (const feed of [records(3), kevCatalogue(), wordfenceFeed(wordfenceRecord()), records(4)])
    ids.unshift((await importing([feed])).snapshot);
  expect((await readMirrorState(db)()).kept.map(({ id }) => id)).toEqual(ids.slice(0, 3).map(String));
  expect(
    readdirSync(directory)
      .filter((name) => name.startsWith('vulnerabilities-'))
      .sort(),
  ).toEqual(
    ids
      .slice(0, 3)
      .map((id) => `vulnerabilities-${id}.sqlite`)
      .sort(),
  );
  const [last] = audited().slice(-1);
  expect(last).toMatchObject({ action: 'mirror.import' });
  expect(JSON.parse(String(last?.after))).toEqual({
    snapshot: ids[0],
    sources: [expect.stringMatching(/^osv:npm 4 [0-9a-f]{16}$/)],
  });
  expect(nowMs - FEEDS_NOW).toBeLessThan(DAY_MS);
});

test('an import makes one event for all sites of each kind of change: found, exploited, fixed', async () => {
  await addTwoTenants(db);
  for (const site of [1, 2]) await inventory(site, 'contact-us', '1.2.3');
  const told = async (feed: unknown) => {
    db.$client.prepare('delete from outbox').run();
    await importing([feed], { force: true });
    const rows = db.$client.prepare("select type, severity, data from outbox where type <> 'audit'").all();
    return rows.map(({ data, ...row }) => ({ ...row, data: JSON.parse(String(data)) }));
  };
  expect(await told(records(3))).toEqual([]);
  await addTarget(db, 'all');
  const both = { cause: 'import', sites: 2, vulnerabilities: 2 };
  expect(await told(wordfenceFeed(wordfenceRecord()))).toMatchObject([
    { type: 'vulnerability.found', severity: 'medium', data: both },
  ]);
  expect(await told(kevCatalogue([kevEntry({ cveID: 'CVE-2026-2000' })]))).toMatchObject([
    { type: 'vulnerability.exploited', severity: 'critical', data: both },
  ]);
  const harmless = wordfenceRecord({ id: 'harmless', cve: 'CVE-2026-9999', software: [] });
  const other = wordfenceRecord({ software: [wordfenceSoftware({ slug: 'another-one' })] });
  expect(await told(wordfenceFeed(other, harmless))).toMatchObject([
    { type: 'vulnerability.fixed', severity: 'info', data: both },
  ]);
});
