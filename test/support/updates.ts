import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseComment, releaseOf } from '../../src/domain/release/release.ts';
import { buildOtherVersion } from './newer-version.ts';
import { once } from './once.ts';
import { newReleaseKey, signFile } from './releases.ts';
import { lastingDirectory } from './temporary.ts';

const HOUR = 3_600;
const now = Math.floor(Date.now() / 1_000);

/** A release as tests write it. */
export interface TestRelease {
  readonly version: string;
  /** The date of its commit, in seconds since the Unix epoch. */
  readonly serial: number;
  readonly executable: string;
}

export const key = newReleaseKey();
const target = `linux-${process.arch}` as 'linux-x64';

/** The signed description of a release. */
export const commentOf = ({ version, serial }: Pick<TestRelease, 'version' | 'serial'>): string =>
  releaseComment(releaseOf(version, serial * 1_000, target));

/** Writes the signature of a release next to a file. */
export const sign = (path: string, release: Pick<TestRelease, 'version' | 'serial'>): void =>
  signFile(path, key, commentOf(release));

/** In a file of the data directory: how the newer version fails. */
export const FAILS_FILE = 'fails';
const FAILS = `(() => { try { return require('node:fs').readFileSync(process.env.SERVICE_DATA_DIR + '/${FAILS_FILE}', 'utf8').trim(); } catch { return ''; } })()`;

/** Fails where two licenses have the same plan. */
const SQL = 'alter table licenses add column further text; create unique index further on licenses (plan);';

/** An installed version and a possible successor: with one more migration, and configurable failures. */
export const twoReleases = once(async (): Promise<readonly [TestRelease, TestRelease]> => {
  const releaseKey = join(lastingDirectory(), 'release.pub');
  writeFileSync(releaseKey, key.publicFile);
  const one = { version: '1.0.0', serial: now - 2 * HOUR };
  const two = { version: '1.1.0', serial: now - HOUR };
  const edits = {
    'src/server/serve.ts': (text: string) =>
      text.replace(
        "  log.announce('ready',",
        `  const fails = ${FAILS};
  if (fails === 'start') throw new Error('it fails');
  if (fails === 'hang') await new Promise(() => {});
  log.announce('ready',`,
      ),
    'src/routes/health.ts': (text: string) =>
      text.replace(
        '= health.problems();',
        `= [...health.problems(), ...(${FAILS} === 'unready' ? ['it fails'] : [])];`,
      ),
  };
  const built = [
    await buildOtherVersion({ version: one.version, committedAt: one.serial, releaseKey }),
    await buildOtherVersion({ version: two.version, committedAt: two.serial, releaseKey, sql: SQL, edits }),
  ] as const;
  return [
    { ...one, executable: built[0] },
    { ...two, executable: built[1] },
  ];
});
