import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import {
  epssFile,
  feedFile,
  kevCatalogue,
  kevEntry,
  wordfenceFeed,
  wordfenceRecord,
} from '../support/feeds.ts';
import { run } from '../support/service.ts';
import { smallDisk } from '../support/small-disk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const WORDFENCE = wordfenceFeed(wordfenceRecord(), wordfenceRecord({ id: 'nameless', title: '' }));
const KEV = kevCatalogue([kevEntry({ cveID: 'CVE-2026-2000' })]);
const LOOKUP = ['lookup', 'wordpress-plugin', 'contact-us', '1.2.3'];

let fresh: string;
let directory: string;
beforeAll(async () => {
  fresh = temporaryDirectory();
  await run('binary', { SERVICE_DATA_DIR: fresh }, 'init');
});
beforeEach(() => {
  directory = temporaryDirectory();
  cpSync(fresh, directory, { recursive: true });
});

const redoubt = (...words: string[]) => run('binary', { SERVICE_DATA_DIR: directory }, ...words);
const vulns = (...words: string[]) => redoubt('vulns', ...words);
/** The JSON output of a command, which has to succeed. */
async function json(...words: string[]) {
  const { exitCode, stdout, stderr } = await vulns(...words, '--json');
  expect([words, exitCode, stderr.replace(/^redoubt: .*\n/gm, '')]).toEqual([words, 0, '']);
  return JSON.parse(stdout);
}
const stateOf = async () => {
  const { snapshot_id, kept } = await json('status');
  return [snapshot_id, kept.map((one: { snapshot_id: string }) => one.snapshot_id)];
};

const disk = smallDisk(8 * 1_024 * 1_024);

describe.skipIf(disk === undefined)('a data directory on a read-only file system', () => {
  afterAll(() => disk?.unmount());

  test('is named, with the remedy, also to root', async () => {
    directory = disk?.directory ?? '';
    cpSync(fresh, directory, { recursive: true });
    expect(spawnSync('mount', ['-o', 'remount,ro', directory]).status).toBe(0);
    const { exitCode, stderr } = await vulns('import', feedFile(WORDFENCE));
    const words = `its directory ${directory} is on a read-only file system. Mount it for writing`;
    expect([exitCode, stderr]).toEqual([
      1,
      `redoubt: cannot open ${join(directory, 'redoubt.sqlite')}: ${words}\n`,
    ]);
  });
});

describe('import', () => {
  test('reports changes of each source, the first refused records, and no progress', async () => {
    const files = [feedFile(WORDFENCE), feedFile(KEV)];
    const { exitCode, stdout, stderr } = await vulns('import', ...files, '--dry-run');
    expect([exitCode, stderr]).toEqual([
      0,
      'redoubt: feed: records refused: 1. First: nameless has no title\n',
    ]);
    expect(stdout).toMatch(/^source +previous records +after +added +changed +gone +date$/m);
    expect(stdout).toMatch(/^wordfence +- +1 +1 +0 +0 +2026-10-12T13:14:15.000Z$/m);
    expect(stdout).toEndWith('No changes were made.\n');
    expect(await stateOf()).toEqual([null, []]);

    const imported = await json('import', ...files, '--reason', 'monday');
    expect(imported).toEqual({
      snapshot_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      dry_run: false,
      sources: ['kev:cisa', 'wordfence'].map((source) =>
        expect.objectContaining({
          source,
          records_before: null,
          records_after: 1,
          added: 1,
          changed: 0,
          gone: 0,
        }),
      ),
      files: ['wordfence', 'kev:cisa'].map((source) =>
        expect.objectContaining({ file: 'feed', source, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }),
      ),
      notices: [],
      components: null,
    });
    expect(imported.files[0]).toMatchObject({
      refused: 1,
      refusals: [{ id: 'nameless', reason: 'has no title' }],
    });
    expect(await stateOf()).toEqual([imported.snapshot_id, [imported.snapshot_id]]);
    expect((await json('status')).sources).toMatchObject([{ refused: 0 }, { refused: 1 }]);
    const [entry] = JSON.parse((await redoubt('audit', '--json')).stdout);
    expect(entry).toMatchObject({
      action: 'mirror.import',
      reason: 'monday',
      before: { snapshot: null },
      after: { snapshot: imported.snapshot_id },
    });
  });

  test('that is refused prints why in one line, with exit code 1', async () => {
    const sha256 = ['--sha256', 'a'.repeat(64)];
    for (const words of [sha256, ['--format', 'epss'], ['--format', 'kev']]) {
      const { exitCode, stdout, stderr } = await vulns('import', feedFile(WORDFENCE), ...words);
      expect([words, exitCode, stdout, stderr]).toEqual([
        words,
        1,
        '',
        expect.stringMatching(/^redoubt: feed: [^\n]+\n$/),
      ]);
    }
    expect(await stateOf()).toEqual([null, []]);
  });

  test('names damaged data, as every command does', async () => {
    const { snapshot_id } = await json('import', feedFile(WORDFENCE));
    const name = `vulnerabilities-${snapshot_id}.sqlite`;
    truncateSync(join(directory, name), 9_000);
    for (const words of [['import', feedFile(KEV)], LOOKUP, ['status']]) {
      const { exitCode, stderr } = await vulns(...words);
      expect([words, exitCode, stderr]).toEqual([words, 1, expect.stringContaining(`${name} was changed`)]);
      expect(stderr).toContain('Import the feeds again');
    }
  });
});

describe('status', () => {
  test('of an installation without data reports that, and how to import', async () => {
    const { exitCode, stdout } = await vulns('status');
    expect([exitCode, stdout]).toEqual([0, 'no data imported. See redoubt vulns import --help\n']);
    expect(await json('status')).toEqual({
      state: 'empty',
      snapshot_id: null,
      sources: [],
      kept: [],
      assertions: [],
    });
  });

  test('shows the age of each source, and marks it stale after the configured hours', async () => {
    const updated = new Date(Date.now() - 5.5 * 3_600_000).toISOString();
    await json(
      'import',
      feedFile(wordfenceFeed(wordfenceRecord({ updated }))),
      feedFile(epssFile(['CVE-2026-2000,0.1,0.2'])),
    );
    const of = async (hours: string) => {
      const env = { SERVICE_DATA_DIR: directory, SERVICE_MIRROR_STALE_HOURS: hours };
      return JSON.parse((await run('binary', env, 'vulns', 'status', '--json')).stdout);
    };
    const source = { source: 'wordfence', format: 'wordfence', records: 1, refused: 0, age_hours: 5 };
    expect(await of('6')).toMatchObject({
      state: 'current',
      sources: [{ stale: true }, { ...source, stale: false }],
    });
    expect(await of('5')).toMatchObject({
      state: 'stale',
      sources: [{ source: 'epss' }, { ...source, stale: true }],
    });
    const shown = (await vulns('status')).stdout;
    for (const told of ['current, snapshot', 'in use', 'wordfence', 'epss']) expect(shown).toContain(told);
  });
});

describe('rollback', () => {
  test('goes back one import at a time, as far as retained, and an import continues from there', async () => {
    const ids: string[] = [];
    for (const feed of [WORDFENCE, KEV, epssFile(['CVE-2026-2000,0.1,0.2'])])
      ids.unshift((await json('import', feedFile(feed))).snapshot_id);
    const [last, middle, first] = ids;
    expect(await json('rollback', '--reason', 'odd')).toEqual({ snapshot_id: middle, before: last });
    expect(await json('rollback')).toEqual({ snapshot_id: first, before: middle });
    const before = [readdirSync(directory).sort(), await stateOf()];
    const { exitCode, stdout, stderr } = await vulns('rollback');
    expect([exitCode, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringContaining('no earlier vulnerability data'),
    ]);
    expect([readdirSync(directory).sort(), await stateOf()]).toEqual(before);

    const { snapshot_id } = await json('import', feedFile(KEV));
    expect(await stateOf()).toEqual([snapshot_id, [snapshot_id, first]]);
    const { sources } = await json('status');
    expect(sources.map(({ source }: { source: string }) => source)).toEqual(['kev:cisa', 'wordfence']);
    const files = readdirSync(directory).filter((name) => name.startsWith('vulnerabilities-'));
    expect(files.sort()).toEqual([first, snapshot_id].map((id) => `vulnerabilities-${id}.sqlite`).sort());

    const audited = JSON.parse((await redoubt('audit', '--subject', 'mirror', '--json')).stdout);
    const rollbacks = audited.filter(({ action }: { action: string }) => action === 'mirror.rollback');
    expect(rollbacks).toMatchObject([
      { reason: null, before: { snapshot: middle }, after: { snapshot: first } },
      { reason: 'odd', before: { snapshot: last }, after: { snapshot: middle } },
    ]);
  });
});

test('rollback skips damaged data, and deletes it', async () => {
  const ids: string[] = [];
  for (const feed of [WORDFENCE, KEV, epssFile(['CVE-2026-2000,0.1,0.2'])])
    ids.unshift((await json('import', feedFile(feed))).snapshot_id);
  const [last, middle, first] = ids;
  truncateSync(join(directory, `vulnerabilities-${middle}.sqlite`), 9_000);
  truncateSync(join(directory, `vulnerabilities-${last}.sqlite`), 9_000);
  const { exitCode, stdout, stderr } = await vulns('rollback', '--json');
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { snapshot_id: first, before: last }]);
  expect(stderr).toMatch(new RegExp(`^redoubt: .*${middle}.sqlite was changed.*skipped$`, 'm'));
  expect(await stateOf()).toEqual([first, [last, first]]);
});

describe('lookup and assert', () => {
  test("show what is known about a version, and an operator's assertion changes its deadline", async () => {
    await json('import', feedFile(WORDFENCE));
    const found = await json(...LOOKUP);
    expect(found).toMatchObject({
      outcome: 'vulnerable',
      vulnerabilities: [
        {
          vulnerability_id: 'CVE-2026-2000',
          severity: 'medium',
          deadline: '14_days',
          fixed_versions: ['1.2.4'],
          title: 'Contact Us <= 1.2.3 - Missing Authorization',
          sources: [{ source: 'wordfence', attribution: expect.stringContaining('Defiant Inc.') }],
        },
      ],
    });
    const outcomes = ['1.2.4', 'beta'].map(
      async (version) => (await json(...LOOKUP.slice(0, 3), version)).outcome,
    );
    expect(await Promise.all(outcomes)).toEqual(['no_known', 'unknown_version']);
    const shown = (await vulns(...LOOKUP)).stdout;
    expect(shown).toStartWith('plugin contact-us 1.2.3 has 1 known vulnerability.\n');
    expect(shown).toMatch(/^CVE-2026-2000 +medium +within 14 days +update to 1\.2\.4 +Contact Us/m);
    const words = async (version: string) => (await vulns(...LOOKUP.slice(0, 3), version)).stdout;
    expect(await words('1.2.4')).toBe(
      'The imported feeds list no vulnerability in plugin contact-us 1.2.4.\n',
    );
    expect(await words('beta')).toBe(
      'There are known vulnerabilities, but the version of plugin contact-us beta cannot be compared with them.\n',
    );
    const file = await vulns('lookup', 'wordpress-plugin', 'contact-us/contact-us.php', '1.2.3');
    expect([file.exitCode, file.stderr]).toEqual([2, expect.stringContaining('use only the folder')]);
    expect((await vulns('lookup', 'npm', 'left-pad', '1')).exitCode).toBe(1);

    const id = String(wordfenceRecord().id);
    const asserted = await vulns('assert', id, '--exploitation', 'active', '--reason', 'our logs');
    expect(asserted).toEqual({
      exitCode: 0,
      stdout: `${id} is asserted: It is being exploited.\n`,
      stderr: '',
    });
    expect((await json(...LOOKUP)).vulnerabilities[0].deadline).toBe('3_days');
    expect((await vulns('status')).stdout).toMatch(/ It is being exploited +\S+ +our logs$/m);
    const unknown = await vulns(
      'assert',
      'cve-2026-2000',
      '--exploitation',
      'poc',
      '--reason',
      'typed in haste',
    );
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      0,
      expect.stringContaining('no imported feed contains'),
    ]);
    expect((await json('status')).assertions).toMatchObject([
      { vulnerability_id: id, exploitation: 'active', reason: 'our logs', known: true },
      { vulnerability_id: 'cve-2026-2000', exploitation: 'poc', known: false },
    ]);

    await json('assert', id, '--withdraw', '--reason', 'a scanner');
    expect((await json(...LOOKUP)).vulnerabilities[0].deadline).toBe('14_days');
    expect((await vulns('assert', id, '--withdraw')).stderr).toContain('nothing changed');
    const audited = JSON.parse((await redoubt('audit', '--subject', id, '--json')).stdout);
    expect(audited).toMatchObject([
      { action: 'vulnerability.withdraw', reason: 'a scanner', before: { exploitation: 'active' } },
      { action: 'vulnerability.assert', reason: 'our logs', after: { exploitation: 'active' } },
    ]);
  });
});
