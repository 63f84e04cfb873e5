import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { membersOf } from '../support/backups.ts';
import type { Env } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import type { Answered } from './answers.ts';

const FOLDER = join(import.meta.dir, 'kept');
export const CHANGELOG = readFileSync(join(import.meta.dir, '../../CHANGELOG.md'), 'utf8');

/** The clock of every service in these tests. */
export const SETTINGS: Env = {
  SERVICE_BASE_URL: 'https://redoubt.example',
  SERVICE_THREAT_FEED_ENABLED: '1',
  SERVICE_FEED_MIN_AGE_HOURS: '0',
  SERVICE_FEED_EPOCH_SECONDS: '86400',
  SERVICE_PORTAL: '1',
  SERVICE_RATE_KEY_PER_MINUTE: '100000',
  SERVICE_RATE_IP_PER_MINUTE: '100000',
};

/** The answers of a version about the content of its backup. */
export interface KeptAnswers {
  /** The time of the requests, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** License keys, by owner. */
  readonly keys: Readonly<Record<string, string>>;
  readonly answers: readonly KeptAnswer[];
}

export interface KeptAnswer extends Answered {
  /** Absent where the answer differs years later. */
  readonly lasts?: true;
}

/** Released versions; none before 1.0.0. */
export const keptVersions = (): string[] => (existsSync(FOLDER) ? readdirSync(FOLDER).toSorted() : []);

export const keptFolder = (version: string): string => join(FOLDER, version);

export const keptAnswers = (folder: string): KeptAnswers =>
  JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8'));

/** The backup of a version, as its `redoubt backup create` wrote it. */
export function keptBackup(folder: string): string {
  const path = join(temporaryDirectory(), 'backup.tar');
  writeFileSync(path, gunzipSync(readFileSync(join(folder, 'backup.tar.gz'))));
  return path;
}

/** A data directory restored from a backup. */
export function unpacked(backup: string): string {
  const directory = temporaryDirectory();
  for (const [name, bytes] of membersOf(backup)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, bytes, { mode: 0o600 });
  }
  return directory;
}
