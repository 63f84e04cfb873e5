import { beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../package.json';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { MIGRATIONS } from '../../src/storage/engine/migrations.ts';
import { databaseVersion } from '../../src/storage/engine/sqlite/database.ts';
import { membersOf } from '../support/backups.ts';
import { everyRow } from '../support/copies.ts';
import { type RunningService, run, start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { type Answered, answersTo } from './answers.ts';
import { startAt } from './held-service.ts';
import {
  CHANGELOG,
  type KeptAnswers,
  keptAnswers,
  keptBackup,
  keptFolder,
  keptVersions,
  SETTINGS,
  unpacked,
} from './kept.ts';
import { importVulnerability } from './known-vulnerability.ts';
import { recordVersion } from './record-version.ts';
import { expectUpgraded, fallen } from './soundness.ts';
import { takenAway } from './taken-away.ts';
import { unkept } from './unkept.ts';

const LATEST = MIGRATIONS.length;
/** Everyone signs in again after a restore. */
const SIGNED_OUT = ['operator_sessions', 'portal_sessions'];

const manifestOf = (backup: string) => JSON.parse(String(membersOf(backup).get('manifest.json')));

/** Recorded by this test, so that the records and their tests work before the first release as well. */
const PRESENT = `${version} (recorded now)`;

describe.each([...keptVersions(), PRESENT])('the data of a user of %s', (kept) => {
  let backup: string;
  let manifest: { schema_version: number; version: string; counts: Record<string, number> };
  let answers: KeptAnswers;
  beforeAll(async () => {
    const folder = kept === PRESENT ? temporaryDirectory() : keptFolder(kept);
    if (kept === PRESENT) await recordVersion(folder);
    backup = keptBackup(folder);
    manifest = manifestOf(backup);
    answers = keptAnswers(folder);
  }, 120_000);

  /** Repeats the recorded requests to a service, and stops it. */
  const expectAnswered = async (service: RunningService, before: readonly Answered[]) => {
    const now = await answersTo(service, answers.keys, before);
    const differing = now.flatMap((answered, index) => {
      const places = takenAway(before[index], answered);
      return places.length === 0 ? [] : [{ ...answered, places }];
    });
    expect(differing).toEqual([]);
    expect(service.log()).not.toContain('unexpected error');
    await service.end();
  };

  test('is restored from its backup, and tenants get the same answers as before', async () => {
    const directory = join(temporaryDirectory(), 'data');
    const redoubt = (...words: string[]) => run('binary', { SERVICE_DATA_DIR: directory }, ...words);
    for (const words of [['verify'], ['backup', 'verify']])
      expect(await redoubt(...words, backup)).toMatchObject({ exitCode: 0, stderr: '' });
    const { exitCode, stdout } = await redoubt('restore', backup, '--json');
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        version: manifest.version,
        migrated_from: manifest.schema_version < LATEST ? manifest.schema_version : null,
      },
    ]);
    expectUpgraded(databasePath(directory));
    expect(fallen(manifest.counts, databasePath(directory))).toEqual(SIGNED_OUT);
    await expectAnswered(await startAt(answers.at, directory), answers.answers);
  });

  test('is migrated by a start, with a verified copy, and tenants get the same answers as before', async () => {
    const directory = unpacked(backup);
    const path = databasePath(directory);
    const before = everyRow(path);
    // Its own process: its data directory comes from an older version.
    const service = await start('binary', { ...SETTINGS, SERVICE_DATA_DIR: directory });
    const copy = `${path}.before-v${LATEST}`;
    expect(existsSync(copy)).toBe(manifest.schema_version < LATEST);
    if (existsSync(copy))
      expect([databaseVersion(copy), everyRow(copy)]).toEqual([manifest.schema_version, before]);
    await importVulnerability(service);
    await expectAnswered(
      service,
      answers.answers.filter(({ lasts }) => lasts),
    );
    expectUpgraded(path);
    // Sessions of the console end with each start.
    expect(fallen(manifest.counts, path)).toEqual(['operator_sessions']);
  });

  test('is served under Deno with the same answers', async () => {
    await expectAnswered(await startAt(answers.at, unpacked(backup), 'deno'), answers.answers);
  });
});

describe('required records', () => {
  const changelog = '# Changelog\n\n## 0.3.0 (unreleased)\n\n## 0.2.0 (2027-01-01)\n\n## 0.1.0\n';
  const present = { version: '0.3.0', migrations: 30 };

  test('exist', () => {
    const schemaOf = (kept: string) =>
      [kept, manifestOf(keptBackup(keptFolder(kept))).schema_version] as const;
    const kept = Object.fromEntries(keptVersions().map(schemaOf));
    expect(unkept(CHANGELOG, { version, migrations: LATEST }, kept)).toEqual([]);
  });

  test('include every released version', () => {
    expect(unkept(changelog, present, { '0.1.0': 28 })).toEqual(['0.2.0']);
  });

  test('include the version of package.json with all of its migrations, once it is released', () => {
    const kept = { '0.1.0': 28, '0.2.0': 28, '0.3.0': 29 };
    expect(unkept(changelog, present, kept)).toEqual([]);
    const released = changelog.replace(' (unreleased)', '');
    expect(unkept(released, present, kept)).toEqual(['0.3.0']);
    expect(unkept(released, present, { ...kept, '0.3.0': 30 })).toEqual([]);
  });
});

test('an answer may gain members and reword text for people, and must not lose or change other members', () => {
  const older = { data: { list: [{ id: 1 }, { id: 2 }], end: null } };
  const newer = { data: { list: [{ id: 1, more: [] }, { id: 2 }], end: null, note: 'x' }, more: 1 };
  expect(takenAway(older, newer)).toEqual([]);
  expect(takenAway(newer, older)).toEqual(['.data.list[0].more', '.data.note', '.more']);
  expect(takenAway(older, { data: { list: [{ id: 2 }, {}], end: {} } })).toEqual([
    ...['.data.list[0].id', '.data.list[1].id', '.data.end'],
  ]);
  expect(takenAway([1], [1, 2])).toEqual(['']);
  expect(takenAway({ a: [] }, { a: {} })).toEqual(['.a']);
  const refusal = (code: string, message?: string) => ({ error: { code, message } });
  expect(takenAway(refusal('A', 'some words'), refusal('A', 'others'))).toEqual([]);
  expect(takenAway(refusal('A', 'some words'), refusal('B'))).toEqual(['.error.code', '.error.message']);
});
